package io.albis.launcher.server;

import com.google.common.collect.ImmutableList;

import java.io.IOException;
import java.nio.file.Path;

import static com.google.common.base.Preconditions.checkState;
import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * Starts and interrupts commands as a terminal does. It needs perl.
 */
public final class TestingTerminal
{
    /**
     * The exit code of a command that Ctrl-C has ended.
     */
    public static final int INTERRUPTED = 130;

    private static final long LIMIT_MILLIS = 60_000;

    private TestingTerminal() {}

    /**
     * Starts a command in a group of processes of its own, which do not ignore the signal. It gets no input.
     */
    public static Process start(ProcessBuilder command)
            throws IOException
    {
        command.command(ImmutableList.<String>builder()
                .add("perl", "-e", "setpgrp(0, 0); $SIG{INT} = 'DEFAULT'; exec @ARGV")
                .addAll(command.command())
                .build());
        Process process = command.start();
        process.getOutputStream().close();
        return process;
    }

    /**
     * Sends the signal of Ctrl-C to all processes of a command that this class has started.
     */
    public static void interrupt(Process process)
            throws IOException, InterruptedException
    {
        TestingCommand.of("bash", "-c", "kill -INT -" + process.pid()).run().checkSucceeded();
    }

    /**
     * Waits until no command line of a process names a folder or a file in it.
     */
    public static void awaitNoProcess(Path folder)
            throws IOException, InterruptedException
    {
        String path = folder.toRealPath().toString();
        for (long waited = 0; ; waited += 50) {
            ImmutableList<String> running = ProcessHandle.allProcesses()
                    .flatMap(process -> process.info().commandLine().stream())
                    .filter(command -> command.contains(path))
                    .collect(toImmutableList());
            if (running.isEmpty()) {
                return;
            }
            checkState(waited < LIMIT_MILLIS, "Still running: %s", running);
            Thread.sleep(50);
        }
    }
}
