package io.albis.launcher.server;

import java.io.IOException;
import java.nio.file.Path;

import static java.nio.file.Files.copy;
import static java.nio.file.Files.createDirectories;
import static java.nio.file.Files.createSymbolicLink;
import static java.nio.file.Files.writeString;

/**
 * An image with the user, the folders, and the commands of Trino's official image, which is not on Maven Central.
 */
final class TestingTrinoImage
{
    private TestingTrinoImage() {}

    /**
     * Builds the image.
     *
     * @param context an empty folder for the files of the image
     */
    static void build(Path context, String name)
            throws IOException, InterruptedException
    {
        createDirectories(context);
        Installation installation = Installation.current();
        createSymbolicLink(context.resolve("server"), installation.server());
        writeString(context.resolve("config.properties"), "coordinator=true\nnode-scheduler.include-coordinator=true\nhttp-server.http.port=8080\ndiscovery.uri=http://localhost:8080\ncatalog.config-dir=/etc/trino/catalog\n");
        writeString(context.resolve("node.properties"), "node.environment=docker\nnode.id=one\nnode.data-dir=/data/trino\nplugin.dir=/usr/lib/trino/plugin\n");
        writeString(context.resolve("log.properties"), "io.trino=INFO\n");
        copy(installation.configuration().resolve("jvm.config"), context.resolve("jvm.config"));
        writeString(
                context.resolve("launcher"),
                """
                #!/usr/bin/env bash
                [ "$1 $2" = 'run --etc-dir' ] || exit 2
                mapfile -t options < <(grep -Ev '^[[:space:]]*(#|$)' "$3/jvm.config")
                mapfile -t node < <(sed -n 's/^[^#]*=.*/-D&/p' "$3/node.properties")
                exec java "${options[@]}" -XX:TieredStopAtLevel=1 "${node[@]}" -Dlog.levels-file="$3/log.properties" -Dconfig="$3/config.properties" \\
                    -cp '/usr/lib/trino/lib/*' io.albis.launcher.server.TrinoServer
                """);
        writeString(context.resolve("run-trino"), "#!/usr/bin/env bash\nexec /usr/lib/trino/bin/launcher run --etc-dir /etc/trino\n");
        writeString(
                context.resolve("Dockerfile"),
                """
                FROM %s
                USER root
                RUN echo 'trino:x:1999:1999::/home/trino:/bin/bash' >>/etc/passwd && echo 'trino:x:1999:' >>/etc/group
                COPY server/lib /usr/lib/trino/lib
                COPY server/launcher/albis-launcher.jar /usr/lib/trino/lib/
                COPY server/plugin/tpcds /usr/lib/trino/plugin/tpcds
                COPY server/plugin/tpch /usr/lib/trino/plugin/tpch
                COPY config.properties jvm.config log.properties node.properties /etc/trino/
                COPY launcher run-trino /usr/lib/trino/bin/
                RUN mkdir -p /etc/trino/catalog /data/trino && chown -R trino:trino /data /etc/trino /usr/lib/trino/plugin && chmod -R a+rX /usr/lib/trino && chmod a+x /usr/lib/trino/bin/*
                USER trino:trino
                CMD ["/usr/lib/trino/bin/run-trino"]
                """.formatted(System.getenv().getOrDefault("ALBIS_TRINO_BASE_IMAGE", "eclipse-temurin:25-jre")));
        // Docker does not follow symbolic links
        TestingCommand.of("bash", "-euo", "pipefail", "-c", "tar -ch . | docker build -q -t %s -".formatted(name)).in(context).run().checkSucceeded();
    }
}
