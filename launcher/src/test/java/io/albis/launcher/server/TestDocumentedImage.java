package io.albis.launcher.server;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.launcher.docker.DockerCondition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import static java.nio.file.Files.copy;
import static java.nio.file.Files.createDirectories;
import static java.nio.file.Files.writeString;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Builds, copies, and runs the image of docs/installation.md, and that of docker/README.md with an image of Trino as
 * its base. The base is not Trino's official image, but one with the same user, folders, and commands.
 */
@Tag("container")
@ExtendWith(DockerCondition.class)
@Timeout(900)
final class TestDocumentedImage
{
    private static final String PAGE = "docs/installation.md";
    private static final String DOCUMENTED_IMAGE = "registry.example.com/albis-trino:483-1";
    private static final String DOCUMENTED_VERSION = "483-1-SNAPSHOT";

    @TempDir
    Path home;

    @Test
    void testImage()
            throws Exception
    {
        String name = "albis-documented-" + ProcessHandle.current().pid();
        String base = name + "-base";
        try {
            TestingTrinoImage.build(home.resolve("base"), base);

            Path zip = PluginZip.DEFAULT.file();
            copy(zip, home.resolve(zip.getFileName()));
            String dockerfile = DocumentedBlocks.text(PAGE, "image: trino", "dockerfile");
            assertThat(dockerfile).startsWith("ARG BASE_IMAGE=trinodb/trino:483\nFROM ${BASE_IMAGE}\n");
            writeString(home.resolve("Dockerfile"), dockerfile);
            // An earlier build leaves its folder behind
            writeString(createDirectories(home.resolve("albis")).resolve("earlier.jar"), "an earlier build");
            run("commands: build",
                    DOCUMENTED_VERSION,
                    zip.getFileName().toString().replace("albis-trino-", "").replace(".zip", ""),
                    "docker build",
                    "docker build --build-arg BASE_IMAGE=" + base,
                    DOCUMENTED_IMAGE,
                    name);
            String plugin = output("docker run --rm --entrypoint ls %s /usr/lib/trino/plugin/albis".formatted(name));
            assertThat(plugin).contains("CONTENTS\n").doesNotContain("earlier.jar", zip.getFileName().toString().replace(".zip", "\n"));

            String copies = "commands: copy";
            String[] commands = DocumentedBlocks.text(PAGE, copies, "bash").split("\n");
            assertThat(commands).hasSize(2);
            bash(commands[0].replace(DOCUMENTED_IMAGE, name));
            bash("docker rmi " + name);
            bash(commands[1]);

            writeString(home.resolve("albis.properties"), DocumentedBlocks.text(PAGE, "properties: image", "properties"));
            URI address = TestingNode.freeAddress();
            List<String> statements = DocumentedBlocks.statements("docs/operations.md", "statements: check");
            runServer(name, address);
            TestingClient client = new TestingClient(address);
            for (String statement : statements) {
                client.execute(statement);
            }
            bash("docker rm -f " + name);
            // The tables are on the volume
            runServer(name, address);
            assertThat(client.query(statements.getLast())).containsExactly("6");
        }
        finally {
            bash("docker rm -f -v %1$s >/dev/null 2>&1 || true; docker volume rm -f %1$s; docker rmi -f %1$s %2$s || true".formatted(name, base));
        }
    }

    /**
     * Tests that bin/albis docker adds the plugin to an image of Trino.
     */
    @Test
    void testBaseOfContainers()
            throws Exception
    {
        String name = "albis-documented-" + ProcessHandle.current().pid();
        // bin/albis recognizes an image of Trino by its name
        String base = "registry.example.com/trino:" + name;
        URI address = TestingNode.freeAddress();
        Map<String, String> environment = ImmutableMap.of(
                "ALBIS_TRINO_BASE_IMAGE", base,
                "ALBIS_DOCKER_PROJECT", name,
                "ALBIS_PORT", Integer.toString(address.getPort()),
                "ALBIS_HOME", home.toString(),
                "ALBIS_LOCAL_DATA", home.resolve("local").toString(),
                "ALBIS_LOCAL_WORKERS", "0");
        Path repository = Installation.current().repository();
        try {
            TestingTrinoImage.build(home.resolve("base"), base);
            new TestingCommand(ImmutableList.of("bin/albis", "docker", "up", "--local"), repository, environment).run().checkSucceeded();
            assertThat(repository.resolve("docker/trino/target/trino")).as("Trino is that of the base").isEmptyDirectory();
            TestingClient client = new TestingClient(address);
            List<String> statements = DocumentedBlocks.statements("docs/operations.md", "statements: check");
            for (String statement : statements) {
                client.execute(statement);
            }
            assertThat(client.query(statements.getLast())).containsExactly("6");
        }
        finally {
            new TestingCommand(ImmutableList.of("bin/albis", "docker", "down"), repository, environment).run().checkSucceeded();
            bash("docker rmi -f %s-trino %s || true".formatted(name, base));
        }
    }

    private void runServer(String name, URI address)
            throws IOException, InterruptedException
    {
        run("commands: run",
                "docker run",
                "docker run -d --name %s".formatted(name),
                "127.0.0.1:8080:",
                "127.0.0.1:%s:".formatted(address.getPort()),
                "-v albis:",
                "-v %s:".formatted(name),
                DOCUMENTED_IMAGE,
                name);
        try (ServerProbe probe = new ServerProbe(address)) {
            while (!probe.isReady()) {
                bash("docker inspect --format '{{.State.Running}}' %1$s | grep -q true || { docker logs --tail 30 %1$s; exit 1; }".formatted(name));
                Thread.sleep(500);
            }
        }
    }

    private void run(String marker, String... replacements)
            throws IOException, InterruptedException
    {
        DocumentedBlocks.commands(PAGE, marker, replacements).in(home).run().checkSucceeded();
    }

    private void bash(String command)
            throws IOException, InterruptedException
    {
        output(command);
    }

    private String output(String command)
            throws IOException, InterruptedException
    {
        return TestingCommand.of("bash", "-euo", "pipefail", "-c", command).in(home).run().checkSucceeded().output();
    }
}
