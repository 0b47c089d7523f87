package io.albis.launcher.server;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import static com.google.common.base.Preconditions.checkState;
import static java.nio.file.Files.createDirectories;
import static java.nio.file.Files.createTempFile;
import static java.nio.file.Files.delete;
import static java.nio.file.Files.readString;
import static java.nio.file.Files.writeString;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.MINUTES;

/**
 * A command of the operating system, which gets no input.
 *
 * @param environment variables in addition to those of this process
 */
record TestingCommand(List<String> arguments, Path directory, Map<String, String> environment)
{
    private static final long LIMIT_MINUTES = 20;

    TestingCommand
    {
        arguments = ImmutableList.copyOf(arguments);
        requireNonNull(directory, "directory is null");
        environment = ImmutableMap.copyOf(environment);
    }

    static TestingCommand of(String... arguments)
    {
        return new TestingCommand(ImmutableList.copyOf(arguments), Path.of("."), ImmutableMap.of());
    }

    TestingCommand in(Path directory)
    {
        return new TestingCommand(arguments, directory, environment);
    }

    TestingCommand with(String variable, String value)
    {
        return new TestingCommand(arguments, directory, ImmutableMap.<String, String>builder().putAll(environment).put(variable, value).buildKeepingLast());
    }

    /**
     * Returns this command with a PATH on which a command that it runs fails for some arguments.
     *
     * @param folder gets the script that replaces the command
     * @param arguments a pattern of bash
     */
    TestingCommand withFailing(String command, String arguments, Path folder)
            throws IOException
    {
        Path script = createDirectories(folder).resolve(command);
        writeString(
                script,
                """
                #!/bin/bash
                case "$*" in
                    %s) exit 11 ;;
                esac
                PATH=${PATH#*:} exec %s "$@"
                """.formatted(arguments, command));
        checkState(script.toFile().setExecutable(true), "%s cannot be made executable", script);
        return with("PATH", folder + ":" + System.getenv("PATH"));
    }

    /**
     * Runs the command until it ends.
     *
     * @throws IOException if the command does not exist
     */
    Result run()
            throws IOException, InterruptedException
    {
        Path output = createTempFile("command", ".txt");
        try {
            ProcessBuilder builder = new ProcessBuilder(arguments)
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            builder.environment().putAll(environment);
            Process process = builder.start();
            process.getOutputStream().close();
            if (!process.waitFor(LIMIT_MINUTES, MINUTES)) {
                process.destroyForcibly().waitFor();
                throw new IllegalStateException("%s takes longer than %s minutes: %s".formatted(this, LIMIT_MINUTES, readString(output)));
            }
            return new Result(this, process.exitValue(), readString(output));
        }
        finally {
            delete(output);
        }
    }

    @Override
    public String toString()
    {
        return String.join(" ", arguments);
    }

    record Result(TestingCommand command, int exitCode, String output)
    {
        Result
        {
            requireNonNull(command, "command is null");
            requireNonNull(output, "output is null");
        }

        Result checkSucceeded()
        {
            checkState(exitCode == 0, "%s ends with exit code %s: %s", command, exitCode, output);
            return this;
        }

        Result checkFailed()
        {
            checkState(exitCode == 1, "%s ends with exit code %s: %s", command, exitCode, output);
            return this;
        }
    }
}
