package io.albis.launcher.tpcds;

import com.google.common.base.CharMatcher;
import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableSortedSet;

import java.util.List;
import java.util.Locale;

import static java.util.stream.IntStream.rangeClosed;

/**
 * The queries to run.
 *
 * @param numbers query numbers from 1 to 99
 */
public record QueryList(ImmutableSortedSet<Integer> numbers)
{
    private static final int LAST = 99;

    public static final QueryList ALL = range(1, LAST);

    /**
     * Parses a list of queries.
     *
     * @param text numbers and ranges, as in 1,5,q17 or 1-20
     */
    public static QueryList parse(String text)
    {
        ImmutableSortedSet.Builder<Integer> numbers = ImmutableSortedSet.naturalOrder();
        for (String part : Splitter.on(',').trimResults().split(text)) {
            List<String> bounds = Splitter.on('-').trimResults().splitToList(part);
            int first = number(bounds.getFirst(), text);
            int last = number(bounds.getLast(), text);
            if (bounds.size() > 2 || first > last) {
                throw invalid(text);
            }
            numbers.addAll(range(first, last).numbers());
        }
        return new QueryList(numbers.build());
    }

    private static QueryList range(int first, int last)
    {
        return new QueryList(rangeClosed(first, last).boxed().collect(ImmutableSortedSet.toImmutableSortedSet(Integer::compare)));
    }

    private static int number(String text, String list)
    {
        String digits = text.toLowerCase(Locale.ENGLISH).startsWith("q") ? text.substring(1) : text;
        if (digits.isEmpty() || digits.length() > 2 || !CharMatcher.inRange('0', '9').matchesAllOf(digits)) {
            throw invalid(list);
        }
        int number = Integer.parseInt(digits);
        if (number < 1 || number > LAST) {
            throw invalid(list);
        }
        return number;
    }

    private static IllegalArgumentException invalid(String list)
    {
        return new IllegalArgumentException("Not a list of queries: '%s'. It looks like 1,5,q17 or 1-20, with numbers from 1 to %s".formatted(list, LAST));
    }
}
