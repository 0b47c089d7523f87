package io.albis.benchmarks.format.file;

import com.google.common.collect.ImmutableList;
import io.trino.spi.predicate.TupleDomain;

import java.util.List;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * Describes what to read from a table.
 *
 * @param columns indexes of the columns to read; channel i of a page contains the column at position i
 * @param predicate predicate by column index; only rows that match it are returned
 */
public record Scan(List<Integer> columns, TupleDomain<Integer> predicate)
{
    public Scan
    {
        columns = ImmutableList.copyOf(columns);
        requireNonNull(predicate, "predicate is null");
    }

    /**
     * Returns a scan of an entire table.
     */
    public static Scan all(int columnCount)
    {
        return new Scan(IntStream.range(0, columnCount).boxed().collect(toImmutableList()), TupleDomain.all());
    }
}
