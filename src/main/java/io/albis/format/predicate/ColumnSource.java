package io.albis.format.predicate;

import io.albis.format.column.ColumnReader;
import io.albis.format.schema.AlbisColumn;

import java.io.IOException;
import java.util.Optional;

/**
 * Opens the readers of columns.
 */
@FunctionalInterface
public interface ColumnSource
{
    /**
     * Returns the reader of a column.
     *
     * @return empty if the row group does not have the column
     */
    Optional<ColumnReader> column(AlbisColumn column)
            throws IOException;
}
