package io.albis.launcher;

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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static java.nio.file.Files.createDirectories;
import static java.nio.file.Files.delete;
import static java.nio.file.Files.readAllLines;
import static java.nio.file.Files.write;
import static java.nio.file.Files.writeString;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

/**
 * Tests the settings of bin/albis docker, which it takes from the environment, docker/.env, and defaults.
 */
@Timeout(value = 120, threadMode = SEPARATE_THREAD)
class TestDockerSettings
{
    @TempDir
    Path directory;

    private TestingCheckout checkout;

    @BeforeEach
    void createCheckout()
            throws IOException
    {
        checkout = TestingCheckout.create(directory);
        new TestingDocker("2.39.1", "", "", directory.resolve("calls")).write(checkout);
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
        assertThat(project(settings())).matches("ALBIS_DOCKER_PROJECT=albis-[0-9]+").isNotEqualTo(project);
    }

    private static String project(List<String> settings)
    {
        return settings.stream().filter(line -> line.startsWith("ALBIS_DOCKER_PROJECT=")).findFirst().orElseThrow();
    }

    /**
     * Docker Compose ignores the mark, too.
     */
    @Test
    void testByteOrderMark()
            throws IOException, InterruptedException
    {
        writeSettings("\uFEFFALBIS_PORT=8081\r\nALBIS_WORKERS=4\r\n");
        assertThat(settings()).contains("ALBIS_PORT=8081", "ALBIS_WORKERS=4");
    }

    @Test
    void testNumbers()
            throws IOException, InterruptedException
    {
        for (String name : new String[] {"ALBIS_PORT", "ALBIS_WORKERS", "ALBIS_USER_ID"}) {
            writeSettings(name + "=abc\n");
            assertRefused("%s must be a number, and is 'abc'.".formatted(name));
        }
    }

    /**
     * Without bin/albis, Docker Compose reads the printed settings from a file.
     */
    @ParameterizedTest
    @ValueSource(strings = {"a #1", "a $x", "it's"})
    void testFolderOfCheckoutThatDockerComposeCouldReadDifferently(String folder)
            throws IOException, InterruptedException
    {
        checkout = TestingCheckout.create(directory.resolve(folder));
        Result result = checkout.run("docker", "settings");
        assertThat(result.output()).contains("/%s/".formatted(folder), ": Docker Compose could read this value differently, because it contains a quote, $, \\, or #.\nSet ALBIS_DATANODE1_DATA to another value, or move the checkout.");
        assertThat(result.exitCode()).isEqualTo(1);
    }

    private List<String> settings()
            throws IOException, InterruptedException
    {
        return checkout.run("docker", "settings").output().lines().toList();
    }

    private void writeSettings(String text)
            throws IOException
    {
        writeString(checkout.resolve("docker/.env"), text);
    }
}
