package io.albis.benchmarks;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;

import static java.util.Locale.ENGLISH;

@Command(name = "list", description = "Describes the benchmarks that run together, and how long each takes")
class ListCommand
        implements Runnable
{
    @Spec
    private CommandSpec spec;

    @Override
    public void run()
    {
        PrintWriter output = spec.commandLine().getOut();
        output.println("Approximate minutes at scale sf1 with all rounds, on a machine with two cores:\n");
        int total = 0;
        for (Piece piece : Piece.values()) {
            CommandSpec command = spec.parent().subcommands().get(piece.toString()).getCommandSpec();
            output.println(String.format(ENGLISH, "%-12s %4d  %s", piece, piece.minutes(), command.usageMessage().description()[0]));
            total += piece.minutes();
        }
        output.println(String.format(ENGLISH, "%-12s %4d", "together", total));
        output.flush();
    }
}
