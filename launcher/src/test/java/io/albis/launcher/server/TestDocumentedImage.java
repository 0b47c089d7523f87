package io.albis.launcher.server;

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

import static java.nio.file.Files.copy;
import static java.nio.file.Files.createDirectories;
import static java.nio.file.Files.createSymbolicLink;
import static java.nio.file.Files.writeString;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Builds, copies, and runs the image of docs/installation.md. Its base is not Trino's official image, which is not on
 * Maven Central, but an image with the same user and folders.
 */
@Tag("container")
@ExtendWith(DockerCondition.class)
@Timeout(900)
final class TestDocumentedImage
{
    private static final String PAGE = "docs/installation.md";
    private static final String DOCUMENTED_BASE = "trinodb/trino:483";
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
            buildBase(base);

            Path zip = PluginZip.DEFAULT.file();
            copy(zip, home.resolve(zip.getFileName()));
            writeString(home.resolve("Dockerfile"), DocumentedBlocks.text(PAGE, "image: trino", "dockerfile").replace(DOCUMENTED_BASE, base));
            run("commands: build", DOCUMENTED_VERSION, zip.getFileName().toString().replace("albis-trino-", "").replace(".zip", ""), DOCUMENTED_IMAGE, name);

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
     * Builds an image with the user and the folders of Trino's official one.
     */
    private void buildBase(String name)
            throws IOException, InterruptedException
    {
        Path context = createDirectories(home.resolve("base"));
        Installation installation = Installation.current();
        createSymbolicLink(context.resolve("server"), installation.server());
        writeString(context.resolve("config.properties"), "coordinator=true\nnode-scheduler.include-coordinator=true\nhttp-server.http.port=8080\ndiscovery.uri=http://localhost:8080\ncatalog.config-dir=/etc/trino/catalog\n");
        writeString(
                context.resolve("run-trino"),
                """
                #!/usr/bin/env bash
                mapfile -t options < <(grep -Ev '^[[:space:]]*(#|$)' /etc/trino/jvm.config)
                exec java "${options[@]}" -XX:TieredStopAtLevel=1 -Dnode.environment=docker -Dnode.id=one -Dnode.data-dir=/data/trino -Dplugin.dir=/usr/lib/trino/plugin \\
                    -Dconfig=/etc/trino/config.properties -cp '/usr/lib/trino/lib/*' io.albis.launcher.server.TrinoServer
                """);
        copy(installation.configuration().resolve("jvm.config"), context.resolve("jvm.config"));
        writeString(
                context.resolve("Dockerfile"),
                """
                FROM %s
                USER root
                RUN echo 'trino:x:1999:1999::/home/trino:/bin/bash' >>/etc/passwd && echo 'trino:x:1999:' >>/etc/group
                COPY server/lib /usr/lib/trino/lib
                COPY server/launcher/albis-launcher.jar /usr/lib/trino/lib/
                COPY config.properties jvm.config /etc/trino/
                COPY run-trino /usr/lib/trino/bin/
                RUN mkdir -p /usr/lib/trino/plugin /etc/trino/catalog /data/trino && chown -R trino:trino /data /etc/trino /usr/lib/trino/plugin && chmod -R a+rX /usr/lib/trino && chmod a+x /usr/lib/trino/bin/run-trino
                USER trino:trino
                CMD ["/usr/lib/trino/bin/run-trino"]
                """.formatted(System.getenv().getOrDefault("ALBIS_TRINO_BASE_IMAGE", "eclipse-temurin:25-jre")));
        // Docker does not follow symbolic links
        bash("tar -C base -ch . | docker build -q -t %s -".formatted(name));
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
        TestingCommand.of("bash", "-euo", "pipefail", "-c", command).in(home).run().checkSucceeded();
    }
}
