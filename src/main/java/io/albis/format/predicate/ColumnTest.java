package io.albis.format.predicate;

import io.albis.format.filter.TestedValues;
import io.albis.format.schema.AlbisColumn;

import static java.util.Objects.requireNonNull;

/**
 * A test of the distinct values of a column. The reader may skip rows that cannot match, and need not skip any.
 *
 * @param column a column of a scalar type, or a field of a row
 * @param values the results so far, which the readers of a scan share
 */
public record ColumnTest(AlbisColumn column, TestedValues values)
{
    public ColumnTest
    {
        requireNonNull(column, "column is null");
        requireNonNull(values, "values is null");
    }

    /**
     * Returns whether the rows of a row group that does not store the column may match.
     */
    public boolean mayMatchMissing()
    {
        return values.mayMatch(column.initial().map(value -> value.toNativeValue(column.type())).orElse(null));
    }
}
