package io.albis.trino;

import io.albis.table.AlbisTable;
import io.albis.table.ReadSet;
import io.albis.table.TableRows;
import io.albis.table.Warehouse;
import io.trino.spi.connector.RetryMode;

import static java.util.Objects.requireNonNull;

final class PendingInsert
        extends PendingWrite
{
    private final Warehouse warehouse;
    private final AlbisTable base;

    PendingInsert(Warehouse warehouse, AbandonedFiles abandonedFiles, AlbisTable base, WriteId id, RetryMode retryMode)
    {
        super(abandonedFiles, base.schemaName() + "." + base.tableName(), base.folder(), id, retryMode);
        this.warehouse = requireNonNull(warehouse, "warehouse is null");
        this.base = requireNonNull(base, "base is null");
    }

    @Override
    protected void commit(TableRows rows, ReadSet readSet)
    {
        warehouse.append(base, rows, readSet);
    }
}
