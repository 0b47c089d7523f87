package io.albis.benchmarks.measure;

import com.google.common.collect.ImmutableList;

import java.io.PrintStream;
import java.util.List;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/**
 * Reports progress, one line at a time.
 */
public class Progress
{
    private static final List<Figure> SHOWN = ImmutableList.of(Figure.RESULT_ROWS, Figure.ELAPSED, Figure.CPU, Figure.OPERATION, Figure.FIRST_SPLIT, Figure.VALUE_RATE, Figure.NEW_FILES, Figure.RATE, Figure.MEDIAN_LATENCY, Figure.TAIL_LATENCY, Figure.CONFLICTS);

    private final PrintStream output;

    public Progress(PrintStream output)
    {
        this.output = requireNonNull(output, "output is null");
    }

    public void print(String message)
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
        print("%-8s %-32s %-22s %s".formatted(round, measurement.task(), measurement.catalog(), outcome));
    }

    private static String describe(Figures figures)
    {
        return SHOWN.stream()
                .filter(figures::has)
                .map(figure -> "%s %s %s".formatted(figure.title(), figure.unit().format(figures.get(figure)), figure.unit().symbol()).strip())
                .collect(joining(", "));
    }
}
