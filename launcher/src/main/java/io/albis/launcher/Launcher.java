package io.albis.launcher;

import io.albis.launcher.importing.TableReference;
import io.albis.launcher.server.Installation;
import io.albis.launcher.server.LauncherException;
import io.albis.launcher.tpcds.QueryList;
import io.albis.launcher.tpcds.Scale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.IOException;

import static com.google.common.base.Throwables.getCausalChain;

/**
 * The commands of bin/albis that need a server. The script prints their help and dispatches them.
 */
@Command(name = "bin/albis", subcommands = {AddressCommand.class, AwaitCommand.class, DemoCommand.class, ImportCommand.class, ServerCommand.class, SizingCommand.class, TpcdsCommand.class})
public final class Launcher
        implements Runnable
{
    @Spec
    private CommandSpec spec;

    static void main(String[] arguments)
    {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine()
    {
        return new CommandLine(new Launcher())
                .registerConverter(Scale.class, text -> convert(() -> Scale.parse(text)))
                .registerConverter(QueryList.class, text -> convert(() -> QueryList.parse(text)))
                .registerConverter(TableReference.class, text -> convert(() -> TableReference.parse(text)))
                .setExecutionExceptionHandler((exception, commandLine, _) -> {
                    int exitCode = commandLine.getCommandSpec().exitCodeOnExecutionException();
                    if (isShuttingDown()) {
                        // Ctrl-C: the command fails because the server is being stopped
                        return exitCode;
                    }
                    if (isFullDisk(exception)) {
                        commandLine.getErr().println("The disk of %s, or that of temporary files, is full: %s".formatted(Installation.current().home(), exception.getMessage()));
                        return exitCode;
                    }
                    if (!(exception instanceof LauncherException)) {
                        throw exception;
                    }
                    commandLine.getErr().println(exception.getMessage());
                    return exitCode;
                });
    }

    /**
     * Returns whether a file could not be written because its disk is full, as the operating system says it.
     */
    static boolean isFullDisk(Throwable failure)
    {
        return getCausalChain(failure).stream()
                .anyMatch(cause -> cause instanceof IOException && String.valueOf(cause.getMessage()).contains("No space left on device"));
    }

    private static boolean isShuttingDown()
    {
        Thread hook = new Thread();
        try {
            Runtime.getRuntime().addShutdownHook(hook);
            Runtime.getRuntime().removeShutdownHook(hook);
            return false;
        }
        catch (IllegalStateException _) {
            return true;
        }
    }

    @Override
    public void run()
    {
        throw new ParameterException(spec.commandLine(), "No command was given");
    }

    private static <T> T convert(Conversion<T> conversion)
    {
        try {
            return conversion.convert();
        }
        catch (IllegalArgumentException e) {
            throw new CommandLine.TypeConversionException(e.getMessage());
        }
    }

    private interface Conversion<T>
    {
        T convert();
    }
}
