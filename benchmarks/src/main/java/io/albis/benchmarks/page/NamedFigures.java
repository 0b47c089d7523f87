package io.albis.benchmarks.page;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableMap;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static java.util.Objects.requireNonNull;

/**
 * Single figures of a page, each with a name. A line of the file that defines them is
 * {@code NAME = REPORT; SECTION; ROW; COLUMN -> DECIMALS}, or with a second {@code ROW; COLUMN} of the same section
 * after a slash for the ratio of both. Without decimals, the figure is the cell as it is.
 */
record NamedFigures(ResultFolder results, Map<String, String> definitions)
{
    private static final Pattern DEFINITION = Pattern.compile("(?<report>[^;]+); (?<section>[^;]+); (?<row>[^;]+); (?<column>[^;]+?)(?: / (?<otherRow>[^;]+); (?<otherColumn>[^;]+?))?(?: -> (?<decimals>\\d))?");

    NamedFigures
    {
        requireNonNull(results, "results is null");
        definitions = ImmutableMap.copyOf(definitions);
    }

    /**
     * Parses definitions. Empty lines and those that start with # are ignored.
     */
    static NamedFigures parse(ResultFolder results, String text)
    {
        return new NamedFigures(results, text.lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(line -> {
                    List<String> sides = Splitter.on(" = ").limit(2).splitToList(line);
                    checkArgument(sides.size() == 2, "not a figure such as 'NAME = REPORT; SECTION; ROW; COLUMN': %s", line);
                    return sides;
                })
                .collect(toImmutableMap(List::getFirst, List::getLast)));
    }

    /**
     * Returns a figure as the page shows it.
     *
     * @throws IllegalArgumentException if the figure is not defined, or is not in its report
     */
    String get(String name)
    {
        String definition = definitions.get(name);
        checkArgument(definition != null, "there is no figure '%s'", name);
        Matcher matcher = DEFINITION.matcher(definition);
        checkArgument(matcher.matches(), "not the definition of a figure: %s", definition);
        String report = matcher.group("report");
        Cells cells = new Cells(report, results.report(report)
                .orElseThrow(() -> new IllegalArgumentException("there is no report '%s'".formatted(report)))
                .section(matcher.group("section")).table()
                .orElseThrow(() -> new IllegalArgumentException("%s has no table in section '%s'".formatted(report, matcher.group("section")))));
        String decimals = matcher.group("decimals");
        if (decimals == null) {
            checkArgument(matcher.group("otherRow") == null, "a ratio needs a number of decimals: %s", definition);
            return cells.get(matcher.group("row"), matcher.group("column"));
        }
        double number = cells.number(matcher.group("row"), matcher.group("column"));
        if (matcher.group("otherRow") != null) {
            number /= cells.number(matcher.group("otherRow"), matcher.group("otherColumn"));
        }
        return Cells.format(number, Integer.parseInt(decimals));
    }
}
