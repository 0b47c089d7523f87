package io.albis.benchmarks.server;

import com.google.common.collect.ImmutableMap;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Map;

import static java.nio.file.FileVisitResult.CONTINUE;

/**
 * The files in a folder at one moment.
 */
public record FolderFiles(Map<Path, State> files)
{
    // Trino's metastore for tests keeps its own files next to those of a table
    private static final String METASTORE_FILE = ".trino";

    public FolderFiles
    {
        files = ImmutableMap.copyOf(files);
    }

    public record State(long size, FileTime modified, String key) {}

    public static FolderFiles list(Path folder)
    {
        ImmutableMap.Builder<Path, State> files = ImmutableMap.builder();
        try {
            Files.walkFileTree(folder, new SimpleFileVisitor<>()
            {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                {
                    if (!file.getFileName().toString().startsWith(METASTORE_FILE)) {
                        files.put(file, new State(attributes.size(), attributes.lastModifiedTime(), String.valueOf(attributes.fileKey())));
                    }
                    return CONTINUE;
                }
            });
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new FolderFiles(files.buildOrThrow());
    }

    /**
     * Returns the size of the files that were created or overwritten after an earlier moment.
     */
    public long bytesSince(FolderFiles earlier)
    {
        return files.entrySet().stream()
                .filter(file -> !file.getValue().equals(earlier.files().get(file.getKey())))
                .mapToLong(file -> file.getValue().size())
                .sum();
    }
}
