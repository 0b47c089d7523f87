package io.albis.benchmarks.server;

import com.google.common.collect.ImmutableList;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static com.google.common.base.Preconditions.checkState;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.SECONDS;
import static java.util.stream.Collectors.joining;

/**
 * A server in a separate process with the Java, the options, and the class path of this process. It ends when it is
 * closed or when this process exits, whichever happens first.
 */
final class ServerProcess
        implements AutoCloseable
{
    static final String COORDINATOR = "coordinator";
    static final String WORKER = "worker";

    private static final List<String> OWN_OPTIONS = ImmutableList.of("-Xm", "-XX:MaxRAM", "-XX:InitialRAM", "-XX:MinRAM", "-javaagent", "-agentlib");
    private static final int STOP_LIMIT_SECONDS = 20;
    private static final int LOG_LINES = 40;

    private final ServerFolder folder;
    private final Process process;
    private final BufferedReader output;
    private final Writer input;

    private ServerProcess(ServerFolder folder, Process process)
    {
        this.folder = requireNonNull(folder, "folder is null");
        this.process = requireNonNull(process, "process is null");
        this.output = process.inputReader(UTF_8);
        this.input = process.outputWriter(UTF_8);
    }

    /**
     * Starts a server without waiting for it.
     *
     * @param role {@link #COORDINATOR} or {@link #WORKER}
     */
    public static ServerProcess launch(ServerFolder folder, String role, long heapBytes)
            throws IOException
    {
        RuntimeMXBean runtime = ManagementFactory.getRuntimeMXBean();
        Process process = new ProcessBuilder(ImmutableList.<String>builder()
                .add(Path.of(System.getProperty("java.home"), "bin", "java").toString())
                .addAll(runtime.getInputArguments().stream()
                        .filter(argument -> OWN_OPTIONS.stream().noneMatch(argument::startsWith))
                        .collect(toImmutableList()))
                .add("-Xmx" + heapBytes)
                .add("-Dconfig=" + folder.configuration())
                .add("-cp", ClassPath.absolute(), ServerMain.class.getName(), role)
                .build())
                .directory(folder.path().toFile())
                .redirectError(folder.log().toFile())
                .start();
        return new ServerProcess(folder, process);
    }

    public void awaitReady()
    {
        String line = readLine();
        checkState(line.equals(ServerMain.READY), "the server said '%s'", line);
    }

    /**
     * Asks the process.
     *
     * @return its answer, which is one line
     * @throws IllegalStateException if it has ended or cannot answer
     */
    public synchronized String ask(String question)
    {
        try {
            input.append(question).append('\n').flush();
        }
        catch (IOException e) {
            throw ended(e);
        }
        String answer = readLine();
        checkState(!answer.startsWith(ServerMain.FAILED), "'%s' gave: %s", question, answer);
        return answer;
    }

    private String readLine()
    {
        try {
            String line = output.readLine();
            if (line == null) {
                throw ended(null);
            }
            return line;
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private IllegalStateException ended(IOException cause)
    {
        return new IllegalStateException("A server has ended. The end of its log, %s:\n%s".formatted(folder.log(), endOfLog()), cause);
    }

    private String endOfLog()
    {
        try {
            List<String> lines = new String(Files.readAllBytes(folder.log()), UTF_8).lines().collect(toImmutableList());
            return lines.stream()
                    .skip(Math.max(0, lines.size() - LOG_LINES))
                    .collect(joining("\n"));
        }
        catch (IOException e) {
            return e.toString();
        }
    }

    @Override
    public void close()
    {
        try {
            // The process exits at the end of its input
            input.close();
        }
        catch (IOException _) {
            // It has already ended
        }
        try {
            if (!process.waitFor(STOP_LIMIT_SECONDS, SECONDS)) {
                process.destroyForcibly().waitFor();
            }
            folder.deletePlugins();
        }
        catch (InterruptedException _) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
