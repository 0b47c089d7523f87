package io.albis.benchmarks.page;

import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static java.util.Objects.requireNonNull;

/**
 * Replaces the figures of a page with those of the saved reports. A table follows a comment
 * {@code <!-- table: RULE -->} with a {@link TableRule}. A single figure is between {@code <!--= NAME -->} and
 * {@code <!--.-->}, and {@link NamedFigures} has its definition. Everything else stays as it is.
 */
public class Page
{
    private static final Pattern TABLE = Pattern.compile("(?<comment><!-- table: (?<rule>(?:(?!-->).)*?)\\s*-->\n)(?:\\|[^\n]*\n)*(?:Not measured yet\\.\n)?", Pattern.DOTALL);
    private static final Pattern FIGURE = Pattern.compile("(?<comment><!--= (?<name>[\\w-]+) -->)[^<]*<!--\\.-->");

    private final ResultFolder results;
    private final NamedFigures figures;

    /**
     * Prepares the replacement.
     *
     * @param figures definitions of the single figures, one a line
     */
    public Page(ResultFolder results, String figures)
    {
        this.results = requireNonNull(results, "results is null");
        this.figures = NamedFigures.parse(results, figures);
    }

    /**
     * Returns the page with the figures of the reports.
     *
     * @throws IllegalArgumentException if the page wants a figure that is in no report
     */
    public String update(String page)
    {
        String tables = TABLE.matcher(page).replaceAll(this::table);
        return FIGURE.matcher(tables).replaceAll(this::figure);
    }

    private String table(MatchResult match)
    {
        return Matcher.quoteReplacement(match.group("comment") + TableRule.parse(match.group("rule")).render(results));
    }

    private String figure(MatchResult match)
    {
        return Matcher.quoteReplacement(match.group("comment") + figures.get(match.group("name")) + "<!--.-->");
    }
}
