package io.albis.benchmarks.report;

import picocli.CommandLine.Model.CommandSpec;

import java.nio.file.Path;

import static java.util.stream.Collectors.joining;

/**
 * Describes the command line that produced a report.
 */
public final class CommandLines
{
    /**
     * The option that continues an earlier run.
     */
    public static final String RESUME = "--resume";

    private CommandLines() {}

    /**
     * Returns the command line without the directories, which are of no use to others, and without the option that
     * continues an earlier run, which has no effect on what is measured.
     */
    public static String describe(CommandSpec spec, Path data, Path output)
    {
        return spec.commandLine().getParseResult().originalArgs().stream()
                .filter(argument -> !argument.equals(RESUME))
                .map(argument -> argument.equals(data.toString()) ? "DIR" : argument)
                .map(argument -> argument.equals(output.toString()) ? "FILE.md" : argument)
                .collect(joining(" "));
    }
}
