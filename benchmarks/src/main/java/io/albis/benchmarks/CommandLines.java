package io.albis.benchmarks;

import picocli.CommandLine.Model.CommandSpec;

import java.nio.file.Path;

import static java.util.stream.Collectors.joining;

/**
 * What a report says of how it came to be.
 */
public final class CommandLines
{
    private CommandLines() {}

    /**
     * Without the folders, which say nothing to others.
     */
    public static String describe(CommandSpec spec, Path data, Path output)
    {
        return spec.commandLine().getParseResult().originalArgs().stream()
                .map(argument -> argument.equals(data.toString()) ? "DIR" : argument)
                .map(argument -> argument.equals(output.toString()) ? "FILE.md" : argument)
                .collect(joining(" "));
    }
}
