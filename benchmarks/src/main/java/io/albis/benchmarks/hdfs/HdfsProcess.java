package io.albis.benchmarks.hdfs;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;

import static com.google.common.base.Preconditions.checkState;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

/**
 * A NameNode or a DataNode in a separate process, which exits when this process exits.
 */
final class HdfsProcess
        implements AutoCloseable
{
    private static final String MAIN_CLASS = "io.albis.hdfs.HdfsDaemon";
    private static final String READY = "ready";
    private static final String STATE = "state";

    private final Path log;
    private final Process process;
    private final BufferedReader output;
    private final Writer input;

    private HdfsProcess(Path log, Process process)
    {
        this.log = requireNonNull(log, "log is null");
        this.process = requireNonNull(process, "process is null");
        this.output = process.inputReader(UTF_8);
        this.input = process.outputWriter(UTF_8);
    }

    /**
     * Starts a process without waiting for it.
     *
     * @param role {@code namenode} or {@code datanode}
     * @param folder folder for its configuration and its log
     */
    public static HdfsProcess launch(String role, Path folder, String classPath, Map<String, String> configuration)
            throws IOException
    {
        Path file = Files.createDirectories(folder).resolve("hadoop.properties");
        Properties properties = new Properties();
        properties.putAll(configuration);
        try (Writer writer = Files.newBufferedWriter(file)) {
            properties.store(writer, null);
        }
        Path log = folder.resolve("log");
        Process process = new ProcessBuilder(ImmutableList.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-Djava.net.preferIPv4Stack=true",
                "-cp",
                classPath,
                MAIN_CLASS,
                role,
                file.toString()))
                .redirectError(log.toFile())
                .start();
        return new HdfsProcess(log, process);
    }

    /**
     * Waits until the process serves clients.
     *
     * @return its addresses as Hadoop properties
     */
    public Map<String, String> awaitReady()
    {
        return read(READY);
    }

    public Map<String, String> state()
    {
        try {
            input.append('\n').flush();
        }
        catch (IOException e) {
            throw new UncheckedIOException("HDFS has ended, see " + log, e);
        }
        return read(STATE);
    }

    private Map<String, String> read(String word)
    {
        try {
            String line = output.readLine();
            checkState(line != null && line.startsWith(word + " "), "HDFS said '%s'. Its log is %s", line, log);
            return Splitter.on(' ').withKeyValueSeparator('=').split(line.substring(word.length() + 1));
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close()
    {
        process.destroyForcibly().onExit().join();
    }
}
