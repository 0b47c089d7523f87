package io.albis.trino.write;

import io.albis.table.model.TableColumnGroup;
import io.albis.table.version.AlbisTable;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.handle.RegroupHandle;
import io.albis.trino.handle.WriteId;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.RetryMode;

import java.util.List;

/**
 * Creates the handles of the procedure regroup.
 */
public final class RegroupHandles
{
    private RegroupHandles() {}

    /**
     * @param table the table of the handle
     * @param columnGroups the new groups of all columns
     * @param all whether row groups whose columns are already in these groups are written again, too
     * @throws TrinoException with code NOT_SUPPORTED if a column has the name of the hidden column with the results
     */
    public static RegroupHandle create(ConnectorSession session, AlbisTableHandle handle, AlbisTable table, List<TableColumnGroup> columnGroups, boolean all, RetryMode retryMode)
    {
        OptimizeHandles.checkResultColumn(table, "regroup");
        return new RegroupHandle(
                handle,
                WritableHandles.create(
                        session,
                        handle.schemaTableName(),
                        table.uuid(),
                        WriteId.random(),
                        table.folder(),
                        table.version().columns(),
                        columnGroups,
                        table.version().properties()),
                all,
                retryMode);
    }
}
