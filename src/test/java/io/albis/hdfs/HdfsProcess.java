package io.albis.hdfs;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import jakarta.annotation.Nullable;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import static com.google.common.base.Preconditions.checkState;
import static com.google.common.util.concurrent.Uninterruptibles.sleepUninterruptibly;
import static java.lang.ProcessBuilder.Redirect.appendTo;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.MILLISECONDS;

/**
 * A NameNode or a DataNode in a process of its own, which can be killed, paused, and restarted with the same data and
 * addresses. It ends when this process ends.
 */
public final class HdfsProcess
        implements AutoCloseable
{
    private static final long LIMIT_SECONDS = 600;
    private static final int ATTEMPTS = 10;
    private static final long PAUSE_MILLIS = 3000;

    private final String role;
    private final Path folder;
    private final List<Path> classPath;
    private final Map<String, String> properties;

    @Nullable
    private Process process;
    private BufferedReader output;
    private Writer input;

    HdfsProcess(String role, Path folder, List<Path> classPath, Map<String, String> properties)
    {
        this.role = requireNonNull(role, "role is null");
        this.folder = requireNonNull(folder, "folder is null");
        this.classPath = ImmutableList.copyOf(classPath);
        this.properties = new TreeMap<>(properties);
    }

    /**
     * Sets a property that takes effect at the next start.
     */
    public synchronized void setProperty(String name, String value)
    {
        properties.put(name, value);
    }

    public synchronized String property(String name)
    {
        return requireNonNull(properties.get(name), () -> "%s has no property %s".formatted(folder, name));
    }

    public Path log()
    {
        return folder.resolve("log");
    }

    /**
     * @throws IllegalStateException with the end of the log if the process does not become ready
     */
    public synchronized void start()
    {
        checkState(!isRunning(), "%s is running", folder);
        // Another process may temporarily use the previous port
        for (int attempt = 1; ; attempt++) {
            try {
                launch();
                properties.putAll(read("ready"));
                return;
            }
            catch (IOException | IllegalStateException e) {
                kill();
                if (attempt == ATTEMPTS) {
                    throw new IllegalStateException("%s did not start: %s. Its log ends with:%n%s".formatted(folder, e.getMessage(), endOfLog()), e);
                }
                sleepUninterruptibly(PAUSE_MILLIS, MILLISECONDS);
            }
        }
    }

    private void launch()
            throws IOException
    {
        Files.createDirectories(folder);
        Path file = folder.resolve("hadoop.properties");
        Properties stored = new Properties();
        stored.putAll(properties);
        try (Writer writer = Files.newBufferedWriter(file)) {
            stored.store(writer, null);
        }
        ImmutableList.Builder<String> command = ImmutableList.builder();
        command.add(
                ProcessHandle.current().info().command().orElse("java"),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:+ExitOnOutOfMemoryError",
                "-Djava.net.preferIPv4Stack=true",
                // Jetty creates folders there, which a process that is killed does not delete
                "-Djava.io.tmpdir=" + folder,
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                String.join(System.getProperty("path.separator"), classPath.stream().map(Path::toString).toList()),
                "io.albis.hdfs.HdfsDaemon",
                role,
                file.toString());
        process = new ProcessBuilder(command.build())
                .directory(folder.toFile())
                .redirectError(appendTo(log().toFile()))
                .start();
        output = process.inputReader(UTF_8);
        input = process.outputWriter(UTF_8);
    }

    /**
     * Returns the state that the process reports.
     */
    public synchronized Map<String, String> state()
    {
        checkState(isRunning(), "%s is not running", folder);
        try {
            input.write("state\n");
            input.flush();
            return read("state");
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Map<String, String> read(String word)
            throws IOException
    {
        CompletableFuture<String> next = CompletableFuture.supplyAsync(() -> {
            try {
                return output.readLine();
            }
            catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }, Thread::startVirtualThread);
        String line;
        try {
            line = next.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        }
        catch (ExecutionException e) {
            throw new IOException(e.getCause());
        }
        catch (TimeoutException e) {
            throw new IllegalStateException("it said nothing for %s seconds".formatted(LIMIT_SECONDS), e);
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
        if (line == null) {
            throw new IllegalStateException("it ended");
        }
        List<String> words = Splitter.on(' ').omitEmptyStrings().splitToList(line);
        checkState(words.getFirst().equals(word), "it said %s", line);
        ImmutableMap.Builder<String, String> values = ImmutableMap.builder();
        for (String pair : words.subList(1, words.size())) {
            int equals = pair.indexOf('=');
            values.put(pair.substring(0, equals), pair.substring(equals + 1));
        }
        return values.buildOrThrow();
    }

    private String endOfLog()
    {
        try {
            List<String> lines = Files.readAllLines(log());
            return String.join("\n", lines.subList(Math.max(0, lines.size() - 40), lines.size()));
        }
        catch (IOException e) {
            return "nothing: " + e;
        }
    }

    public synchronized boolean isRunning()
    {
        return process != null && process.isAlive();
    }

    public synchronized long pid()
    {
        checkState(process != null, "%s is not running", folder);
        return process.pid();
    }

    /**
     * Kills the process as {@code kill -9} does: it cannot finish anything.
     */
    public synchronized void kill()
    {
        if (process == null) {
            return;
        }
        process.destroyForcibly();
        process.onExit().join();
        process = null;
    }

    public void restart()
    {
        kill();
        start();
    }

    @Override
    public void close()
    {
        kill();
    }
}
