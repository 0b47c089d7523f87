package io.albis.trino.handle;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.google.common.collect.ImmutableSet;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.RowGroupSchema;
import io.albis.format.update.RewritePlan;
import io.albis.format.write.WriterOptions;
import io.trino.spi.connector.RetryMode;

import java.util.List;
import java.util.Set;
import java.util.function.Function;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.trino.handle.ArgumentTexts.array;
import static java.util.Objects.requireNonNull;

/**
 * A run of the procedure add_index or drop_index, and the table that it reads.
 *
 * @param build the first property, so that it is checked first, see {@link HandleBuild}
 * @param table the version of the table that the statement reads, with the predicate that selects row groups
 * @param target the table, with options of writers that write the requested indexes
 * @param columnIds ids of the columns whose indexes are added or dropped
 * @param drop whether the indexes are dropped
 */
public record IndexHandle(HandleBuild build, AlbisTableHandle table, AlbisWritableTableHandle target, Set<Integer> columnIds, boolean drop, RetryMode retryMode)
        implements ColumnRewriteHandle
{
    @JsonCreator
    public IndexHandle
    {
        HandleBuild.checkPresent(build);
        requireNonNull(table, "table is null");
        requireNonNull(target, "target is null");
        columnIds = ImmutableSet.copyOf(columnIds);
        requireNonNull(retryMode, "retryMode is null");
    }

    public IndexHandle(AlbisTableHandle table, AlbisWritableTableHandle target, Set<Integer> columnIds, boolean drop, RetryMode retryMode)
    {
        this(HandleBuild.CURRENT, table, target, columnIds, drop, retryMode);
    }

    public static String procedure(boolean drop)
    {
        return drop ? "drop_index" : "add_index";
    }

    @Override
    public IndexHandle withTable(AlbisTableHandle table)
    {
        return new IndexHandle(build, table, target, columnIds, drop, retryMode);
    }

    @Override
    public Function<RowGroup, RewritePlan> planner()
    {
        RowGroupSchema schema = target.schema();
        return rowGroup -> RewritePlan.ofColumns(rowGroup, schema, target.writerOptions(), columnIds);
    }

    /**
     * Returns whether a row group has too many rows for the index.
     */
    public boolean isTooLarge(RowGroup rowGroup)
    {
        return !drop && rowGroup.rows() > WriterOptions.MAX_ROWS_WITH_INDEX;
    }

    /**
     * Returns what EXPLAIN shows, with the columns as an argument of the procedure.
     */
    @Override
    public String toString()
    {
        List<String> names = target.columns().stream()
                .filter(column -> columnIds.contains(column.id()))
                .map(AlbisColumnHandle::name)
                .collect(toImmutableList());
        return "%s:%s columns => %s".formatted(procedure(drop), table, array(names, ArgumentTexts::literal));
    }
}
