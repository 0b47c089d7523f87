package io.albis.launcher;

import com.google.common.collect.ImmutableList;
import io.albis.launcher.TestingCheckout.Result;
import io.albis.launcher.server.RequiredCommand;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

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
import static java.nio.file.Files.setPosixFilePermissions;
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
        createFile(createDirectories(data("namenode").resolve("current")).resolve("fsimage_0000000000000000000"));
        createDirectories(data("datanode2").resolve("current/BP-1"));
        assertThat(checkout.run("docker", "up").exitCode()).isEqualTo(0);
        assertThat(calls()).containsExactly("build namenode coordinator", "up -d --no-build");
    }

    @Test
    void testEmptyNameNodeBesideDataIsNotFormatted()
            throws IOException, InterruptedException
    {
        createDirectories(data("datanode2").resolve("current/BP-1"));
        Result result = checkout.run("docker", "up");
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.output()).contains("A DataNode has data (%s), but the NameNode has none (%s).".formatted(data("datanode2"), data("namenode")));
        assertThat(calls()).containsExactly("build namenode coordinator");
    }

    /**
     * Tests what formatting leaves if the disk is full before the image is complete.
     */
    @Test
    void testFormattingThatDidNotEnd()
            throws IOException, InterruptedException
    {
        Path current = createDirectories(data("namenode").resolve("current"));
        createFile(current.resolve("VERSION"));
        createFile(current.resolve("fsimage.ckpt_0000000000000000000"));
        createFile(current.resolve("fsimage_0000000000000000000.md5"));
        assertThat(checkout.run("docker", "up").exitCode()).isEqualTo(0);
        assertThat(calls()).contains("run --rm --no-deps namenode format");
    }

    /**
     * Docker Compose without bin/albis would create the folders as root.
     */
    @Test
    void testBuildCreatesFolders()
            throws IOException, InterruptedException
    {
        assertThat(checkout.run("docker", "build").exitCode()).isEqualTo(0);
        for (String node : new String[] {"namenode", "datanode1", "datanode2", "datanode3", "local"}) {
            assertThat(getPosixFilePermissions(data(node))).as(node).isEqualTo(fromString("rwx------"));
        }
    }

    /**
     * Tests folders that belong to ALBIS_USER_ID, another user, who alone can look into them.
     */
    @RequiredCommand(value = "setpriv --reuid=65534 --clear-groups true", reason = "only root can become another user")
    @Test
    void testFoldersOfAnotherUser()
            throws IOException, InterruptedException
    {
        for (String node : new String[] {"namenode", "datanode1", "datanode2", "datanode3"}) {
            createDirectories(data(node));
        }
        docker(HEALTHY).withData("datanode2").write(checkout);
        bash("chown -R 65534 '%1$s' && chown -R 12345 '%2$s' && chmod 700 '%2$s'/*".formatted(directory, data("")));

        Result empty = runAsOtherUser();
        assertThat(empty.output()).contains("A DataNode has data (%s), but the NameNode has none (%s).".formatted(data("datanode2"), data("namenode")));
        assertThat(empty.exitCode()).isEqualTo(1);
        assertThat(calls()).doesNotContain("run --rm --no-deps namenode format").endsWith("run --rm --no-deps -T datanode2 has-data");

        docker(HEALTHY).withData("namenode datanode2").write(checkout);
        delete(directory.resolve("calls"));
        Result formatted = runAsOtherUser();
        assertThat(formatted.output()).contains("Waiting until they are healthy: done");
        assertThat(formatted.exitCode()).isEqualTo(0);
        assertThat(calls()).doesNotContain("run --rm --no-deps namenode format").endsWith("up -d --no-build");
    }

    /**
     * A container that cannot look into the folder either says nothing.
     */
    @RequiredCommand(value = "setpriv --reuid=65534 --clear-groups true", reason = "only root can become another user")
    @Test
    void testFolderThatNobodyCanLookInto()
            throws IOException, InterruptedException
    {
        createDirectories(data("namenode"));
        bash("chown -R 65534 '%1$s' && chown 12345 '%2$s' && chmod 700 '%2$s'".formatted(directory, data("namenode")));
        docker(HEALTHY).withData("unknown").write(checkout);
        Result result = runAsOtherUser();
        assertThat(result.output()).contains("Neither you nor the container of namenode can look into %s. It must belong to the user 12345.".formatted(data("namenode")));
        assertThat(result.exitCode()).isEqualTo(1);
    }

    private Result runAsOtherUser()
            throws IOException, InterruptedException
    {
        setPosixFilePermissions(directory, fromString("rwxr-xr-x"));
        ProcessBuilder command = checkout.command("docker", "up");
        command.command(ImmutableList.<String>builder().add("setpriv", "--reuid=65534", "--clear-groups").addAll(command.command()).build());
        command.environment().put("HOME", directory.toString());
        command.environment().put("ALBIS_USER_ID", "12345");
        command.environment().remove("SUDO_UID");
        return TestingCheckout.run(command);
    }

    private static void bash(String command)
            throws IOException, InterruptedException
    {
        Result result = TestingCheckout.run(new ProcessBuilder("bash", "-c", command).redirectErrorStream(true));
        assertThat(result.exitCode()).as(result.output()).isEqualTo(0);
    }

    /**
     * A container that formats HDFS remains if its command was killed.
     */
    @Test
    void testContainerOfSingleCommandThatStayedBehind()
            throws IOException, InterruptedException
    {
        docker(HEALTHY).withSingleCommand("namenode albis-namenode-run-1: Exited (137) 2 minutes ago").write(checkout);
        Result result = checkout.run("docker", "up");
        assertThat(result.output()).contains("Waiting until they are healthy: done");
        assertThat(result.exitCode()).isEqualTo(0);
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
        docker(containers).write(checkout);
    }

    private TestingDocker docker(String containers)
    {
        return new TestingDocker(composeVersion, containers, "", directory.resolve("calls"));
    }

    private void writeDocker(String containers, String publishing)
            throws IOException
    {
        new TestingDocker(composeVersion, containers, publishing, directory.resolve("calls")).write(checkout);
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
