package io.albis.launcher.server;

import com.google.common.collect.ImmutableMap;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static com.google.common.base.Preconditions.checkState;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.Files.createDirectories;
import static java.nio.file.Files.isDirectory;
import static java.nio.file.Files.writeString;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.MILLISECONDS;

/**
 * A NameNode and a DataNode in one process of the module hdfs-fixture. The tests of the plugin run each of them in a
 * separate process. Here, the Trino servers are the separate processes.
 */
final class TestingHdfs
        implements AutoCloseable
{
    private static final Duration LIMIT = Duration.ofMinutes(10);
    private static final Pattern ADDRESS = Pattern.compile("ready .*\\bfs\\.defaultFS=(?<address>\\S+).*");

    private final Process process;
    private final String address;

    private TestingHdfs(Process process, String address)
    {
        this.process = requireNonNull(process, "process is null");
        this.address = requireNonNull(address, "address is null");
    }

    static TestingHdfs start(Path folder)
            throws Exception
    {
        createDirectories(folder);
        Path properties = folder.resolve("hadoop.properties");
        writeString(properties, new PropertiesText("").with(ImmutableMap.<String, String>builder()
                .put("fs.defaultFS", "hdfs://127.0.0.1:0")
                .put("dfs.namenode.rpc-bind-host", "127.0.0.1")
                .put("dfs.namenode.http-address", "127.0.0.1:0")
                .put("dfs.datanode.address", "127.0.0.1:0")
                .put("dfs.datanode.http.address", "127.0.0.1:0")
                .put("dfs.datanode.ipc.address", "127.0.0.1:0")
                .put("dfs.datanode.hostname", "127.0.0.1")
                .put("dfs.namenode.datanode.registration.ip-hostname-check", "false")
                .put("dfs.namenode.safemode.extension", "0")
                .put("dfs.replication", "1")
                .put("hadoop.tmp.dir", folder.resolve("temporary").toString())
                .put("dfs.namenode.name.dir", folder.resolve("names").toString())
                .put("dfs.datanode.data.dir", folder.resolve("blocks").toString())
                .buildOrThrow()).text());
        Process process = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Djava.net.preferIPv4Stack=true",
                "-Djava.io.tmpdir=" + folder,
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classPath(),
                "io.albis.hdfs.HdfsDaemon",
                "both",
                properties.toString())
                .redirectError(folder.resolve("log").toFile())
                .start();
        try {
            BufferedReader output = process.inputReader(UTF_8);
            Matcher ready = ADDRESS.matcher(read(output));
            checkState(ready.matches(), "HDFS did not start; its log is in %s", folder);
            TestingHdfs hdfs = new TestingHdfs(process, ready.group("address"));
            hdfs.awaitDataNode(output);
            return hdfs;
        }
        catch (Exception e) {
            process.destroyForcibly().waitFor();
            throw e;
        }
    }

    private void awaitDataNode(BufferedReader output)
            throws Exception
    {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        String state = "";
        while (!(state.contains("live=1") && state.contains("safemode=false"))) {
            checkState(System.nanoTime() < deadline, "HDFS is not ready: %s", state);
            Thread.sleep(20);
            // The process answers each line with its state
            process.outputWriter(UTF_8).append('\n').flush();
            state = read(output);
        }
    }

    private static String read(BufferedReader output)
            throws Exception
    {
        return CompletableFuture.supplyAsync(() -> {
            try {
                String line = output.readLine();
                return line == null ? "" : line;
            }
            catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }, Thread::startVirtualThread).get(LIMIT.toMillis(), MILLISECONDS);
    }

    private static String classPath()
    {
        Path target = Installation.current().repository().resolve("hdfs-fixture/target");
        Path libraries = target.resolve("lib");
        checkState(isDirectory(libraries), "There is no HDFS fixture in %s. It is built by: mvn -f hdfs-fixture/pom.xml package", target);
        return target.resolve("classes") + File.pathSeparator + libraries.resolve("*");
    }

    String address()
    {
        return address;
    }

    /**
     * Writes a script with the name of Hadoop's own, which is not on Maven Central. It knows {@code hdfs dfs} and
     * {@code hdfs dfsadmin}.
     */
    void writeCommand(Path folder)
            throws IOException
    {
        Path script = createDirectories(folder).resolve("hdfs");
        writeString(folder.resolve("core-site.xml"), "<configuration><property><name>fs.defaultFS</name><value>%s</value></property></configuration>".formatted(address));
        writeString(
                script,
                """
                #!/usr/bin/env bash
                case $1 in
                    dfs) class=org.apache.hadoop.fs.FsShell ;;
                    dfsadmin) class=org.apache.hadoop.hdfs.tools.DFSAdmin ;;
                    *) exit 2 ;;
                esac
                shift
                exec '%s' -Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED -cp '%s:%s' $class "$@"
                """.formatted(Path.of(System.getProperty("java.home"), "bin", "java"), folder, classPath()));
        checkState(script.toFile().setExecutable(true), "%s cannot be made executable", script);
    }

    /**
     * Returns the properties of a catalog with a warehouse on this file system.
     */
    Map<String, String> catalog()
    {
        return ImmutableMap.of(
                "connector.name", "albis",
                "albis.warehouse", address + "/warehouse",
                "fs.hadoop.enabled", "true");
    }

    @Override
    public void close()
            throws InterruptedException
    {
        process.destroyForcibly().waitFor();
    }
}
