package io.albis.trino.handle;

import com.fasterxml.jackson.annotation.JsonCreator;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.RowGroupSchema;
import io.albis.format.update.RewritePlan;
import io.trino.spi.connector.RetryMode;

import java.util.Map;
import java.util.function.Function;

import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static io.albis.trino.handle.ArgumentTexts.array;
import static io.albis.trino.handle.ArgumentTexts.literal;
import static java.util.Objects.requireNonNull;

/**
 * A run of the procedure regroup, and the table that it reads.
 *
 * @param build the first property, so that it is checked first, see {@link HandleBuild}
 * @param table the version of the table that the statement reads, with the predicate that selects row groups
 * @param target the table with the new column groups
 * @param all whether all selected row groups are written again, rather than only those with other column groups
 */
public record RegroupHandle(HandleBuild build, AlbisTableHandle table, AlbisWritableTableHandle target, boolean all, RetryMode retryMode)
        implements ColumnRewriteHandle
{
    @JsonCreator
    public RegroupHandle
    {
        HandleBuild.checkPresent(build);
        requireNonNull(table, "table is null");
        requireNonNull(target, "target is null");
        requireNonNull(retryMode, "retryMode is null");
    }

    public RegroupHandle(AlbisTableHandle table, AlbisWritableTableHandle target, boolean all, RetryMode retryMode)
    {
        this(HandleBuild.CURRENT, table, target, all, retryMode);
    }

    @Override
    public RegroupHandle withTable(AlbisTableHandle table)
    {
        return new RegroupHandle(build, table, target, all, retryMode);
    }

    @Override
    public Function<RowGroup, RewritePlan> planner()
    {
        RowGroupSchema schema = target.schema();
        return rowGroup -> RewritePlan.ofGrouping(rowGroup, schema, target.writerOptions(), all);
    }

    /**
     * Returns what EXPLAIN shows, with the new column groups as an argument of the procedure.
     */
    @Override
    public String toString()
    {
        Map<Integer, String> names = target.columns().stream().collect(toImmutableMap(AlbisColumnHandle::id, AlbisColumnHandle::name));
        return "regroup:%s column_groups => %s".formatted(table, array(target.columnGroups(), group -> array(group.columns(), column -> literal(names.get(column)))));
    }
}
