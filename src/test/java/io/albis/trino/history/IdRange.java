package io.albis.trino.history;

/**
 * A predicate on the ids of rows.
 */
public record IdRange(long low, long high)
{
    boolean contains(Row row)
    {
        return low <= row.id() && row.id() <= high;
    }

    String sql()
    {
        return "id BETWEEN %s AND %s".formatted(low, high);
    }
}
