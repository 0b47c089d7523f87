package io.albis.benchmarks.report;

import com.google.common.collect.ImmutableList;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.stream.Collectors.joining;

/**
 * Combines several reports into one. The properties of the environment that all reports have in common are listed only
 * once.
 */
public final class CombinedReport
{
    private static final String TITLE = "# ";
    private static final Pattern IMAGE = Pattern.compile("(?m)^!\\[[^]]*]\\(");

    private CombinedReport() {}

    public static String render(String title, List<String> reports)
    {
        List<Part> parts = reports.stream()
                .map(Part::parse)
                .collect(toImmutableList());
        Set<String> common = new LinkedHashSet<>();
        if (!parts.isEmpty()) {
            common.addAll(parts.getFirst().environment());
        }
        parts.forEach(part -> common.retainAll(part.environment()));
        StringBuilder text = new StringBuilder(TITLE).append(title).append("\n");
        if (!common.isEmpty()) {
            text.append("\n").append(lines(ImmutableList.copyOf(common)));
        }
        for (Part part : parts) {
            text.append("\n#").append(TITLE).append(part.title()).append("\n\n");
            List<String> environment = part.environment().stream()
                    .filter(line -> !common.contains(line))
                    .collect(toImmutableList());
            if (!environment.isEmpty()) {
                text.append(lines(environment)).append("\n");
            }
            text.append(lines(part.body()));
        }
        return text.toString();
    }

    /**
     * Returns a report whose images are in the folder in which it is itself, for a report next to this folder.
     */
    public static String inFolder(String report, String folder)
    {
        return IMAGE.matcher(report).replaceAll(image -> Matcher.quoteReplacement("%s%s/".formatted(image.group(), folder)));
    }

    private static String lines(List<String> lines)
    {
        return lines.stream()
                .map(line -> line + "\n")
                .collect(joining());
    }

    /**
     * A part of the combined report.
     *
     * @param environment the list below the title
     * @param body the remaining lines, with headings one level lower
     */
    private record Part(String title, List<String> environment, List<String> body)
    {
        static Part parse(String report)
        {
            List<String> lines = report.lines().collect(toImmutableList());
            checkArgument(lines.size() > 2 && lines.getFirst().startsWith(TITLE) && lines.get(1).isEmpty(), "not a report: %s", report);
            int end = 2;
            while (lines.get(end).startsWith("- ")) {
                end++;
            }
            checkArgument(lines.get(end).isEmpty(), "no empty line behind the environment: %s", lines.get(end));
            return new Part(
                    lines.getFirst().substring(TITLE.length()),
                    lines.subList(2, end),
                    lines.subList(end + 1, lines.size()).stream()
                            .map(line -> line.startsWith("#") ? "#" + line : line)
                            .collect(toImmutableList()));
        }
    }
}
