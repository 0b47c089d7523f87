package io.albis.trino.write;

import io.albis.table.Warehouse;
import io.albis.table.model.NewTable;
import io.albis.table.version.ReadSet;
import io.albis.trino.handle.WriteId;
import io.trino.spi.connector.RetryMode;

import static java.util.Objects.requireNonNull;

/**
 * A CREATE TABLE AS that has begun.
 */
final class PendingCreate
        extends PendingWrite
{
    private final Warehouse warehouse;
    private final AbandonedFiles abandonedFiles;
    private final NewTable newTable;

    PendingCreate(Warehouse warehouse, AbandonedFiles abandonedFiles, NewTable newTable, WriteId id, RetryMode retryMode)
    {
        super(abandonedFiles, newTable.schemaName() + "." + newTable.tableName(), newTable.folder(), id, retryMode);
        this.warehouse = requireNonNull(warehouse, "warehouse is null");
        this.abandonedFiles = requireNonNull(abandonedFiles, "abandonedFiles is null");
        this.newTable = requireNonNull(newTable, "newTable is null");
    }

    @Override
    protected void commit(WrittenChanges changes, ReadSet readSet)
    {
        warehouse.createTable(newTable, changes.rows());
    }

    @Override
    protected void removeAll()
    {
        super.removeAll();
        // Only row groups are removed. If the commit was undone, a name may still refer to the folder, so its other
        // files remain
        abandonedFiles.removeFolderWithoutFiles(newTable.folder());
    }
}
