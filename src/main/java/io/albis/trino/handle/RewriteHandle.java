package io.albis.trino.handle;

import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorTableExecuteHandle;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.RetryMode;

/**
 * A run of a procedure that writes row groups again, and the table that it reads. A scan of this table returns no rows
 * of the table, but one row for each split, which describes what the scan has written.
 */
public sealed interface RewriteHandle
        extends ConnectorTableExecuteHandle, ConnectorTableHandle
        permits ColumnRewriteHandle, OptimizeHandle
{
    /**
     * The column of the scan that describes what it has written. The engine lets a scan return only columns that the
     * table has, so this is one that has the right type and that no row of the table needs here.
     */
    ColumnHandle RESULT = new HiddenColumnHandle(HiddenColumn.PATH);

    /**
     * Returns the version of the table that the statement reads, with the predicate that selects row groups.
     */
    AlbisTableHandle table();

    /**
     * Returns the table to write to.
     */
    AlbisWritableTableHandle target();

    RetryMode retryMode();

    RewriteHandle withTable(AlbisTableHandle table);
}
