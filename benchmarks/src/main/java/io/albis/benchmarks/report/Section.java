package io.albis.benchmarks.report;

import static java.util.Objects.requireNonNull;

/**
 * A section of a report.
 *
 * @param text text that ends with a line break
 */
public record Section(String title, String text)
{
    public Section
    {
        requireNonNull(title, "title is null");
        requireNonNull(text, "text is null");
    }

    public String render()
    {
        return "\n## %s\n\n%s".formatted(title, text);
    }
}
