package io.albis.launcher.server;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.nio.file.Files.copy;
import static java.nio.file.Files.createDirectories;
import static java.nio.file.Files.isDirectory;
import static java.nio.file.Files.walk;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.util.Objects.requireNonNull;

/**
 * A dbt project with its own schema on a server.
 */
record TestingDbt(TestingPython python, Path project, URI server, String schema)
{
    private static final Path RESOURCES = Installation.current().repository().resolve("launcher/src/test/resources/dbt");
    static final Path REQUIREMENTS = RESOURCES.resolve("requirements.txt");

    TestingDbt
    {
        requireNonNull(python, "python is null");
        requireNonNull(project, "project is null");
        requireNonNull(server, "server is null");
        requireNonNull(schema, "schema is null");
    }

    /**
     * Copies the project of the tests.
     */
    static TestingDbt create(TestingPython python, Path project, URI server, String schema)
            throws IOException
    {
        copyFolder(RESOURCES.resolve("project"), project);
        return new TestingDbt(python, project, server, schema);
    }

    /**
     * Replaces files of the project with those of a folder of the test resources.
     */
    void change(String folder)
            throws IOException
    {
        copyFolder(RESOURCES.resolve(folder), project);
    }

    TestingCommand.Result run(String... arguments)
            throws IOException, InterruptedException
    {
        return new TestingCommand(
                ImmutableList.<String>builder()
                        .add(python.command("dbt").toString())
                        .add("--no-use-colors")
                        .add(arguments)
                        .build(),
                project,
                environment())
                .run();
    }

    private Map<String, String> environment()
    {
        return ImmutableMap.<String, String>builder()
                .put("ALBIS_DBT_PORT", Integer.toString(server.getPort()))
                .put("ALBIS_DBT_SCHEMA", schema)
                .put("DBT_PROFILES_DIR", project.toString())
                // Python would otherwise connect to the server through the proxy of the machine
                .put("NO_PROXY", "127.0.0.1")
                .put("no_proxy", "127.0.0.1")
                .put("PYTHONUTF8", "1")
                .buildOrThrow();
    }

    private static void copyFolder(Path source, Path target)
            throws IOException
    {
        try (Stream<Path> files = walk(source)) {
            for (Path file : files.collect(toImmutableList())) {
                Path copied = target.resolve(source.relativize(file).toString());
                if (isDirectory(file)) {
                    createDirectories(copied);
                }
                else {
                    copy(file, copied, REPLACE_EXISTING);
                }
            }
        }
    }
}
