package io.albis.trino.handle;

import io.trino.spi.connector.SortOrder;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * The first rows of a table in an order. The scan may return more rows, and the engine chooses among them.
 *
 * @param rows number of rows that the query needs
 * @param key first column of the order
 * @param order order of its values
 * @param furtherKeys whether other columns order the rows that are equal in the first one, so that the query needs all
 *         of these rows
 */
public record TopN(long rows, AlbisColumnHandle key, SortOrder order, boolean furtherKeys)
{
    public TopN
    {
        checkArgument(rows > 0, "rows is not positive: %s", rows);
        requireNonNull(key, "key is null");
        requireNonNull(order, "order is null");
    }

    @Override
    public String toString()
    {
        return "%s by [%s %s%s]".formatted(rows, key.name(), order, furtherKeys ? ", ..." : "");
    }
}
