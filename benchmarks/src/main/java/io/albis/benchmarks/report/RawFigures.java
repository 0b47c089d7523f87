package io.albis.benchmarks.report;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.measure.Measurement;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.stream.Collectors.joining;

/**
 * Writes each measurement, including those of the warm-up rounds, as a line of comma-separated values.
 */
public final class RawFigures
{
    private RawFigures() {}

    public static String render(List<Measurement> measurements)
    {
        return Stream.concat(Stream.of(header()), measurements.stream().map(RawFigures::row))
                .map(cells -> String.join(",", cells) + "\n")
                .collect(joining());
    }

    private static List<String> header()
    {
        return ImmutableList.<String>builder()
                .add("task", "catalog", "round")
                .addAll(Arrays.stream(Figure.values())
                        .map(Figure::columnName)
                        .collect(toImmutableList()))
                .add("failure")
                .build();
    }

    private static List<String> row(Measurement measurement)
    {
        ImmutableList.Builder<String> cells = ImmutableList.<String>builder()
                .add(quote(measurement.task()), measurement.catalog(), Integer.toString(measurement.round()));
        for (Figure figure : Figure.values()) {
            cells.add(measurement.figures()
                    .filter(figures -> figures.has(figure))
                    .map(figures -> Long.toString(figures.get(figure)))
                    .orElse(""));
        }
        cells.add(measurement.failure().map(RawFigures::quote).orElse(""));
        return cells.build();
    }

    private static String quote(String text)
    {
        return '"' + text.replace("\"", "\"\"").replaceAll("\\R", " ") + '"';
    }
}
