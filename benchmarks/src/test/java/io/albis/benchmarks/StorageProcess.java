package io.albis.benchmarks;

import com.google.common.collect.ImmutableList;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static com.google.common.base.Preconditions.checkState;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.MINUTES;

/**
 * HDFS or a server that is compatible with S3, in a process of one of the fixtures, which ends when this process ends.
 */
final class StorageProcess
        implements AutoCloseable
{
    // The build runs the tests in the directory benchmarks/
    private static final Path REPOSITORY = Files.exists(Path.of("docs")) ? Path.of("") : Path.of("..");

    private static final long LIMIT_MINUTES = 5;

    private final Process process;
    private final BufferedReader output;
    private final String address;

    private StorageProcess(Process process, BufferedReader output, String address)
    {
        this.process = requireNonNull(process, "process is null");
        this.output = requireNonNull(output, "output is null");
        this.address = requireNonNull(address, "address is null");
    }

    /**
     * Starts a server with the bucket {@code bucket}.
     */
    public static StorageProcess startS3(Path folder)
            throws IOException, InterruptedException
    {
        Files.createDirectories(folder.resolve("bucket"));
        Path target = REPOSITORY.resolve("s3-fixture/target").toAbsolutePath();
        List<String> arguments = ImmutableList.of(classPath(target, target.resolve("albis-s3-fixture.jar")), "io.albis.s3.S3Server", folder.toString());
        return start(folder, arguments, Pattern.compile("ready (?<address>\\d+)"), "http://127.0.0.1:");
    }

    /**
     * Starts a NameNode and a DataNode with the documented properties, on any ports.
     */
    public static StorageProcess startHdfs(Path folder)
            throws IOException, InterruptedException
    {
        Files.createDirectories(folder);
        Path properties = folder.resolve("hadoop.properties");
        String documented = Files.readString(REPOSITORY.resolve("hdfs-fixture/one-process.properties"));
        Files.writeString(properties, documented
                .replace("hdfs://127.0.0.1:8020", "hdfs://127.0.0.1:0")
                .replace("${user.dir}", folder.toString()));
        Path target = REPOSITORY.resolve("hdfs-fixture/target").toAbsolutePath();
        List<String> arguments = ImmutableList.of(classPath(target, target.resolve("classes")), "io.albis.hdfs.HdfsDaemon", "both", properties.toString());
        StorageProcess hdfs = start(folder, arguments, Pattern.compile("ready .*\\bfs\\.defaultFS=(?<address>\\S+).*"), "");
        hdfs.awaitDataNode();
        return hdfs;
    }

    /**
     * Waits until files can be written. The process answers each line with its state.
     */
    private void awaitDataNode()
            throws IOException, InterruptedException
    {
        long deadline = System.nanoTime() + MINUTES.toNanos(LIMIT_MINUTES);
        String state = "";
        while (!(state.contains("live=1") && state.contains("safemode=false"))) {
            if (System.nanoTime() > deadline || !process.isAlive()) {
                close();
                throw new IllegalStateException("HDFS is not ready: " + state);
            }
            Thread.sleep(20);
            process.outputWriter(UTF_8).append('\n').flush();
            state = readLine(output);
        }
    }

    private static String classPath(Path target, Path classes)
    {
        checkState(Files.exists(classes) && Files.isDirectory(target.resolve("lib")), "%s is incomplete: bin/albis test builds it, and so does mvn -f build/pom.xml package", target);
        return classes + File.pathSeparator + target.resolve("lib").resolve("*");
    }

    private static StorageProcess start(Path folder, List<String> arguments, Pattern ready, String prefix)
            throws IOException, InterruptedException
    {
        Process process = new ProcessBuilder(ImmutableList.<String>builder()
                .add(Path.of(System.getProperty("java.home"), "bin", "java").toString())
                .add("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Djava.net.preferIPv4Stack=true", "-Djava.io.tmpdir=" + folder, "-cp")
                .addAll(arguments)
                .build())
                .redirectError(folder.resolve("log").toFile())
                .start();
        try {
            BufferedReader output = process.inputReader(UTF_8);
            String line = CompletableFuture.supplyAsync(() -> readLine(output), Thread::startVirtualThread).get(LIMIT_MINUTES, MINUTES);
            Matcher matcher = ready.matcher(line);
            checkState(matcher.matches(), "the process said '%s'; its log is: %s", line, Files.readString(folder.resolve("log")));
            return new StorageProcess(process, output, prefix + matcher.group("address"));
        }
        catch (ExecutionException | TimeoutException e) {
            process.destroyForcibly();
            throw new IllegalStateException(e);
        }
        catch (IllegalStateException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    private static String readLine(BufferedReader output)
    {
        try {
            return String.valueOf(output.readLine());
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String address()
    {
        return address;
    }

    @Override
    public void close()
    {
        process.destroyForcibly().onExit().join();
    }
}
