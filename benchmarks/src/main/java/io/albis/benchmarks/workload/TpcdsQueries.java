package io.albis.benchmarks.workload;

import com.google.common.io.Resources;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The 99 queries in Trino's dialect, taken from Trino's own benchmarks.
 */
public final class TpcdsQueries
{
    private static final int LAST = 99;

    private TpcdsQueries() {}

    /**
     * Parses a list of queries.
     *
     * @param text numbers and ranges, as in 1,5,q17 or 1-20
     */
    public static Set<Integer> parseList(String text)
    {
        return QueryNumbers.parseList(text, LAST);
    }

    public static String name(int number)
    {
        return QueryNumbers.name(number);
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
