package io.albis.benchmarks.workload;

import java.math.BigDecimal;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.stream.Collectors.joining;

/**
 * A fraction of the rows of a table.
 *
 * @param parts number of rows in a hundred thousand
 */
public record Fraction(int parts)
{
    private static final int ALL = 100_000;
    private static final Pattern PERCENT = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3})? ?%?");
    // A prime, so that neighboring keys are far from each other in the remainders
    private static final int FACTOR = 7919;

    public Fraction
    {
        checkArgument(parts > 0 && parts <= ALL, "parts is not between 1 and %s: %s", ALL, parts);
    }

    /**
     * Parses a number of percent, such as {@code 5%} or {@code 0.001}.
     */
    public static Fraction parse(String text)
    {
        if (PERCENT.matcher(text).matches()) {
            int parts = new BigDecimal(text.replaceAll("[ %]", "")).scaleByPowerOfTen(3).intValueExact();
            if (parts > 0 && parts <= ALL) {
                return new Fraction(parts);
            }
        }
        throw new IllegalArgumentException("Not a part of a table: '%s'. It is a number of percent from 0.001 to 100, such as 5%%".formatted(text));
    }

    /**
     * Returns a predicate that about this fraction of the rows of a table match. They are scattered over the whole
     * table, because the predicate depends on a hash of the keys.
     *
     * @param keys columns of type bigint without negative values
     */
    public String predicate(List<String> keys)
    {
        checkArgument(!keys.isEmpty(), "keys is empty");
        return IntStream.range(0, keys.size())
                .mapToObj(index -> "coalesce(%s, 0) * %s".formatted(keys.get(index), FACTOR + 2 * index))
                .collect(joining(" + ", "mod(", ", %s) < %s".formatted(ALL, parts)));
    }

    public double share()
    {
        return (double) parts / ALL;
    }

    /**
     * Returns the number of rows, at least one.
     */
    public long of(long rows)
    {
        return Math.max(1, Math.round((double) rows * parts / ALL));
    }

    /**
     * Returns a text that can be part of the name of a table.
     */
    public String suffix()
    {
        return percent().replace('.', '_');
    }

    private String percent()
    {
        return BigDecimal.valueOf(parts, 3).stripTrailingZeros().toPlainString();
    }

    @Override
    public String toString()
    {
        return percent() + " %";
    }
}
