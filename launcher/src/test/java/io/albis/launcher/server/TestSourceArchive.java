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
import java.util.List;
import java.util.Set;

import static java.nio.file.Files.copy;
import static java.nio.file.Files.createDirectories;
import static java.nio.file.Files.createDirectory;
import static java.nio.file.Files.createSymbolicLink;
import static java.nio.file.Files.exists;
import static java.nio.file.Files.readString;
import static java.nio.file.Files.walkFileTree;
import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;
import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Follows README.md as a new user with an archive of the sources, which has no Git directory, in a folder with spaces:
 * the demo, which Ctrl-C ends the first time, the tour on a server, and a measurement of its size.
 */
@Tag("server")
@Tag("slow")
@RequiredCommand(value = "command -v perl", reason = "perl makes a group of processes, and it is not on the PATH")
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

        String interrupted = interruptDemo(archive);
        String output = DocumentedBlocks.commands(PAGE, "commands: demo").in(archive).run().checkSucceeded().output();
        List<String> documented = DocumentedBlocks.text(PAGE, "output: demo", "text").lines().toList();
        // The first demo has built the plugin and the server
        DocumentedSession.assertSimilarSteps(documented.subList(0, 2), interrupted);
        DocumentedSession.assertSimilar(documented.subList(1, documented.size()), output);
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
            runSizing(archive);
        }
        finally {
            server.destroy();
            assertThat(server.waitFor(2, MINUTES)).isTrue();
        }
        assertThat(TestingCommand.of("bin/albis", "sql", "SELECT 1").in(archive).run().checkFailed().output()).startsWith("No server is running.");
    }

    /**
     * Presses Ctrl-C while the demo loads its tables, and waits until everything that it has started has ended.
     *
     * @return the output of the demo
     */
    private static String interruptDemo(Path archive)
            throws IOException, InterruptedException
    {
        Process demo = TestingTerminal.start(new ProcessBuilder("bin/albis", "demo").directory(archive.toFile()).redirectErrorStream(true));
        StringBuilder output = new StringBuilder();
        BufferedReader lines = demo.inputReader();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            output.append(line).append('\n');
            if (line.startsWith("[2/24] ")) {
                TestingTerminal.interrupt(demo);
            }
        }
        assertThat(output).contains("[2/24] ", "Stopping the server ...").doesNotContain("[24/24] ", "\tat ");
        assertThat(demo.waitFor(2, MINUTES)).isTrue();
        assertThat(demo.exitValue()).as(output.toString()).isEqualTo(TestingTerminal.INTERRUPTED);
        TestingTerminal.awaitNoProcess(archive);
        return output.toString();
    }

    /**
     * Runs the commands of docs/operations.md at a smaller scale, on the server of this archive.
     */
    private static void runSizing(Path archive)
            throws IOException, InterruptedException
    {
        Installation installation = new Installation(archive, archive.resolve("launcher/target/server"), archive.resolve(".albis"));
        String output = DocumentedBlocks.commands(
                        "docs/operations.md",
                        "commands: sizing",
                        "--scale 10 --json",
                        "--scale tiny --queries 3,96 --json",
                        "--scale 10 --clients",
                        "--scale tiny --clients",
                        "http://coordinator:8080",
                        RunningServer.read(installation).orElseThrow().uri().toString())
                .in(archive)
                .run()
                .checkSucceeded()
                .output();
        // The numbers of clients, of queries, and of failures
        assertThat(output).contains("\n| 1 | 2 | 0 | ", "\n| 4 | 8 | 0 | ", "\n| 16 | 32 | 0 | ", "\n| 1 | 3 | 0 | ", "\n| 2 | 6 | 0 | ", "\n| 8 | 24 | 0 | ");
        assertThat(readString(archive.resolve("sizing.json"))).contains("\"clients\": 16, \"queries\": 32, \"failed\": 0,");
    }

    /**
     * Copies the files of the repository, and not what Git and builds have added.
     */
    static void unpack(Path archive)
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
