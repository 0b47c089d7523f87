package io.albis.launcher.server;

import com.google.common.collect.ImmutableList;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.Files.createDirectories;
import static java.nio.file.Files.newInputStream;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

/**
 * A Trino server in a separate process. The process ends when this object is closed or when the launcher exits,
 * whichever happens first.
 */
public final class LocalServer
        implements AutoCloseable
{
    private static final Duration START_LIMIT = Duration.ofMinutes(5);
    private static final int STOP_LIMIT_SECONDS = 20;

    private final Installation installation;
    private final ServerLock lock;
    private final Process process;
    private final RunningServer running;
    private final InterruptTasks interruptTasks = new InterruptTasks();
    private final Thread shutdownHook;
    private boolean stopped;

    private LocalServer(Installation installation, ServerLock lock, Process process, RunningServer running)
    {
        this.installation = requireNonNull(installation, "installation is null");
        this.lock = requireNonNull(lock, "lock is null");
        this.process = requireNonNull(process, "process is null");
        this.running = requireNonNull(running, "running is null");
        this.shutdownHook = new Thread(this::interrupt, "stop-server");
        Runtime.getRuntime().addShutdownHook(shutdownHook);
    }

    /**
     * Starts a server and waits until it is ready. Returns an empty result if another server is already running on this
     * data.
     */
    public static Optional<LocalServer> start(Installation installation, boolean foreground)
            throws IOException, InterruptedException
    {
        Optional<ServerLock> lock = ServerLock.tryAcquire(installation);
        if (lock.isEmpty()) {
            return Optional.empty();
        }
        LocalServer server;
        try {
            // The file may be left over from a launcher that was killed
            RunningServer.delete(installation);
            server = launch(installation, lock.orElseThrow(), foreground);
        }
        catch (IOException | RuntimeException e) {
            lock.orElseThrow().close();
            throw e;
        }
        try {
            server.awaitReady();
            server.running.write(installation);
        }
        catch (IOException | InterruptedException | RuntimeException e) {
            server.close();
            throw e;
        }
        return Optional.of(server);
    }

    private static LocalServer launch(Installation installation, ServerLock lock, boolean foreground)
            throws IOException
    {
        createDirectories(installation.data());
        createDirectories(installation.runtime());
        PluginDirectory.write(installation);
        int port = ServerPort.choose(installation);
        ServerConfiguration configuration = ServerConfiguration.write(installation, port);
        Process process = new ProcessBuilder(command(installation, configuration))
                .directory(installation.runtime().toFile())
                .redirectErrorStream(true)
                .redirectOutput(log(installation).toFile())
                .start();
        return new LocalServer(installation, lock, process, new RunningServer(URI.create("http://127.0.0.1:" + port), process.pid(), foreground));
    }

    private static List<String> command(Installation installation, ServerConfiguration configuration)
    {
        ImmutableList.Builder<String> command = ImmutableList.builder();
        // Ctrl-C on a terminal reaches all processes. The server ignores it and waits for the launcher to stop it.
        command.add("/bin/sh", "-c", "trap '' INT; exec \"$@\"", "sh");
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(configuration.jvmOptions());
        configuration.nodeProperties().forEach((name, value) -> command.add("-D" + name + "=" + value));
        command.add("-Dconfig=" + configuration.directory().resolve("config.properties"));
        command.add("-Dlog.levels-file=" + configuration.directory().resolve("log.properties"));
        command.add("-D" + TrinoServer.LAUNCHER_PID_PROPERTY + "=" + ProcessHandle.current().pid());
        command.add("-cp", installation.server().resolve("lib/*") + File.pathSeparator + installation.server().resolve("launcher/albis-launcher.jar"));
        command.add(TrinoServer.class.getName());
        return command.build();
    }

    private void awaitReady()
            throws IOException, InterruptedException
    {
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        try (ServerProbe probe = new ServerProbe(running.uri())) {
            while (process.isAlive()) {
                if (probe.isReady()) {
                    return;
                }
                if (System.nanoTime() > deadline) {
                    throw new LauncherException("Trino did not start within %s minutes. Its log: %s".formatted(START_LIMIT.toMinutes(), log()));
                }
                process.waitFor(100, MILLISECONDS);
            }
        }
        throw new LauncherException("Trino did not start. The end of its log, %s:\n%s".formatted(log(), endOfLog()));
    }

    private String endOfLog()
            throws IOException
    {
        // A strict decoder could fail, because a log may be truncated in the middle of a character
        try (InputStream input = newInputStream(log())) {
            return LogExcerpt.of(new String(input.readAllBytes(), UTF_8));
        }
    }

    public RunningServer running()
    {
        return running;
    }

    public Path log()
    {
        return log(installation);
    }

    private static Path log(Installation installation)
    {
        return installation.runtime().resolve("server.log");
    }

    /**
     * Waits until the server exits. A server exits on its own only if it fails.
     */
    public int await()
            throws InterruptedException
    {
        return process.waitFor();
    }

    @Override
    public void close()
    {
        stop();
        try {
            Runtime.getRuntime().removeShutdownHook(shutdownHook);
        }
        catch (IllegalStateException _) {
            // The launcher is already shutting down
        }
    }

    /**
     * Returns what is done before the server stops if the launcher is interrupted.
     */
    public InterruptTasks interruptTasks()
    {
        return interruptTasks;
    }

    private void interrupt()
    {
        try {
            interruptTasks.run();
        }
        finally {
            System.out.println();
            System.out.println("Stopping the server ...");
            stop();
        }
    }

    private synchronized void stop()
    {
        if (stopped) {
            // The lock and its files may already belong to another server
            return;
        }
        stopped = true;
        try {
            RunningServer.delete(installation);
            process.destroy();
            if (!process.waitFor(STOP_LIMIT_SECONDS, SECONDS)) {
                process.destroyForcibly().waitFor();
            }
            lock.close();
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        catch (InterruptedException _) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
