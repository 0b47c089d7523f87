package io.albis.benchmarks.report;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.measure.Figures;
import io.albis.benchmarks.measure.Measurement;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.stream.Collectors.joining;

/**
 * Writes and reads each measurement, including those of the warm-up rounds, as a line of comma-separated values.
 */
public final class RawFigures
{
    private static final Pattern CELL = Pattern.compile("(?:\"((?:[^\"]++|\"\")*+)\"|([^,\"]*)),");

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

    /**
     * Reads what {@link #render} has written.
     *
     * @throws IllegalArgumentException if the text is something else, or if it has other figures
     */
    public static List<Measurement> parse(String text)
    {
        List<String> lines = text.lines().collect(toImmutableList());
        checkArgument(!lines.isEmpty() && cells(lines.getFirst()).equals(header()), "the raw figures have other columns");
        return lines.stream()
                .skip(1)
                .map(line -> measurement(cells(line)))
                .collect(toImmutableList());
    }

    private static Measurement measurement(List<String> cells)
    {
        checkArgument(cells.size() == header().size(), "not a line of raw figures: %s", cells);
        String task = cells.get(0);
        String catalog = cells.get(1);
        int round = Integer.parseInt(cells.get(2));
        ImmutableMap.Builder<Figure, Long> builder = ImmutableMap.builder();
        for (Figure figure : Figure.values()) {
            String value = cells.get(3 + figure.ordinal());
            if (!value.isEmpty()) {
                builder.put(figure, Long.parseLong(value));
            }
        }
        Map<Figure, Long> figures = builder.buildOrThrow();
        return figures.isEmpty() ? Measurement.failure(task, catalog, round, cells.getLast()) : Measurement.success(task, catalog, round, new Figures(figures));
    }

    private static List<String> cells(String line)
    {
        ImmutableList.Builder<String> cells = ImmutableList.builder();
        // With a comma after every cell
        Matcher matcher = CELL.matcher(line + ",");
        int end = 0;
        while (matcher.find()) {
            checkArgument(matcher.start() == end, "not a line of raw figures: %s", line);
            cells.add(matcher.group(1) == null ? matcher.group(2) : matcher.group(1).replace("\"\"", "\""));
            end = matcher.end();
        }
        checkArgument(end == line.length() + 1, "not a line of raw figures: %s", line);
        return cells.build();
    }

    private static String quote(String text)
    {
        return '"' + text.replace("\"", "\"\"").replaceAll("\\R", " ") + '"';
    }
}
