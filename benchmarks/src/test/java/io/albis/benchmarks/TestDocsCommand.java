package io.albis.benchmarks;

import com.google.common.io.MoreFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the committed reports, charts, and figures of docs/benchmarks.md are those of the committed JSON files.
 */
class TestDocsCommand
{
    // The build runs the tests in the directory benchmarks/
    private static final Path DOCS = Files.exists(Path.of("docs")) ? Path.of("docs") : Path.of("..", "docs");

    @TempDir
    private Path folder;

    @Test
    void testCommittedFigures()
            throws IOException
    {
        copy("benchmarks.md");
        copy("results");
        // Everything but the JSON files and the definitions is written again
        for (Path file : list("results", ".md")) {
            Files.delete(folder.resolve("results").resolve(file));
        }
        assertThat(Benchmarks.commandLine().execute("docs", "--docs", folder.toString())).isEqualTo(0);
        assertThat(folder.resolve("benchmarks.md")).hasSameTextualContentAs(DOCS.resolve("benchmarks.md"));
        assertSameFiles("results", ".md");
        assertSameFiles("charts", ".svg");
    }

    /**
     * Tests that a figure that somebody changes by hand does not stay.
     */
    @Test
    void testChangedFigures()
            throws IOException
    {
        copy("results");
        String page = Files.readString(DOCS.resolve("benchmarks.md"));
        String changed = page
                .replaceFirst("(<!--= [\\w-]+ -->)[^<]+(<!--\\.-->)", "$1123.45$2")
                .replaceFirst("\n\\| parquet_snappy \\| [^|]+\\|", "\n| parquet_snappy | 0.123 |");
        assertThat(changed).isNotEqualTo(page).contains("123.45", "| parquet_snappy | 0.123 |");
        Files.writeString(folder.resolve("benchmarks.md"), changed);
        assertThat(Benchmarks.commandLine().execute("docs", "--docs", folder.toString())).isEqualTo(0);
        assertThat(folder.resolve("benchmarks.md")).hasContent(page);
    }

    private void assertSameFiles(String name, String extension)
            throws IOException
    {
        List<Path> files = list(name, extension);
        assertThat(files).isNotEmpty();
        for (Path file : files) {
            assertThat(folder.resolve(name).resolve(file)).hasSameTextualContentAs(DOCS.resolve(name).resolve(file));
        }
        try (Stream<Path> written = Files.list(folder.resolve(name))) {
            assertThat(written.filter(file -> file.toString().endsWith(extension)).map(Path::getFileName)).containsExactlyInAnyOrderElementsOf(files);
        }
    }

    private static List<Path> list(String name, String extension)
            throws IOException
    {
        try (Stream<Path> files = Files.list(DOCS.resolve(name))) {
            return files.filter(file -> file.toString().endsWith(extension))
                    .map(Path::getFileName)
                    .collect(toImmutableList());
        }
    }

    private void copy(String name)
            throws IOException
    {
        Path source = DOCS.resolve(name);
        if (!Files.isDirectory(source)) {
            Files.copy(source, folder.resolve(name));
            return;
        }
        Files.createDirectories(folder.resolve(name));
        for (Path file : MoreFiles.listFiles(source)) {
            Files.copy(file, folder.resolve(name).resolve(file.getFileName()));
        }
    }
}
