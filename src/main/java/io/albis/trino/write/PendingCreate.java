package io.albis.trino.write;

import io.airlift.log.Logger;
import io.albis.table.Warehouse;
import io.albis.table.model.NewTable;
import io.albis.table.model.TableException;
import io.albis.table.row.ReadSet;
import io.albis.trino.fragment.WrittenChanges;
import io.albis.trino.handle.WriteId;
import io.trino.spi.connector.RetryMode;

import static io.albis.table.model.TableException.Reason.ALREADY_EXISTS;
import static io.albis.table.model.TableException.Reason.CONFLICT;
import static java.util.Objects.requireNonNull;

/**
 * A CREATE TABLE AS that has begun.
 */
final class PendingCreate
        extends PendingWrite
{
    private static final Logger log = Logger.get(PendingCreate.class);

    private final Warehouse warehouse;
    private final AbandonedFiles abandonedFiles;
    private final NewTable newTable;
    private final boolean replace;

    /**
     * @param replace whether the statement is a CREATE OR REPLACE TABLE
     */
    PendingCreate(Warehouse warehouse, AbandonedFiles abandonedFiles, NewTable newTable, WriteId id, RetryMode retryMode, boolean replace)
    {
        super(abandonedFiles, newTable.schemaName() + "." + newTable.tableName(), newTable.folder(), id, retryMode);
        this.warehouse = requireNonNull(warehouse, "warehouse is null");
        this.abandonedFiles = requireNonNull(abandonedFiles, "abandonedFiles is null");
        this.newTable = requireNonNull(newTable, "newTable is null");
        this.replace = replace;
    }

    @Override
    protected void commit(WrittenChanges changes, ReadSet readSet)
    {
        try {
            warehouse.createTable(newTable, changes.rows());
        }
        catch (TableException e) {
            if (replace && e.reason() == ALREADY_EXISTS) {
                // its rows are in the folder of the new table
                throw new TableException(CONFLICT, "Another transaction has created the table '%s.%s' after this statement began. Retry the statement, which then replaces the table", newTable.schemaName(), newTable.tableName());
            }
            throw e;
        }
    }

    @Override
    protected void removeAll()
    {
        if (abandon()) {
            super.removeAll();
            // Only row groups are removed. Vacuum removes what remains after a version was put
            abandonedFiles.removeFolderWithoutFiles(newTable.folder());
        }
    }

    /**
     * Gives up a table that was not created. An attempt may have put a version, so others could register the table.
     *
     * @return whether nobody else uses the files
     */
    private boolean abandon()
    {
        try {
            return warehouse.abandonTable(newTable);
        }
        catch (RuntimeException e) {
            log.warn(e, "Cannot abandon the table at %s, so its files remain", newTable.folder());
            return false;
        }
    }
}
