package io.albis.trino.write;

import io.albis.table.Warehouse;
import io.albis.table.model.TableDefinition;
import io.albis.table.row.ReadSet;
import io.albis.table.version.AlbisTable;
import io.albis.trino.fragment.WrittenChanges;
import io.albis.trino.handle.WriteId;
import io.albis.trino.relation.TableLoader;
import io.trino.spi.connector.RetryMode;

import static java.util.Objects.requireNonNull;

/**
 * A CREATE OR REPLACE TABLE AS of a table that exists, which has begun.
 */
final class PendingReplace
        extends PendingWrite
{
    private final Warehouse warehouse;
    private final TableLoader tables;
    private final AlbisTable base;
    private final TableDefinition definition;

    // whether the query reads the table
    private boolean scanned;

    PendingReplace(Warehouse warehouse, TableLoader tables, AbandonedFiles abandonedFiles, AlbisTable base, TableDefinition definition, WriteId id, RetryMode retryMode)
    {
        super(abandonedFiles, base.schemaName() + "." + base.tableName(), base.folder(), id, retryMode);
        this.warehouse = requireNonNull(warehouse, "warehouse is null");
        this.tables = requireNonNull(tables, "tables is null");
        this.base = requireNonNull(base, "base is null");
        this.definition = requireNonNull(definition, "definition is null");
    }

    /**
     * Checks the versions that the query has read.
     */
    @Override
    protected void check(WrittenChanges changes)
    {
        // the engine does not pass the tables that the query reads, so the splits of the transaction tell
        scanned = tables.isScanned(base);
    }

    @Override
    protected void commit(WrittenChanges changes, ReadSet readSet)
    {
        warehouse.replaceTable(base, definition, changes.rows(), scanned);
    }
}
