package io.albis.trino.write;

import io.airlift.units.DataSize;
import io.albis.table.version.AlbisTable;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.handle.AlbisWritableTableHandle;
import io.albis.trino.handle.OptimizeHandle;
import io.albis.trino.handle.RewriteHandle;
import io.albis.trino.handle.WriteId;
import io.albis.trino.relation.SortFields;
import io.albis.trino.relation.TableDescriptions;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.RetryMode;

import java.util.List;
import java.util.Optional;

import static io.trino.spi.StandardErrorCode.INVALID_PROCEDURE_ARGUMENT;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;

/**
 * Creates the handles of the procedure optimize.
 */
public final class OptimizeHandles
{
    private OptimizeHandles() {}

    /**
     * @param table the table of the handle
     * @param rowGroupSize size of the new row groups; empty for that of the table
     * @param sortedBy columns by which all selected row groups are sorted; empty to replace only those that need it
     * @throws TrinoException with code INVALID_PROCEDURE_ARGUMENT if rows cannot be sorted by the columns, or with code
     *         NOT_SUPPORTED if a column has the name of the hidden column with the results
     */
    public static OptimizeHandle create(ConnectorSession session, AlbisTableHandle handle, AlbisTable table, Optional<DataSize> rowGroupSize, List<String> sortedBy, RetryMode retryMode)
    {
        checkResultColumn(table, "optimize");
        AlbisWritableTableHandle target = WritableHandles.create(session, handle.schemaTableName(), table, WriteId.random());
        if (rowGroupSize.isPresent()) {
            target = target.withWriterOptions(target.writerOptions().withRowGroupBytes(rowGroupSize.get().toBytes()));
        }
        if (!sortedBy.isEmpty()) {
            target = target.withSortedBy(SortFields.parse(sortedBy, table.version().columns(), INVALID_PROCEDURE_ARGUMENT));
        }
        return new OptimizeHandle(handle, target, !sortedBy.isEmpty(), retryMode);
    }

    /**
     * @throws TrinoException with code NOT_SUPPORTED if a column has the name of the hidden column with the results
     */
    static void checkResultColumn(AlbisTable table, String procedure)
    {
        if (!TableDescriptions.columnHandles(table).containsValue(RewriteHandle.RESULT)) {
            throw new TrinoException(NOT_SUPPORTED, "The procedure %s cannot run on a table that has a column with the name of the hidden column %s. Rename the column".formatted(procedure, RewriteHandle.RESULT));
        }
    }
}
