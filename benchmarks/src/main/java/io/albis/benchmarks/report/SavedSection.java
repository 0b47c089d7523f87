package io.albis.benchmarks.report;

import com.google.common.collect.ImmutableList;

import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/**
 * A section of a saved report.
 */
public record SavedSection(String title, List<SavedContent> content)
{
    public SavedSection
    {
        requireNonNull(title, "title is null");
        content = ImmutableList.copyOf(content);
    }

    /**
     * Returns the first table of the section.
     */
    public Optional<SavedTable> table()
    {
        return content.stream()
                .filter(SavedTable.class::isInstance)
                .map(SavedTable.class::cast)
                .findFirst();
    }

    String markdown()
    {
        return "## %s\n%s".formatted(title, content.stream()
                .map(SavedContent::markdown)
                .collect(joining()));
    }
}
