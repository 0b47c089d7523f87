package io.albis.benchmarks.server;

import com.google.common.collect.ImmutableList;
import com.google.common.io.MoreFiles;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.io.RecursiveDeleteOption.ALLOW_INSECURE;
import static java.util.Comparator.comparing;
import static java.util.stream.Collectors.joining;

/**
 * Computes the size of the tables in a schema. The directory of a dropped Albis table is kept for a while and does not
 * count. Only a directory that the last entry of a table name refers to belongs to a table.
 */
public final class DiskUsage
{
    // In Albis schemas, this directory is next to the table directories
    private static final String NAMES = "tables";
    private static final String SCHEMA_ENTRIES = ".schema";
    private static final Pattern ENTRY = Pattern.compile("\\d{20}\\.json");

    private DiskUsage() {}

    public static long bytes(BenchmarkCatalog catalog, Path data, String schema)
    {
        return schemaFolder(catalog, data, schema)
                .map(folder -> tables(catalog, folder).stream()
                        .mapToLong(DiskUsage::size)
                        .sum())
                .orElse(0L);
    }

    /**
     * Removes the remaining files of dropped tables.
     */
    public static void removeDropped(BenchmarkCatalog catalog, Path data, String schema)
    {
        schemaFolder(catalog, data, schema).ifPresent(folder -> {
            List<Path> tables = tables(catalog, folder);
            for (Path child : folders(folder)) {
                if (!tables.contains(child) && !child.endsWith(NAMES) && !child.endsWith(SCHEMA_ENTRIES)) {
                    delete(child);
                }
            }
        });
    }

    private static Optional<Path> schemaFolder(BenchmarkCatalog catalog, Path data, String schema)
    {
        return Optional.of(catalog.folder(data).resolve(schema)).filter(Files::isDirectory);
    }

    private static List<Path> tables(BenchmarkCatalog catalog, Path schemaFolder)
    {
        List<Path> folders = folders(schemaFolder);
        if (!catalog.isAlbis()) {
            return folders;
        }
        if (!folders.contains(schemaFolder.resolve(NAMES))) {
            // No table has been created yet
            return ImmutableList.of();
        }
        String entries = folders(schemaFolder.resolve(NAMES)).stream()
                .map(DiskUsage::liveEntry)
                .collect(joining());
        return folders.stream()
                .filter(folder -> entries.contains("/%s\"".formatted(folder.getFileName())))
                .collect(toImmutableList());
    }

    private static List<Path> folders(Path folder)
    {
        try (Stream<Path> children = Files.list(folder)) {
            return children.filter(Files::isDirectory).collect(toImmutableList());
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns the last entry of a name. The result is empty if the entry has an even number, which means that no table
     * has this name.
     */
    private static String liveEntry(Path name)
    {
        try (Stream<Path> children = Files.list(name)) {
            return children
                    .filter(file -> ENTRY.matcher(file.getFileName().toString()).matches())
                    .max(comparing(Path::getFileName))
                    .filter(file -> Long.parseLong(file.getFileName().toString().replace(".json", "")) % 2 == 1)
                    .map(DiskUsage::read)
                    .orElse("");
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file)
    {
        try {
            return Files.readString(file);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path folder)
    {
        try {
            MoreFiles.deleteRecursively(folder, ALLOW_INSECURE);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long size(Path folder)
    {
        try (Stream<Path> paths = Files.walk(folder)) {
            return paths.filter(Files::isRegularFile)
                    .mapToLong(path -> path.toFile().length())
                    .sum();
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
