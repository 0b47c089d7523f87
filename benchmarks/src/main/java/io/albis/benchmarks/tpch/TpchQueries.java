package io.albis.benchmarks.tpch;

import com.google.common.io.Resources;
import io.albis.benchmarks.workload.QueryNumbers;
import io.albis.benchmarks.workload.TpcdsScale;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.Set;
import java.util.regex.Pattern;

import static com.google.common.base.Preconditions.checkState;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The 22 queries in Trino's dialect, taken from Trino's own benchmarks.
 */
public final class TpchQueries
{
    private static final int LAST = 22;
    private static final Pattern TABLE = Pattern.compile("\"\\$\\{database}\"\\.\"\\$\\{schema}\"\\.\"\\$\\{prefix}([a-z]+)\"");
    private static final Pattern END = Pattern.compile("\\s*;\\s*$");
    private static final String LAST_SHIPDATE = "DATE '1998-12-01' - INTERVAL '90' DAY";

    private TpchQueries() {}

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
     * Returns the text of a query with tables from the catalog and schema of the session.
     */
    public static String text(int number, TpcdsScale scale)
    {
        String text = TABLE.matcher(read(number)).replaceAll("$1");
        return END.matcher(text).replaceFirst("")
                .replace("${scale}", gigabytes(scale).toPlainString());
    }

    /**
     * Returns the first query for other days than those of the specification, which leave 98 % of the rows.
     *
     * @param lastShipdate a date expression
     */
    public static String firstQuery(String lastShipdate, TpcdsScale scale)
    {
        String text = text(1, scale);
        checkState(text.contains(LAST_SHIPDATE), "the first query has no '%s'", LAST_SHIPDATE);
        return text.replace(LAST_SHIPDATE, lastShipdate);
    }

    /**
     * Returns the scale factor, by which a query divides.
     */
    private static BigDecimal gigabytes(TpcdsScale scale)
    {
        String schema = scale.schema();
        return schema.equals("tiny") ? new BigDecimal("0.01") : new BigDecimal(schema.substring("sf".length()));
    }

    private static String read(int number)
    {
        try {
            return Resources.toString(Resources.getResource("sql/presto/tpch/%s.sql".formatted(name(number))), UTF_8);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
