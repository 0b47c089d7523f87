package io.albis.benchmarks.report;

import picocli.CommandLine.Model.CommandSpec;

import java.nio.file.Path;

import static java.util.stream.Collectors.joining;

/**
 * Describes the command line that produced a report.
 */
public final class CommandLines
{
    private CommandLines() {}

    /**
     * Returns the command line without the directories, which are of no use to others.
     */
    public static String describe(CommandSpec spec, Path data, Path output)
    {
        return spec.commandLine().getParseResult().originalArgs().stream()
                .map(argument -> argument.equals(data.toString()) ? "DIR" : argument)
                .map(argument -> argument.equals(output.toString()) ? "FILE.md" : argument)
                .collect(joining(" "));
    }
}
