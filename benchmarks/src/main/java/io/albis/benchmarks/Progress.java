package io.albis.benchmarks;

import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.measure.Figures;
import io.albis.benchmarks.measure.Measurement;

import java.io.PrintStream;

import static java.util.Objects.requireNonNull;

/**
 * Says what is going on, a line at a time.
 */
public class Progress
{
    private final PrintStream output;

    public Progress(PrintStream output)
    {
        this.output = requireNonNull(output, "output is null");
    }

    public void say(String message)
    {
        output.println(message);
        output.flush();
    }

    public void report(Measurement measurement, int runs)
    {
        String round = measurement.isWarmUp() ? "warm-up" : measurement.round() + "/" + runs;
        String outcome = measurement.figures()
                .map(Progress::describe)
                .orElseGet(() -> "FAILED: " + measurement.failure().orElseThrow());
        say("%-8s %-24s %-16s %s".formatted(round, measurement.task(), measurement.catalog(), outcome));
    }

    private static String describe(Figures figures)
    {
        return "%s rows, elapsed %s s, CPU %s s".formatted(
                figures.get(Figure.RESULT_ROWS),
                Figure.ELAPSED.unit().format(figures.get(Figure.ELAPSED)),
                Figure.CPU.unit().format(figures.get(Figure.CPU)));
    }
}
