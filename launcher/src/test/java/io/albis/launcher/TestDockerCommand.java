package io.albis.launcher;

import com.google.common.collect.ImmutableList;
import io.albis.launcher.TestingCheckout.Result;
import io.albis.launcher.server.DocumentedBlocks;
import io.albis.launcher.server.RequiredCommand;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static java.nio.file.Files.createDirectories;
import static java.nio.file.Files.createFile;
import static java.nio.file.Files.delete;
import static java.nio.file.Files.exists;
import static java.nio.file.Files.getPosixFilePermissions;
import static java.nio.file.Files.readAllLines;
import static java.nio.file.Files.write;
import static java.nio.file.Files.writeString;
import static java.nio.file.attribute.PosixFilePermissions.fromString;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

/**
 * Tests bin/albis docker with a script that replaces Docker and records its calls.
 */
@Timeout(value = 120, threadMode = SEPARATE_THREAD)
class TestDockerCommand
{
    private static final String HEALTHY =
            """
            namenode albis-namenode-1: Up 1 minute (healthy)
            coordinator albis-coordinator-1: Up 1 minute (healthy)
            """;

    @TempDir
    Path directory;

    private TestingCheckout checkout;
    private String composeVersion = "2.39.1";

    @BeforeEach
    void createCheckout()
            throws IOException
    {
        checkout = TestingCheckout.create(directory);
        checkout.writeJdkCommand("jar", "mkdir -p albis-trino-1 && touch albis-trino-1/albis.jar");
        writeDocker(HEALTHY);
    }

    @Test
    void testSettings()
            throws IOException, InterruptedException
    {
        writeSettings("# settings of this machine\r\nALBIS_PORT=8081\r\nALBIS_REPLICATION=3\nALBIS_LOCAL_DATA=\"/a disk/albis\"\r\nALBIS_NAMENODE_DATA='/nvme1/namenode' \nALBIS_TRINO_HEAP=4g\nALBIS_WORKERS=1\nALBIS_WORKERS=4\n");
        assertThat(settings()).contains(
                "ALBIS_PORT=8081",
                "ALBIS_REPLICATION=3",
                "ALBIS_LOCAL_DATA=/a disk/albis",
                "ALBIS_NAMENODE_DATA=/nvme1/namenode",
                "ALBIS_DATANODE1_DATA=%s/.albis/docker/datanode1".formatted(checkout.resolve("")),
                "ALBIS_TRINO_HEAP=4g",
                "ALBIS_TRINO_MEMORY=5888m",
                "ALBIS_HADOOP_HEAP=256m",
                "ALBIS_HADOOP_MEMORY=768m",
                "ALBIS_WORKERS=4");
    }

    @Test
    void testDocumentedSettings()
            throws IOException, InterruptedException
    {
        String documented = DocumentedBlocks.text("docker/README.md", "settings: disks", "properties");
        writeSettings(documented);
        assertThat(settings()).containsAll(documented.lines().toList()).contains("ALBIS_TRINO_MEMORY=11008m");
    }

    @ParameterizedTest
    @ValueSource(strings = {"80\"81", "'8081", "$PORT", "80\\81", "8081 # the port"})
    void testValueThatDockerComposeCouldReadDifferently(String value)
            throws IOException, InterruptedException
    {
        writeSettings("ALBIS_PORT=" + value + "\n");
        assertRefused("docker/.env: ALBIS_PORT=%s: a value can be in quotes. It cannot contain a quote, $, \\, or #.".formatted(value));
    }

    @Test
    void testRelativeFolder()
            throws IOException, InterruptedException
    {
        writeSettings("ALBIS_LOCAL_DATA=data\n");
        assertRefused("ALBIS_LOCAL_DATA must be an absolute path, and is 'data'.");
    }

    @Test
    void testHeapWithoutUnit()
            throws IOException, InterruptedException
    {
        writeSettings("ALBIS_TRINO_HEAP=4000\n");
        assertRefused("ALBIS_TRINO_HEAP must be a number with the unit m or g, such as 4g, and is '4000'.");
    }

    @Test
    void testMemoryThatDoesNotFitHeap()
            throws IOException, InterruptedException
    {
        writeSettings("ALBIS_TRINO_HEAP=8g\nALBIS_TRINO_MEMORY=2g\n");
        assertRefused("ALBIS_TRINO_MEMORY=2g is too little for ALBIS_TRINO_HEAP=8g: the engine would kill the container.");
    }

    /**
     * Docker Compose 2 reads such a line.
     */
    @Test
    void testExportedSetting()
            throws IOException, InterruptedException
    {
        writeSettings("export ALBIS_PORT=8081\n");
        assertRefused("docker/.env: write ALBIS_PORT=VALUE without export. Some versions of Docker Compose do not read it otherwise.");
    }

    /**
     * Tests Docker Compose, of any version, without bin/albis and without its environment. It needs no Docker engine to
     * print its configuration.
     */
    @RequiredCommand(value = "docker compose version", reason = "there is no Docker Compose")
    @Test
    void testPlainDockerCompose()
            throws IOException, InterruptedException
    {
        delete(directory.resolve("commands/docker"));
        writeSettings(DocumentedBlocks.text("docker/README.md", "settings: disks", "properties"));
        Result version = plain("docker compose version --short");
        boolean old = version.output().matches("v?1\\.(?s:.*)");
        String file = old ? "-f .albis/compose.yaml --project-directory docker" : "-f docker/compose.yaml";
        for (String folder : new String[] {".albis", "docker/hadoop", "docker/trino"}) {
            createDirectories(checkout.resolve(folder));
        }
        if (old) {
            // As bin/albis docker compose does
            List<String> lines = new ArrayList<>(readAllLines(checkout.resolve("docker/compose.yaml")));
            lines.removeIf(line -> line.startsWith("name:"));
            write(checkout.resolve(".albis/compose.yaml"), lines);
        }
        Result refused = plain("docker compose %s --profile hdfs config".formatted(file));
        assertThat(refused.exitCode()).as(refused.output()).isNotEqualTo(0);
        assertThat(refused.output()).contains("bin/albis docker settings prints it");

        String documented = DocumentedBlocks.text("docker/README.md", "commands: plain compose", "bash");
        assertThat(documented).contains("-f docker/compose.yaml", "up -d");
        Result configuration = plain(documented.replace("-f docker/compose.yaml", file).replace("up -d", "config"));
        assertThat(configuration.exitCode()).as(configuration.output()).isEqualTo(0);
        assertThat(configuration.output().replace("\"", ""))
                .containsPattern("mem_limit: (11008m|11542724608)\n")
                .containsPattern("mem_limit: (768m|805306368)\n")
                .contains("TRINO_HEAP: 8g", "/nvme1/albis", "image: %s-trino".formatted(project(settings()).replace("ALBIS_DOCKER_PROJECT=", "")));
    }

    /**
     * Runs a command with nothing but a PATH and a home.
     */
    private Result plain(String command)
            throws IOException, InterruptedException
    {
        ProcessBuilder builder = checkout.command("docker").directory(checkout.resolve("").toFile());
        builder.command("env", "-i", "PATH=" + builder.environment().get("PATH"), "HOME=" + System.getenv("HOME"), "bash", "-euo", "pipefail", "-c", command);
        return TestingCheckout.run(builder);
    }

    private void assertRefused(String message)
            throws IOException, InterruptedException
    {
        Result result = checkout.run("docker", "compose", "config");
        assertThat(result).isEqualTo(new Result(1, message + "\n"));
    }

    @Test
    void testCheckoutsHaveDifferentProjects()
            throws IOException, InterruptedException
    {
        String project = project(settings());
        assertThat(project).matches("ALBIS_DOCKER_PROJECT=albis-[0-9]+");
        assertThat(project(settings())).isEqualTo(project);
        checkout = TestingCheckout.create(directory.resolve("other"));
        writeDocker(HEALTHY);
        assertThat(project(settings())).matches("ALBIS_DOCKER_PROJECT=albis-[0-9]+").isNotEqualTo(project);
    }

    private static String project(List<String> settings)
    {
        return settings.stream().filter(line -> line.startsWith("ALBIS_DOCKER_PROJECT=")).findFirst().orElseThrow();
    }

    @Test
    void testFirstStartFormatsHdfs()
            throws IOException, InterruptedException
    {
        Result result = checkout.run("docker", "up");
        assertThat(result.output()).contains("Formatting HDFS: done").contains("Waiting until they are healthy: done");
        assertThat(result.exitCode()).isEqualTo(0);
        assertThat(calls()).containsExactly("build namenode coordinator", "run --rm --no-deps namenode format", "up -d --no-build");
        assertThat(getPosixFilePermissions(data("datanode1"))).isEqualTo(fromString("rwx------"));
    }

    @Test
    void testNextStartDoesNotFormatHdfs()
            throws IOException, InterruptedException
    {
        createFile(createDirectories(data("namenode").resolve("current")).resolve("VERSION"));
        createFile(createDirectories(data("datanode2").resolve("current")).resolve("VERSION"));
        assertThat(checkout.run("docker", "up").exitCode()).isEqualTo(0);
        assertThat(calls()).containsExactly("build namenode coordinator", "up -d --no-build");
    }

    @Test
    void testEmptyNameNodeBesideDataIsNotFormatted()
            throws IOException, InterruptedException
    {
        createFile(createDirectories(data("datanode2").resolve("current")).resolve("VERSION"));
        Result result = checkout.run("docker", "up");
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.output()).contains("A DataNode has data (%s), but the NameNode has none (%s).".formatted(data("datanode2"), data("namenode")));
        assertThat(calls()).containsExactly("build namenode coordinator");
    }

    @Test
    void testStoppedContainersOfTheOtherKind()
            throws IOException, InterruptedException
    {
        writeDocker(
                """
                coordinator albis-coordinator-1: Exited (143) 2 hours ago
                local-coordinator albis-local-coordinator-1: Up 1 minute (healthy)
                """);
        Result result = checkout.run("docker", "up", "--local");
        assertThat(result.output()).contains("Waiting until they are healthy: done");
        assertThat(result.exitCode()).isEqualTo(0);
        assertThat(calls()).containsExactly("build local-coordinator", "up -d --no-build");
    }

    @Test
    void testContainerThatStopped()
            throws IOException, InterruptedException
    {
        writeDocker(
                """
                namenode albis-namenode-1: Exited (1) 2 seconds ago
                local-coordinator albis-local-coordinator-1: Exited (143) 2 hours ago
                """);
        Result result = checkout.run("docker", "up");
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.output()).contains("albis-namenode-1: Exited (1)", "Log of albis-namenode-1", "Waiting until they are healthy: failed")
                .doesNotContain("local-coordinator");
    }

    @Test
    void testPortOfAnotherCheckout()
            throws IOException, InterruptedException
    {
        writeSettings("ALBIS_PORT=8080\n");
        writeDocker(HEALTHY, "albis-1234 albis-1234-coordinator-1");
        for (List<String> command : ImmutableList.of(ImmutableList.of("docker", "up"), ImmutableList.of("docker", "up", "--local"))) {
            assertThat(checkout.run(command.toArray(String[]::new))).as(command.toString()).isEqualTo(new Result(
                    1,
                    """
                    The container albis-1234-coordinator-1 uses port 8080.
                    Stop it, or use another port: add a line such as ALBIS_PORT=8081 to docker/.env.
                    """));
        }
        assertThat(exists(directory.resolve("calls"))).isFalse();
    }

    @Test
    void testPortOfThisCheckout()
            throws IOException, InterruptedException
    {
        try (ServerSocket coordinator = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            writeSettings("ALBIS_DOCKER_PROJECT=mine\nALBIS_PORT=%s\n".formatted(coordinator.getLocalPort()));
            writeDocker(HEALTHY, "mine mine-coordinator-1");
            assertThat(checkout.run("docker", "up").exitCode()).isEqualTo(0);
        }
    }

    @Test
    void testPortOfAnotherProgram()
            throws IOException, InterruptedException
    {
        try (ServerSocket program = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            writeSettings("ALBIS_PORT=%s\n".formatted(program.getLocalPort()));
            assertThat(checkout.run("docker", "up")).isEqualTo(new Result(
                    1,
                    """
                    Another program uses port %s.
                    Stop it, or use another port: add a line such as ALBIS_PORT=%s to docker/.env.
                    """.formatted(program.getLocalPort(), program.getLocalPort() + 1)));
        }
    }

    /**
     * Docker Compose without bin/albis uses the same containers, because the file has the name of the project.
     */
    @Test
    void testNameOfProject()
            throws IOException, InterruptedException
    {
        assertThat(readAllLines(checkout.resolve("docker/compose.yaml"))).containsOnlyOnce("name: ${ALBIS_DOCKER_PROJECT:-albis}");
        assertThat(checkout.run("docker", "compose", "images").output())
                .contains("-f %s --project-directory %s -p albis-".formatted(checkout.resolve("docker/compose.yaml"), checkout.resolve("docker")));
    }

    /**
     * Docker Compose 1 does not know the name in the file.
     */
    @Test
    void testOldDockerCompose()
            throws IOException, InterruptedException
    {
        composeVersion = "1.29.2";
        writeDocker(HEALTHY);
        Path copy = checkout.resolve(".albis/compose.yaml");
        assertThat(checkout.run("docker", "compose", "images").output())
                .contains("-f %s --project-directory %s -p albis-".formatted(copy, checkout.resolve("docker")));
        List<String> lines = new ArrayList<>(readAllLines(checkout.resolve("docker/compose.yaml")));
        lines.removeIf(line -> line.startsWith("name:"));
        assertThat(readAllLines(copy)).isEqualTo(lines);
    }

    /**
     * A failed step of the images ends the command. The next command begins again.
     */
    @Test
    void testUnpackingThatFails()
            throws IOException, InterruptedException
    {
        checkout.writeJdkCommand("jar", "echo 'The zip is damaged'; exit 1");
        Path built = checkout.resolve("docker/trino/target/.albis-built");
        Result up = checkout.run("docker", "up");
        Result test = checkout.run("test", "--all");
        for (Result result : new Result[] {up, test}) {
            assertThat(result.exitCode()).isEqualTo(1);
            assertThat(result.output()).contains("The zip is damaged", "Unpacking the plugin: failed.");
        }
        assertThat(test.output()).contains("The tests of containers did not run: their images could not be built.");
        assertThat(exists(built)).isFalse();

        checkout.writeJdkCommand("jar", "mkdir -p albis-trino-1 && touch albis-trino-1/albis.jar");
        assertThat(checkout.run("docker", "build").output()).contains("Unpacking the plugin: done", "Building the images: done");
        assertThat(exists(built)).isTrue();
    }

    private void writeDocker(String containers)
            throws IOException
    {
        writeDocker(containers, "");
    }

    /**
     * Writes a Docker that has these containers, including stopped ones.
     *
     * @param publishing the project and the name of the container that publishes each port, or nothing
     */
    private void writeDocker(String containers, String publishing)
            throws IOException
    {
        checkout.writeCommand("docker",
                """
                case $* in
                    'version '* | 'compose version' | 'ps -q '*) ;;
                    'compose version --short') echo '%s' ;;
                    'ps -a '*) echo '%s' ;;
                    'ps --filter publish='*) echo '%s' ;;
                    'logs '*) echo "Log of ${!#}" ;;
                    *' images') echo "$*" ;;
                    'compose '*) echo "$*" | sed 's/.* -p [^ ]* //' >>'%s' ;;
                    *) exit 1 ;;
                esac
                """.formatted(composeVersion, containers.strip(), publishing, directory.resolve("calls")));
    }

    private List<String> settings()
            throws IOException, InterruptedException
    {
        return checkout.run("docker", "settings").output().lines().toList();
    }

    private List<String> calls()
            throws IOException
    {
        return readAllLines(directory.resolve("calls"));
    }

    private void writeSettings(String text)
            throws IOException
    {
        writeString(checkout.resolve("docker/.env"), text);
    }

    private Path data(String node)
    {
        return checkout.resolve(".albis/docker").resolve(node);
    }
}
