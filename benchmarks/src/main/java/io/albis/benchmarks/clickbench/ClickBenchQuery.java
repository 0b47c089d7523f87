package io.albis.benchmarks.clickbench;

import com.google.common.base.Splitter;
import io.albis.benchmarks.server.ComparedColumns;
import io.albis.benchmarks.workload.QueryNumbers;

import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import static com.google.common.base.Preconditions.checkState;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/**
 * A query that asks what the query of ClickBench with the same number asks. The texts are our own, because the license
 * of the texts of ClickBench has other conditions than ours.
 *
 * @param compared columns of the result that have the same values in all catalogs
 */
public record ClickBenchQuery(int number, String sql, ComparedColumns compared)
{
    private static final int LAST = 43;
    private static final Pattern QUERY = Pattern.compile("-- q([0-9]{2}): (.*)\\n([^;]+?)\\s*");
    private static final int SUMS = 90;

    public ClickBenchQuery
    {
        requireNonNull(sql, "sql is null");
        requireNonNull(compared, "compared is null");
    }

    /**
     * Parses a list of queries.
     *
     * @param text numbers and ranges, as in 1,5,q17 or 1-20
     */
    public static Set<Integer> parseList(String text)
    {
        return QueryNumbers.parseList(text, LAST);
    }

    /**
     * Returns all queries in their order.
     */
    public static List<ClickBenchQuery> all()
    {
        List<ClickBenchQuery> queries = Splitter.on("\n\n").splitToStream(HitsTable.resource("queries.sql"))
                // The first part describes the file
                .skip(1)
                .map(ClickBenchQuery::parse)
                .collect(toImmutableList());
        for (int index = 0; index < LAST; index++) {
            checkState(queries.get(index).number() == index + 1, "not the query with the number %s: %s", index + 1, queries.get(index));
        }
        return queries;
    }

    private static ClickBenchQuery parse(String text)
    {
        Matcher matcher = QUERY.matcher(text);
        checkState(matcher.matches(), "not a query: %s", text);
        return new ClickBenchQuery(Integer.parseInt(matcher.group(1)), matcher.group(3).replace("${sums}", sums()), compared(matcher.group(2)));
    }

    private static ComparedColumns compared(String text)
    {
        return switch (text) {
            case "all" -> ComparedColumns.ALL;
            case "none" -> ComparedColumns.NONE;
            default -> ComparedColumns.of(text);
        };
    }

    /**
     * Returns the sums of the query that has many of them.
     */
    private static String sums()
    {
        return IntStream.range(0, SUMS)
                .mapToObj("sum(ResolutionWidth + %s)"::formatted)
                .collect(joining(", "));
    }

    public String name()
    {
        return QueryNumbers.name(number);
    }
}
