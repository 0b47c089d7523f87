package io.albis.trino.system;

import com.google.common.collect.ImmutableList;
import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.StatisticsDomains;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.statistics.StatisticsMerger;
import io.albis.format.type.NestedTypes;
import io.albis.table.model.TableColumn;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.block.RowBlockBuilder;
import io.trino.spi.block.SqlRow;
import io.trino.spi.type.RowType;
import io.trino.spi.type.Type;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.spi.block.RowValueBuilder.buildRowValue;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.TypeUtils.writeNativeValue;

/**
 * Merges the bounds and the numbers of nulls of the row groups of a partition. They include deleted rows.
 */
final class PartitionBounds
{
    private final List<TableColumn> columns;
    // empty if nothing is known about the column in one of the row groups
    private final List<Optional<StatisticsMerger>> mergers = new ArrayList<>();

    PartitionBounds(List<TableColumn> columns)
    {
        this.columns = ImmutableList.copyOf(columns);
        columns.forEach(column -> mergers.add(Optional.of(new StatisticsMerger(column.toAlbisColumn()))));
    }

    /**
     * Returns the columns that have bounds.
     */
    static List<TableColumn> columns(Collection<TableColumn> columns)
    {
        return columns.stream()
                .filter(column -> !NestedTypes.isNested(column.type()))
                .collect(toImmutableList());
    }

    static RowType type(List<TableColumn> columns)
    {
        return RowType.from(columns.stream()
                .map(column -> RowType.field(column.name(), type(column.type())))
                .collect(toImmutableList()));
    }

    private static RowType type(Type column)
    {
        return RowType.rowType(RowType.field("min", column), RowType.field("max", column), RowType.field("null_count", BIGINT));
    }

    void add(RowGroup rowGroup)
    {
        for (int i = 0; i < columns.size(); i++) {
            TableColumn column = columns.get(i);
            Optional<ColumnStatistics> statistics = statistics(rowGroup, column);
            if (statistics.isEmpty()) {
                mergers.set(i, Optional.empty());
            }
            else {
                mergers.get(i).ifPresent(merger -> merger.append(statistics.get(), rowGroup.rows()));
            }
        }
    }

    private static Optional<ColumnStatistics> statistics(RowGroup rowGroup, TableColumn column)
    {
        if (rowGroup.columnGroup(column.id()).isEmpty()) {
            return Optional.of(ColumnStatistics.ofMissing(column.toAlbisColumn(), rowGroup.rows()));
        }
        return rowGroup.statistics(column.id()).map(found -> found.forType(column.type()));
    }

    SqlRow finish()
    {
        return buildRowValue(type(columns), builders -> {
            for (int i = 0; i < columns.size(); i++) {
                append(columns.get(i).type(), mergers.get(i).map(StatisticsMerger::finish), builders.get(i));
            }
        });
    }

    private static void append(Type type, Optional<ColumnStatistics> statistics, BlockBuilder builder)
    {
        if (statistics.isEmpty()) {
            builder.appendNull();
            return;
        }
        ColumnStatistics merged = statistics.get();
        ((RowBlockBuilder) builder).buildEntry(fields -> {
            writeNativeValue(type, fields.get(0), merged.min().map(bytes -> StatisticsDomains.toNativeValue(merged, type, bytes)).orElse(null));
            writeNativeValue(type, fields.get(1), merged.max().map(bytes -> StatisticsDomains.toNativeValue(merged, type, bytes)).orElse(null));
            BIGINT.writeLong(fields.get(2), merged.nullCount());
        });
    }
}
