package io.albis.benchmarks.workload;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableSortedSet;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The numbers and names of the queries of a benchmark, which are numbered from 1.
 */
public final class QueryNumbers
{
    private static final Pattern RANGE = Pattern.compile("q?([0-9]{1,2})(?:-q?([0-9]{1,2}))?");

    private QueryNumbers() {}

    /**
     * Parses a list of queries.
     *
     * @param text numbers and ranges, as in 1,5,q17 or 1-20
     * @param last number of the last query
     */
    public static Set<Integer> parseList(String text, int last)
    {
        ImmutableSortedSet.Builder<Integer> numbers = ImmutableSortedSet.naturalOrder();
        for (String part : Splitter.on(',').trimResults().split(text)) {
            Matcher matcher = RANGE.matcher(part);
            if (!matcher.matches()) {
                throw invalid(text, last);
            }
            int from = Integer.parseInt(matcher.group(1));
            int to = matcher.group(2) == null ? from : Integer.parseInt(matcher.group(2));
            if (from < 1 || to > last || from > to) {
                throw invalid(text, last);
            }
            for (int number = from; number <= to; number++) {
                numbers.add(number);
            }
        }
        return numbers.build();
    }

    private static IllegalArgumentException invalid(String text, int last)
    {
        return new IllegalArgumentException("Not a list of queries: '%s'. It looks like 1,5,q17 or 1-20, with numbers from 1 to %s".formatted(text, last));
    }

    public static String name(int number)
    {
        return "q%02d".formatted(number);
    }
}
