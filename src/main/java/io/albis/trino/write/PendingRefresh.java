package io.albis.trino.write;

import io.albis.table.Warehouse;
import io.albis.table.model.Materialization.Refresh;
import io.albis.table.row.ReadSet;
import io.albis.table.version.AlbisTable;
import io.albis.trino.fragment.WrittenChanges;
import io.albis.trino.handle.WriteId;
import io.trino.spi.connector.RetryMode;

import static com.google.common.base.Preconditions.checkState;
import static java.util.Objects.requireNonNull;

/**
 * A REFRESH MATERIALIZED VIEW that has begun.
 */
final class PendingRefresh
        extends PendingWrite
{
    private final Warehouse warehouse;
    private final AlbisTable base;
    private final boolean append;

    // the same for each attempt to finish the statement
    private volatile Refresh refresh;

    /**
     * @param base the materialized view as it was when the statement began
     * @param append whether its rows remain
     */
    PendingRefresh(Warehouse warehouse, AbandonedFiles abandonedFiles, AlbisTable base, boolean append, WriteId id, RetryMode retryMode)
    {
        super(abandonedFiles, base.schemaName() + "." + base.tableName(), base.folder(), id, retryMode);
        this.warehouse = requireNonNull(warehouse, "warehouse is null");
        this.base = requireNonNull(base, "base is null");
        this.append = append;
    }

    /**
     * Sets what the statement has read.
     */
    void setRefresh(Refresh refresh)
    {
        this.refresh = requireNonNull(refresh, "refresh is null");
    }

    @Override
    protected void commit(WrittenChanges changes, ReadSet readSet)
    {
        checkState(refresh != null, "the tables that the refresh has read are not known");
        warehouse.views().refresh(base, changes.rows(), refresh, append);
    }
}
