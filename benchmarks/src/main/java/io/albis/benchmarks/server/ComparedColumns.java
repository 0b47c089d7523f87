package io.albis.benchmarks.server;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.trino.testing.MaterializedResult;
import io.trino.testing.MaterializedRow;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.hash.Hashing.farmHashFingerprint64;
import static com.google.common.io.BaseEncoding.base16;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The columns of a result that have the same values in all catalogs. A query with ORDER BY and LIMIT may return any of
 * the rows that are equal to its last one, so only the columns of its ORDER BY are determined.
 *
 * @param names names of the columns, if not all of them
 */
public record ComparedColumns(boolean all, Set<String> names)
{
    /**
     * Only the number of rows is the same.
     */
    public static final ComparedColumns NONE = new ComparedColumns(false, ImmutableSet.of());
    public static final ComparedColumns ALL = new ComparedColumns(true, ImmutableSet.of());

    // Engines add floating-point numbers in any order, so their last digits differ
    private static final MathContext PRECISION = new MathContext(9);

    public ComparedColumns
    {
        names = ImmutableSet.copyOf(names);
        checkArgument(!all || names.isEmpty(), "all columns, but also some: %s", names);
    }

    public static ComparedColumns of(String... names)
    {
        return new ComparedColumns(false, ImmutableSet.copyOf(names));
    }

    /**
     * Computes a checksum of the values, regardless of the order of the rows.
     *
     * @return the checksum, or empty if there are no columns to compare
     * @throws IllegalArgumentException if the result lacks one of the columns
     */
    public OptionalLong checksum(MaterializedResult result)
    {
        List<Integer> indexes = all ? IntStream.range(0, result.getTypes().size()).boxed().collect(toImmutableList()) : indexes(result.getColumnNames());
        if (indexes.isEmpty()) {
            return OptionalLong.empty();
        }
        long checksum = 0;
        for (MaterializedRow row : result.getMaterializedRows()) {
            StringBuilder values = new StringBuilder();
            for (int index : indexes) {
                String value = text(row.getField(index));
                values.append(value.length()).append(':').append(value);
            }
            checksum += farmHashFingerprint64().hashString(values, UTF_8).asLong();
        }
        return OptionalLong.of(checksum);
    }

    private List<Integer> indexes(List<String> columns)
    {
        ImmutableList.Builder<Integer> indexes = ImmutableList.builder();
        for (String name : names) {
            int index = columns.indexOf(name);
            checkArgument(index >= 0, "the result has no column '%s', but %s", name, columns);
            indexes.add(index);
        }
        return indexes.build();
    }

    /**
     * Returns a text that does not depend on how precise the type of a connector is.
     */
    private static String text(Object value)
    {
        return switch (value) {
            case null -> "null";
            case Double number when Double.isFinite(number) -> plain(new BigDecimal(number).round(PRECISION));
            case BigDecimal number -> plain(number);
            case byte[] bytes -> base16().encode(bytes);
            default -> value.toString();
        };
    }

    private static String plain(BigDecimal number)
    {
        return number.stripTrailingZeros().toPlainString();
    }
}
