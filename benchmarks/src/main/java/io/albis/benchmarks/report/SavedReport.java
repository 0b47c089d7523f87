package io.albis.benchmarks.report;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.benchmarks.measure.Measurement;

import java.util.List;
import java.util.Map;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/**
 * A report and the measurements that it is made from, as a JSON file keeps them. The Markdown of the report is rendered
 * from it.
 *
 * @param environment what the figures depend on besides the code, such as {@code machine}
 * @param introduction lines between the environment and the first section
 * @param measurements every execution, with those of the warm-up rounds; empty in reports of older builds
 */
public record SavedReport(String title, Map<String, String> environment, List<String> introduction, List<SavedSection> sections, List<Measurement> measurements)
{
    public SavedReport
    {
        requireNonNull(title, "title is null");
        environment = ImmutableMap.copyOf(environment);
        introduction = ImmutableList.copyOf(introduction);
        sections = ImmutableList.copyOf(sections);
        measurements = ImmutableList.copyOf(measurements);
    }

    /**
     * Returns a section.
     *
     * @throws IllegalArgumentException if there is no such section
     */
    public SavedSection section(String title)
    {
        return sections.stream()
                .filter(section -> section.title().equals(title))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("There is no section '%s'".formatted(title)));
    }

    /**
     * Returns the report with another section before all others.
     */
    public SavedReport withFirst(SavedSection section)
    {
        return new SavedReport(title, environment, introduction, ImmutableList.<SavedSection>builder().add(section).addAll(sections).build(), measurements);
    }

    public String markdown()
    {
        return "# %s\n\n%s%s%s".formatted(
                title,
                environment.entrySet().stream()
                        .map(entry -> "- %s: %s\n".formatted(entry.getKey(), entry.getValue()))
                        .collect(joining()),
                new SavedLines(introduction).markdown(),
                sections.stream()
                        .map(SavedSection::markdown)
                        .collect(joining()));
    }
}
