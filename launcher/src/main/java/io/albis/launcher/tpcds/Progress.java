package io.albis.launcher.tpcds;

import java.io.Console;
import java.io.PrintStream;

import static java.util.Objects.requireNonNull;

/**
 * Reports progress: on a terminal as a single line that is updated in place, otherwise as one line per step.
 */
public final class Progress
{
    private static final String CLEAR_LINE = "\r\u001b[K";

    private final PrintStream output;
    private final boolean terminal;
    private String step = "";

    public Progress(PrintStream output, boolean terminal)
    {
        this.output = requireNonNull(output, "output is null");
        this.terminal = terminal;
    }

    public static Progress console()
    {
        Console console = System.console();
        return new Progress(System.out, console != null && console.isTerminal());
    }

    public void start(int number, int total, String name)
    {
        step = "[%d/%d] %s".formatted(number, total, name);
        if (terminal) {
            output.print(CLEAR_LINE + step + " ...");
            output.flush();
        }
    }

    public void finish(String result)
    {
        String line = step + ": " + result;
        if (terminal) {
            output.print(CLEAR_LINE + line);
            output.flush();
        }
        else {
            output.println(line);
        }
    }

    public void done(String message)
    {
        clear();
        output.println(message);
    }

    public void clear()
    {
        if (terminal) {
            output.print(CLEAR_LINE);
            output.flush();
        }
    }
}
