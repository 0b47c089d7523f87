package io.albis.launcher.server;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipFile;

import static com.google.common.collect.Iterables.getOnlyElement;
import static com.google.common.collect.MoreCollectors.onlyElement;
import static java.nio.file.Files.copy;
import static java.nio.file.Files.delete;
import static java.nio.file.Files.newDirectoryStream;
import static java.nio.file.Files.readAllLines;
import static java.nio.file.Files.walk;
import static java.nio.file.Files.writeString;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.util.Objects.requireNonNull;

/**
 * One of the zips of the plugin, and the file CONTENTS, which lists what each of them contains.
 */
enum PluginZip
{
    DEFAULT("albis-trino"),
    FULL("albis-full"),
    NO_HDFS("albis-no-hdfs");

    private static final String FOLDER = "albis-trino-";
    private static final Splitter COLUMNS = Splitter.on("  ").omitEmptyStrings().trimResults();

    private final String name;

    PluginZip(String name)
    {
        this.name = requireNonNull(name, "name is null");
    }

    Path file()
            throws IOException
    {
        try (DirectoryStream<Path> zips = newDirectoryStream(Installation.current().repository().resolve("target"), name + "-*.zip")) {
            return getOnlyElement(zips);
        }
    }

    /**
     * Copies the zip to a folder, with one more class in the jar of the plugin, which nothing loads. The copy is
     * another build of the plugin.
     */
    Path writeOtherBuild(Path folder)
            throws IOException
    {
        Path copy = copy(file(), folder.resolve(file().getFileName()));
        Path extracted = folder.resolve("other-build.jar");
        try (FileSystem zip = FileSystems.newFileSystem(copy)) {
            Path jar;
            try (Stream<Path> files = walk(zip.getPath("/"))) {
                jar = files.filter(file -> String.valueOf(file.getFileName()).matches(FOLDER + "[0-9].*(?<!-services)\\.jar")).collect(onlyElement());
            }
            copy(jar, extracted);
            try (FileSystem classes = FileSystems.newFileSystem(extracted)) {
                writeString(classes.getPath("io/albis/OtherBuild.class"), "not loaded");
            }
            copy(extracted, jar, REPLACE_EXISTING);
        }
        delete(extracted);
        return copy;
    }

    /**
     * Returns the files in the zip, with VERSION instead of the version of the plugin.
     */
    List<String> files()
            throws IOException
    {
        ImmutableList.Builder<String> files = ImmutableList.builder();
        try (ZipFile zip = new ZipFile(file().toFile())) {
            zip.stream().filter(entry -> !entry.isDirectory()).forEach(entry -> {
                String path = entry.getName();
                int folder = path.indexOf('/');
                files.add(path.substring(folder + 1).replace(path.substring(FOLDER.length(), folder), "VERSION"));
            });
        }
        return files.build();
    }

    /**
     * Returns the files that the zip has according to the list.
     */
    List<String> listedFiles()
            throws IOException
    {
        ImmutableList.Builder<String> files = ImmutableList.builder();
        for (String line : readAllLines(Installation.current().repository().resolve("src/main/zip/CONTENTS"))) {
            if (line.startsWith("#")) {
                continue;
            }
            List<String> columns = COLUMNS.splitToList(line);
            boolean included = switch (this) {
                case DEFAULT -> columns.size() == 2;
                case FULL -> true;
                case NO_HDFS -> columns.size() == 2 && !line.startsWith("hdfs/");
            };
            if (included) {
                files.add(columns.getFirst());
            }
        }
        return files.build();
    }
}
