package io.albis.trino.history;

import com.google.common.base.Splitter;
import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.history.Outcome.Kind;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

import static com.google.common.base.Preconditions.checkState;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.nio.file.Files.createDirectories;

/**
 * The class path of server processes. An archive has the classes that a server needs in the form that the JVM maps into
 * memory, because servers that are killed spend most of the time with loading classes.
 */
final class ServerClasses
{
    private static final String SCHEMA = "archive";
    private static final List<String> STATEMENTS = List.of(
            "CREATE SCHEMA archive",
            "CREATE OR REPLACE TABLE a AS SELECT * FROM (VALUES (BIGINT '1', BIGINT '1')) t (id, amount)",
            "INSERT INTO a VALUES (2, 2), (3, 3)",
            "DELETE FROM a WHERE id = 2",
            "UPDATE a SET amount = amount + 1 WHERE id BETWEEN 1 AND 3",
            "MERGE INTO a USING (VALUES BIGINT '4') s (id) ON a.id = s.id WHEN NOT MATCHED THEN INSERT VALUES (s.id, 4)",
            "SELECT count(*), sum(amount) FROM a",
            "SELECT * FROM \"a$properties\"");

    private final String classPath;
    private final List<String> options;

    private ServerClasses(String classPath, List<String> options)
    {
        this.classPath = classPath;
        this.options = List.copyOf(options);
    }

    /**
     * Returns the classes of this process, without an archive.
     */
    static ServerClasses own()
    {
        return new ServerClasses(ownClassPath(), List.of());
    }

    private static String ownClassPath()
    {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    /**
     * Starts a server, whose classes become the archive.
     */
    static ServerClasses create(Path folder)
            throws Exception
    {
        createDirectories(folder);
        Path archive = folder.resolve("classes.jsa");
        List<String> jars = new ArrayList<>();
        for (String element : Splitter.on(File.pathSeparator).omitEmptyStrings().split(ownClassPath())) {
            // An archive needs jars
            jars.add(Files.isDirectory(Path.of(element)) ? pack(Path.of(element), folder.resolve("%s.jar".formatted(jars.size()))).toString() : element);
        }
        String classPath = String.join(File.pathSeparator, jars);
        try (ServerProcess server = new ServerProcess("archive", folder, AlbisQueryRunner.catalogProperties(folder.resolve("data")), new ServerClasses(classPath, List.of("-XX:ArchiveClassesAtExit=" + archive)))) {
            server.start();
            URI uri = server.uri().orElseThrow();
            for (String statement : STATEMENTS) {
                Outcome outcome = HistoryClient.execute(uri, SCHEMA, statement, 0);
                checkState(outcome.kind() == Kind.DONE, "%s: %s", statement, outcome);
            }
            server.stop();
        }
        checkState(Files.exists(archive), "The server has not written %s", archive);
        return new ServerClasses(classPath, List.of("-XX:SharedArchiveFile=" + archive));
    }

    String classPath()
    {
        return classPath;
    }

    /**
     * Returns options of the JVM.
     */
    List<String> options()
    {
        return options;
    }

    private static Path pack(Path folder, Path jar)
            throws IOException
    {
        List<Path> files;
        try (Stream<Path> paths = Files.walk(folder)) {
            files = paths.filter(Files::isRegularFile).collect(toImmutableList());
        }
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
            for (Path file : files) {
                zip.putNextEntry(new ZipEntry(folder.relativize(file).toString().replace(File.separatorChar, '/')));
                Files.copy(file, zip);
                zip.closeEntry();
            }
        }
        return jar;
    }
}
