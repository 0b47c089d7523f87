package io.albis.s3;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import static com.google.common.base.Preconditions.checkState;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/**
 * An S3 server in a process of its own, behind a {@link S3Gate}, with a bucket in a temporary folder. It runs s3proxy
 * from the folder {@code s3-fixture}, because its jars conflict with Trino's. It ends when this process ends.
 */
public final class S3TestServer
        implements AutoCloseable
{
    public static final String BUCKET = "bucket";

    private static final long LIMIT_SECONDS = 120;

    private final Path folder;
    private final S3Gate gate;
    private Process process;

    private S3TestServer(Path folder)
            throws Exception
    {
        this.folder = requireNonNull(folder, "folder is null");
        this.gate = new S3Gate(startProcess());
    }

    public static S3TestServer start()
            throws Exception
    {
        Path folder = Files.createTempDirectory("albis-s3");
        Files.createDirectories(folder.resolve("data").resolve(BUCKET));
        return new S3TestServer(folder);
    }

    public synchronized boolean isRunning()
    {
        return process.isAlive();
    }

    /**
     * Kills the process. Requests fail until it is restarted.
     */
    public synchronized void kill()
    {
        process.destroyForcibly().onExit().join();
    }

    /**
     * Kills the process if it is running, and starts another one with the same objects.
     */
    public synchronized void restart()
            throws Exception
    {
        kill();
        gate.forwardTo(startProcess());
    }

    /**
     * @return the port of the server
     */
    private int startProcess()
            throws Exception
    {
        Path log = folder.resolve("log");
        List<String> command = ImmutableList.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                classPath(),
                "io.albis.s3.S3Server",
                folder.resolve("data").toString());
        process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectError(log.toFile())
                .start();
        try {
            BufferedReader output = process.inputReader(UTF_8);
            String line = CompletableFuture.supplyAsync(() -> output.lines().findFirst().orElse("nothing"), Thread::startVirtualThread)
                    .get(LIMIT_SECONDS, TimeUnit.SECONDS);
            checkState(line.startsWith("ready "), "The S3 server said %s. Its log:\n%s", line, Files.readString(log));
            return Integer.parseInt(line.substring("ready ".length()));
        }
        catch (Exception e) {
            process.destroyForcibly();
            throw e;
        }
    }

    private static String classPath()
            throws IOException
    {
        Path target = Path.of(System.getProperty("albis.s3-fixture", "s3-fixture/target")).toAbsolutePath();
        Path jar = target.resolve("albis-s3-fixture.jar");
        checkState(Files.exists(jar), "%s is missing: bin/albis test builds it, and so does mvn package in the folder s3-fixture", jar);
        try (Stream<Path> libraries = Files.list(target.resolve("lib"))) {
            return Stream.concat(Stream.of(jar), libraries)
                    .map(Path::toString)
                    .collect(joining(System.getProperty("path.separator")));
        }
    }

    /**
     * Returns the proxy that all requests go through.
     */
    public S3Gate gate()
    {
        return gate;
    }

    /**
     * Returns the properties of a catalog whose warehouse is on this server.
     *
     * @param warehouse the folder of the warehouse in the bucket
     */
    public Map<String, String> catalogProperties(String warehouse)
    {
        return ImmutableMap.<String, String>builder()
                .put("albis.warehouse", "s3://%s/%s".formatted(BUCKET, warehouse))
                .putAll(clientProperties())
                .buildOrThrow();
    }

    /**
     * @param attempts the number of attempts that Trino's client makes before it reports a failure
     */
    public S3FileSystems fileSystems(int attempts)
    {
        return new S3FileSystems(ImmutableMap.<String, String>builder()
                .putAll(clientProperties())
                .put("s3.max-error-retries", String.valueOf(attempts))
                .buildOrThrow());
    }

    private Map<String, String> clientProperties()
    {
        return ImmutableMap.<String, String>builder()
                .put("fs.s3.enabled", "true")
                .put("s3.endpoint", gate.uri())
                .put("s3.region", "us-east-1")
                .put("s3.path-style-access", "true")
                .put("s3.aws-access-key", "key")
                .put("s3.aws-secret-key", "secret")
                .buildOrThrow();
    }

    @Override
    public void close()
            throws Exception
    {
        gate.close();
        kill();
        MoreFiles.deleteRecursively(folder, RecursiveDeleteOption.ALLOW_INSECURE);
    }
}
