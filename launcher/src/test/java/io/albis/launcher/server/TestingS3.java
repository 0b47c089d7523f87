package io.albis.launcher.server;

import com.google.common.collect.ImmutableMap;

import java.io.BufferedReader;
import java.io.File;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static com.google.common.base.Preconditions.checkState;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.Files.createDirectories;
import static java.nio.file.Files.isDirectory;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.MINUTES;

/**
 * An S3 server in a process of the module s3-fixture.
 */
final class TestingS3
        implements AutoCloseable
{
    private static final long LIMIT_MINUTES = 10;
    private static final String BUCKET = "bucket";
    private static final Pattern READY = Pattern.compile("ready (?<port>\\d+)");

    private final Process process;
    private final String port;

    private TestingS3(Process process, String port)
    {
        this.process = requireNonNull(process, "process is null");
        this.port = requireNonNull(port, "port is null");
    }

    static TestingS3 start(Path folder)
            throws Exception
    {
        Path objects = folder.resolve("objects");
        createDirectories(objects.resolve(BUCKET));
        Process process = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath(),
                "io.albis.s3.S3Server",
                objects.toString())
                .redirectError(folder.resolve("log").toFile())
                .start();
        try {
            BufferedReader output = process.inputReader(UTF_8);
            String line = CompletableFuture.supplyAsync(() -> output.lines().findFirst().orElse(""), Thread::startVirtualThread)
                    .get(LIMIT_MINUTES, MINUTES);
            Matcher ready = READY.matcher(line);
            checkState(ready.matches(), "The S3 server did not start; its log is in %s", folder);
            return new TestingS3(process, ready.group("port"));
        }
        catch (Exception e) {
            process.destroyForcibly().waitFor();
            throw e;
        }
    }

    /**
     * Returns the class path of the command in docs/sizing.md, which the tests start with less memory.
     */
    private static String classPath()
    {
        Path target = Installation.current().repository().resolve("s3-fixture/target");
        Path libraries = target.resolve("lib");
        checkState(isDirectory(libraries), "There is no S3 fixture in %s. It is built by: mvn -f s3-fixture/pom.xml package", target);
        return target.resolve("albis-s3-fixture.jar") + File.pathSeparator + libraries.resolve("*");
    }

    /**
     * Returns the properties of a catalog with a warehouse on this server.
     */
    Map<String, String> catalog()
    {
        return ImmutableMap.<String, String>builder()
                .put("connector.name", "albis")
                .put("albis.warehouse", "s3://%s/warehouse".formatted(BUCKET))
                .put("fs.s3.enabled", "true")
                .put("s3.endpoint", "http://127.0.0.1:" + port)
                .put("s3.region", "us-east-1")
                .put("s3.path-style-access", "true")
                .put("s3.aws-access-key", "key")
                .put("s3.aws-secret-key", "secret")
                .buildOrThrow();
    }

    /**
     * Returns the variables with which the command line of AWS uses this server, and no settings of this machine.
     */
    Map<String, String> environment()
    {
        return ImmutableMap.<String, String>builder()
                .put("AWS_ENDPOINT_URL", "http://127.0.0.1:" + port)
                .put("AWS_DEFAULT_REGION", "us-east-1")
                .put("AWS_ACCESS_KEY_ID", "key")
                .put("AWS_SECRET_ACCESS_KEY", "secret")
                .put("AWS_CONFIG_FILE", "/dev/null")
                .put("AWS_REQUEST_CHECKSUM_CALCULATION", "when_required")
                .put("AWS_RESPONSE_CHECKSUM_VALIDATION", "when_required")
                .buildOrThrow();
    }

    @Override
    public void close()
            throws InterruptedException
    {
        process.destroyForcibly().waitFor();
    }
}
