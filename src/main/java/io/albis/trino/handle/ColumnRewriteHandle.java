package io.albis.trino.handle;

import io.albis.format.metadata.RowGroup;
import io.albis.format.update.RewritePlan;

import java.util.function.Function;

/**
 * A run of a procedure that writes columns of row groups again. The rows keep their row groups and positions.
 */
public sealed interface ColumnRewriteHandle
        extends RewriteHandle
        permits IndexHandle, RegroupHandle
{
    @Override
    ColumnRewriteHandle withTable(AlbisTableHandle table);

    /**
     * Returns the function that plans which columns of a row group are written again. It uses only the entry of the row
     * group, so the coordinator and the workers make the same plan.
     */
    Function<RowGroup, RewritePlan> planner();
}
