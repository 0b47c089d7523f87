package io.albis.benchmarks;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.util.OptionalInt;

import static java.util.Locale.ENGLISH;

@Command(name = "list", description = "Describes the benchmarks that run together, and how long each takes")
class ListCommand
        implements Runnable
{
    private static final String UNKNOWN = "?";

    @Spec
    private CommandSpec spec;

    @Override
    public void run()
    {
        PrintWriter output = spec.commandLine().getOut();
        output.println("Approximate minutes at scale sf1 with all rounds, on a machine with two cores. %s means that nobody has measured it.\n".formatted(UNKNOWN));
        int total = 0;
        int unknown = 0;
        for (Piece piece : Piece.values()) {
            OptionalInt minutes = piece.minutes();
            output.println(line(piece.toString(), minutes.isPresent() ? Integer.toString(minutes.getAsInt()) : UNKNOWN, description(piece.toString())));
            total += minutes.orElse(0);
            unknown += minutes.isPresent() ? 0 : 1;
        }
        output.println(line("together", Integer.toString(total), "and the time of the %s that nobody has measured".formatted(unknown)));
        output.println("\nThese do not run together with the others, because they need more than this checkout. docs/benchmarks.md has their commands.\n");
        Piece.ALONE.forEach((name, needs) -> output.println(line(name, "", "%s. It needs %s".formatted(description(name), needs))));
        output.flush();
    }

    private String description(String name)
    {
        return spec.parent().subcommands().get(name).getCommandSpec().usageMessage().description()[0];
    }

    private static String line(String name, String minutes, String text)
    {
        return String.format(ENGLISH, "%-12s %4s  %s", name, minutes, text);
    }
}
