package io.albis.trino.handle;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.google.common.collect.ImmutableList;
import io.trino.spi.connector.SortOrder;

import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/**
 * The first rows of a table in an order. The scan may return more rows, and the engine chooses among them.
 *
 * @param rows number of rows that the query needs
 * @param keys first columns of the order, at least one
 * @param furtherKeys whether something else orders the rows that are equal in these columns, so that the query needs
 *         all of these rows
 */
public record TopN(long rows, List<Key> keys, boolean furtherKeys)
{
    @JsonCreator
    public TopN
    {
        checkArgument(rows > 0, "rows is not positive: %s", rows);
        keys = ImmutableList.copyOf(keys);
        checkArgument(!keys.isEmpty(), "keys is empty");
    }

    /**
     * Creates the first rows in the order of a single column.
     */
    public TopN(long rows, AlbisColumnHandle key, SortOrder order, boolean furtherKeys)
    {
        this(rows, ImmutableList.of(new Key(key, order)), furtherKeys);
    }

    /**
     * A column of the order.
     *
     * @param order order of its values
     */
    public record Key(AlbisColumnHandle column, SortOrder order)
    {
        public Key
        {
            requireNonNull(column, "column is null");
            requireNonNull(order, "order is null");
        }

        @Override
        public String toString()
        {
            return column.name() + " " + order;
        }
    }

    /**
     * Returns the first column of the order.
     */
    public AlbisColumnHandle key()
    {
        return keys.getFirst().column();
    }

    /**
     * Returns the order of the first column.
     */
    public SortOrder order()
    {
        return keys.getFirst().order();
    }

    @Override
    public String toString()
    {
        return "%s by [%s%s]".formatted(rows, keys.stream().map(Key::toString).collect(joining(", ")), furtherKeys ? ", ..." : "");
    }
}
