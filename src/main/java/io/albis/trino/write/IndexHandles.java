package io.albis.trino.write;

import com.google.common.collect.ImmutableSet;
import io.albis.table.model.IndexedColumns;
import io.albis.table.version.AlbisTable;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.handle.IndexHandle;
import io.albis.trino.handle.WriteId;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.RetryMode;

import java.util.Set;

/**
 * Creates the handles of the procedures add_index and drop_index.
 */
public final class IndexHandles
{
    private IndexHandles() {}

    /**
     * @param table the table of the handle
     * @param columnIds ids of the columns whose indexes are added or dropped
     * @param drop whether the indexes are dropped
     * @throws TrinoException with code NOT_SUPPORTED if a column has the name of the hidden column with the results
     */
    public static IndexHandle create(ConnectorSession session, AlbisTableHandle handle, AlbisTable table, Set<Integer> columnIds, boolean drop, RetryMode retryMode)
    {
        OptimizeHandles.checkResultColumn(table, IndexHandle.procedure(drop));
        return new IndexHandle(
                handle,
                WritableHandles.create(
                        session,
                        handle.schemaTableName(),
                        table.uuid(),
                        WriteId.random(),
                        table.folder(),
                        table.version().columns(),
                        table.version().columnGroups(),
                        IndexedColumns.change(table.version().properties(), drop ? ImmutableSet.of() : columnIds, drop ? columnIds : ImmutableSet.of())),
                columnIds,
                drop,
                retryMode);
    }
}
