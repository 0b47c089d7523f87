package io.albis.benchmarks.workload;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.io.Resources;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The 99 queries in Trino's dialect, taken from Trino's own benchmarks.
 */
public final class TpcdsQueries
{
    private static final int LAST = 99;
    private static final Pattern RANGE = Pattern.compile("q?([0-9]{1,2})(?:-q?([0-9]{1,2}))?");

    private TpcdsQueries() {}

    /**
     * Parses a list of queries.
     *
     * @param text numbers and ranges, as in 1,5,q17 or 1-20
     */
    public static Set<Integer> parseList(String text)
    {
        ImmutableSortedSet.Builder<Integer> numbers = ImmutableSortedSet.naturalOrder();
        for (String part : Splitter.on(',').trimResults().split(text)) {
            Matcher matcher = RANGE.matcher(part);
            if (!matcher.matches()) {
                throw invalid(text);
            }
            int first = Integer.parseInt(matcher.group(1));
            int last = matcher.group(2) == null ? first : Integer.parseInt(matcher.group(2));
            if (first < 1 || last > LAST || first > last) {
                throw invalid(text);
            }
            for (int number = first; number <= last; number++) {
                numbers.add(number);
            }
        }
        return numbers.build();
    }

    private static IllegalArgumentException invalid(String text)
    {
        return new IllegalArgumentException("Not a list of queries: '%s'. It looks like 1,5,q17 or 1-20, with numbers from 1 to %s".formatted(text, LAST));
    }

    public static String name(int number)
    {
        return "q%02d".formatted(number);
    }

    /**
     * Returns the text of a query with tables from the catalog and schema of the session. Two queries also contain the
     * placeholder in a string literal. It is removed there as well, so that results do not depend on where the tables
     * are stored.
     */
    public static String text(int number)
    {
        try {
            return Resources.toString(Resources.getResource("sql/presto/tpcds/%s.sql".formatted(name(number))), UTF_8)
                    .replace("${database}.${schema}.", "");
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
