package io.albis.table.model;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * A column by which writers sort rows.
 *
 * @param ascending whether smaller values come first
 * @param nullsFirst whether nulls come before all values
 */
public record SortColumn(int columnId, boolean ascending, boolean nullsFirst)
{
    public SortColumn
    {
        checkArgument(columnId > 0, "columnId is not positive: %s", columnId);
    }

    /**
     * Returns the order in SQL.
     */
    public String order()
    {
        return (ascending ? "ASC" : "DESC") + (nullsFirst ? " NULLS FIRST" : " NULLS LAST");
    }

    @Override
    public String toString()
    {
        return columnId + " " + order();
    }
}
