package io.albis.launcher.server;

import com.google.common.collect.ImmutableList;
import io.albis.launcher.server.DocumentedSession.Step;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;

import static java.nio.file.Files.copy;
import static java.nio.file.Files.createDirectories;
import static java.nio.file.Files.createDirectory;
import static java.nio.file.Files.createSymbolicLink;
import static java.nio.file.Files.exists;
import static java.nio.file.Files.walkFileTree;
import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;
import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Follows README.md as a new user with an archive of the sources, which has no Git directory, in a folder with spaces:
 * the demo, and the tour on a server.
 */
@Tag("server")
@Tag("slow")
@Timeout(2400)
final class TestSourceArchive
{
    private static final String PAGE = "README.md";
    private static final Set<String> NOT_IN_ARCHIVE = Set.of(".git", ".albis", "target");

    @TempDir
    Path home;

    @Test
    void testDemoAndTour()
            throws Exception
    {
        Path archive = home.resolve("a folder/albis 1");
        unpack(archive);

        String output = DocumentedBlocks.commands(PAGE, "commands: demo").in(archive).run().checkSucceeded().output();
        DocumentedSession.assertSimilar(DocumentedBlocks.text(PAGE, "output: demo", "text").lines().toList(), output);
        assertThat(output).contains("97 answered, 2 with the expected error, 0 failed");

        Process server = new ProcessBuilder("bin/albis", "server").directory(archive.toFile()).redirectErrorStream(true).start();
        try {
            server.getOutputStream().close();
            BufferedReader lines = server.inputReader();
            ImmutableList.Builder<String> start = ImmutableList.builder();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                start.add(line);
                if (line.startsWith("Query it with: bin/albis sql")) {
                    break;
                }
            }
            assertThat(start.build()).as("the output of bin/albis server").noneMatch(line -> line.startsWith("Building")).last().asString().contains("bin/albis sql");
            for (String marker : new String[] {"session: queries", "session: plan", "session: metrics", "session: changes", "session: versions"}) {
                for (Step step : DocumentedSession.parse(DocumentedBlocks.text(PAGE, marker, "text"), "albis> ", "    -> ").steps()) {
                    DocumentedSession.assertShown(
                            step.output(),
                            TestingCommand.of("bin/albis", "sql", step.command()).in(archive).run().checkSucceeded().output());
                }
            }
        }
        finally {
            server.destroy();
            assertThat(server.waitFor(2, MINUTES)).isTrue();
        }
        assertThat(TestingCommand.of("bin/albis", "sql", "SELECT 1").in(archive).run().checkFailed().output()).startsWith("No server is running.");
    }

    /**
     * Copies the files of the repository, and not what Git and builds have added.
     */
    private static void unpack(Path archive)
            throws IOException
    {
        Path repository = Installation.current().repository();
        createDirectories(archive.getParent());
        walkFileTree(repository, new SimpleFileVisitor<>()
        {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
                    throws IOException
            {
                if (NOT_IN_ARCHIVE.contains(folder.getFileName().toString())) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                createDirectory(archive.resolve(repository.relativize(folder).toString()));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                    throws IOException
            {
                if (!NOT_IN_ARCHIVE.contains(file.getFileName().toString())) {
                    copy(file, archive.resolve(repository.relativize(file).toString()), COPY_ATTRIBUTES, LinkOption.NOFOLLOW_LINKS);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        // What bin/albis has fetched before, it need not fetch again
        Path maven = repository.resolve(".albis/maven");
        if (exists(maven)) {
            createSymbolicLink(createDirectories(archive.resolve(".albis")).resolve("maven"), maven);
        }
    }
}
