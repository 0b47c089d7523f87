package io.albis.launcher;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.launcher.server.Installation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.Files.createDirectories;
import static java.nio.file.Files.createSymbolicLink;
import static java.nio.file.Files.readString;
import static java.nio.file.Files.writeString;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the parts of bin/albis that run before anything is built.
 */
class TestScript
{
    private static final Path SCRIPT = Installation.current().repository().resolve("bin/albis");

    @TempDir
    Path directory;

    @Test
    void testHelp()
            throws IOException, InterruptedException
    {
        Result result = run(SCRIPT, "help");
        assertThat(result.exitCode()).isEqualTo(0);
        assertThat(result.output()).startsWith("Usage: bin/albis COMMAND")
                .contains("  demo ", "  server ", "  sql ", "  tpcds ", "  sizing ", "  import ", "  bench ", "  docker ", "  test ", "  help ");
    }

    @Test
    void testMisuse()
            throws IOException, InterruptedException
    {
        for (List<String> arguments : ImmutableList.of(
                ImmutableList.<String>of(),
                ImmutableList.of("unknown"),
                ImmutableList.of("demo", "more"),
                ImmutableList.of("sql", "SELECT", "1"),
                ImmutableList.of("tpcds"),
                ImmutableList.of("sizing"),
                ImmutableList.of("import"),
                ImmutableList.of("bench", "--some"),
                ImmutableList.of("bench", "--list", "tpch"),
                ImmutableList.of("bench", "tpch", "--list"),
                ImmutableList.of("bench", "--list", "--check"),
                ImmutableList.of("bench", "--check", "--quick"),
                ImmutableList.of("test", "--some"))) {
            Result result = run(SCRIPT, arguments.toArray(String[]::new));
            assertThat(result.exitCode()).as(arguments.toString()).isEqualTo(2);
            assertThat(result.output()).as(arguments.toString()).contains("Usage: bin/albis COMMAND");
        }
    }

    @Test
    void testBenchmarkArguments()
            throws IOException, InterruptedException
    {
        assertThat(run(SCRIPT, "bench", "--check", "--quick").output()).contains("bin/albis bench --check accepts no other arguments.");
        assertThat(run(SCRIPT, "bench", "tpch", "--list").output()).contains("bin/albis bench --list accepts no other arguments.");
    }

    @Test
    void testSqlWithoutServer()
            throws IOException, InterruptedException
    {
        Result result = run(SCRIPT, "sql", "SELECT 1");
        assertThat(result).isEqualTo(new Result(1, "No server is running. Start one in another terminal: bin/albis server\n"));
    }

    @Test
    void testSqlAfterServerWasKilled()
            throws IOException, InterruptedException
    {
        // No process has the first number, and another process has the second one since then
        for (long process : new long[] {99999999, ProcessHandle.current().pid()}) {
            writeString(directory.resolve("server.properties"), "uri=http://127.0.0.1:1\npid=%s\n".formatted(process));
            Result result = run(SCRIPT, "sql", "SELECT 1");
            assertThat(result).isEqualTo(new Result(1, "No server is running. Start one in another terminal: bin/albis server\n"));
        }
    }

    @Test
    void testDockerHelp()
            throws IOException, InterruptedException
    {
        Result result = run(SCRIPT, "docker", "help");
        assertThat(result.exitCode()).isEqualTo(0);
        assertThat(result.output()).startsWith("Usage: bin/albis docker COMMAND")
                .contains("  up ", "  tpcds ", "  sizing ", "  sql ", "  down ", "  test ");
    }

    @Test
    void testDockerMisuse()
            throws IOException, InterruptedException
    {
        for (List<String> arguments : ImmutableList.of(
                ImmutableList.of("docker"),
                ImmutableList.of("docker", "unknown"),
                ImmutableList.of("docker", "up", "--some"),
                ImmutableList.of("docker", "tpcds"),
                ImmutableList.of("docker", "sizing"),
                ImmutableList.of("docker", "sql", "SELECT", "1"),
                ImmutableList.of("docker", "compose"),
                ImmutableList.of("docker", "down", "more"))) {
            Result result = run(SCRIPT, arguments.toArray(String[]::new));
            assertThat(result.exitCode()).as(arguments.toString()).isEqualTo(2);
            assertThat(result.output()).as(arguments.toString()).contains("Usage: bin/albis docker COMMAND");
        }
    }

    @Test
    void testDockerWithoutEngine()
            throws IOException, InterruptedException
    {
        for (String command : ImmutableList.of("up", "down", "sql", "build", "test")) {
            Result result = run(ImmutableMap.of("DOCKER_HOST", "unix://" + directory.resolve("none.sock")), SCRIPT, "docker", command);
            assertThat(result.exitCode()).as(command).isEqualTo(1);
            assertThat(result.output()).as(command).startsWith("bin/albis docker needs a Docker engine and its compose plugin, and ")
                    .contains("bin/albis server does not need Docker");
        }
    }

    /**
     * Tests that Git does not write carriage returns into scripts, which bash would not run. Git for Windows does this
     * by default, and WSL may use its checkout.
     */
    @Test
    void testLineEndings()
            throws IOException
    {
        Path repository = Installation.current().repository();
        assertThat(readString(repository.resolve(".gitattributes"))).contains("\n* text=auto eol=lf\n");
        for (String script : ImmutableList.of("bin/albis", "build/build.sh", "build/test.sh", "docker/commands.sh", "docker/settings.sh", "docker/images.sh", "docker/hadoop/bin/hdfs", "docker/trino/bin/start")) {
            assertThat(readString(repository.resolve(script))).as(script).doesNotContain("\r");
        }
    }

    @Test
    void testSymbolicLink()
            throws IOException, InterruptedException
    {
        Path link = createSymbolicLink(createDirectories(directory.resolve("a folder")).resolve("albis"), SCRIPT);
        assertThat(run(link, "help")).isEqualTo(run(SCRIPT, "help"));
    }

    @Test
    void testFoldersThatCdSearches()
            throws IOException, InterruptedException
    {
        createDirectories(directory.resolve("bin"));
        for (String folders : ImmutableList.of(".:" + directory, directory.toString())) {
            assertThat(run(ImmutableMap.of("CDPATH", folders), Path.of("bin/albis"), "help")).as(folders).isEqualTo(run(SCRIPT, "help"));
        }
    }

    private Result run(Path script, String... arguments)
            throws IOException, InterruptedException
    {
        return run(ImmutableMap.of(), script, arguments);
    }

    private Result run(Map<String, String> environment, Path script, String... arguments)
            throws IOException, InterruptedException
    {
        ProcessBuilder builder = new ProcessBuilder(ImmutableList.<String>builder().add(script.toString()).add(arguments).build())
                .directory(Installation.current().repository().toFile())
                .redirectErrorStream(true);
        builder.environment().put("ALBIS_HOME", directory.toString());
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        return new Result(process.waitFor(), output);
    }

    private record Result(int exitCode, String output) {}
}
