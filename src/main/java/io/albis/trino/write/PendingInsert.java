package io.albis.trino.write;

import io.albis.table.Warehouse;
import io.albis.table.row.ReadSet;
import io.albis.table.version.AlbisTable;
import io.albis.trino.fragment.WrittenChanges;
import io.albis.trino.handle.WriteId;
import io.albis.trino.relation.TableLoader;
import io.trino.spi.connector.RetryMode;

import static java.util.Objects.requireNonNull;

/**
 * An INSERT that has begun.
 */
final class PendingInsert
        extends PendingWrite
{
    private final Warehouse warehouse;
    private final TableLoader tables;
    private final AlbisTable base;

    PendingInsert(Warehouse warehouse, TableLoader tables, AbandonedFiles abandonedFiles, AlbisTable base, WriteId id, RetryMode retryMode)
    {
        super(abandonedFiles, base.schemaName() + "." + base.tableName(), base.folder(), id, retryMode);
        this.warehouse = requireNonNull(warehouse, "warehouse is null");
        this.tables = requireNonNull(tables, "tables is null");
        this.base = requireNonNull(base, "base is null");
    }

    @Override
    protected ReadSet complete(ReadSet readSet)
    {
        return ReadSets.complete(readSet, tables, base);
    }

    @Override
    protected void commit(WrittenChanges changes, ReadSet readSet)
    {
        warehouse.append(base, changes.rows(), readSet);
    }
}
