package io.albis.benchmarks.result;

import com.google.common.collect.ImmutableList;

import java.math.BigDecimal;
import java.util.List;

import static com.google.common.io.BaseEncoding.base16;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/**
 * The values of a row in a form that does not depend on how precise the types of a connector are. Numbers of type
 * double are only approximately the same, because engines add them in any order.
 *
 * @param exact all values that must be the same
 * @param numbers the other values
 * @param text the row for a reader
 */
record ComparedRow(String exact, List<Double> numbers, String text)
{
    // A sum of a billion numbers in another order differs by less
    private static final double TOLERANCE = 1e-9;

    public ComparedRow
    {
        requireNonNull(exact, "exact is null");
        numbers = ImmutableList.copyOf(numbers);
        requireNonNull(text, "text is null");
    }

    public static ComparedRow of(List<?> values)
    {
        StringBuilder exact = new StringBuilder();
        ImmutableList.Builder<Double> numbers = ImmutableList.builder();
        for (Object value : values) {
            if (value instanceof Double number && Double.isFinite(number)) {
                numbers.add(number);
                exact.append('~');
                continue;
            }
            String text = format(value);
            // Only a null has no length
            exact.append(value == null ? "" : text.length()).append(':').append(text);
        }
        return new ComparedRow(exact.toString(), numbers.build(), values.stream().map(ComparedRow::format).collect(joining(", ", "(", ")")));
    }

    /**
     * Returns whether the other row has the same values, apart from the last digits of approximate numbers.
     */
    public boolean isLike(ComparedRow other)
    {
        if (!exact.equals(other.exact)) {
            return false;
        }
        for (int i = 0; i < numbers.size(); i++) {
            if (!areLike(numbers.get(i), other.numbers.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean areLike(double first, double second)
    {
        // Small numbers may be the difference of large ones
        double magnitude = Math.max(1, Math.max(Math.abs(first), Math.abs(second)));
        return Math.abs(first - second) <= TOLERANCE * magnitude;
    }

    private static String format(Object value)
    {
        return switch (value) {
            case null -> "null";
            case BigDecimal number -> number.stripTrailingZeros().toPlainString();
            case byte[] bytes -> base16().encode(bytes);
            // A connector without the type char stores its values with or without the spaces at their end
            case String text -> text.stripTrailing();
            default -> value.toString();
        };
    }
}
