package io.albis.trino.system;

import com.google.common.collect.ImmutableList;
import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.StatisticsDomains;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.table.model.TableColumn;
import io.trino.spi.block.SqlMap;
import io.trino.spi.block.SqlRow;
import io.trino.spi.type.MapType;
import io.trino.spi.type.RowType;
import io.trino.spi.type.TypeOperators;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.trino.spi.block.MapValueBuilder.buildMapValue;
import static io.trino.spi.block.RowValueBuilder.buildRowValue;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.TypeUtils.writeNativeValue;

/**
 * Converts the statistics of row groups to values of SQL. As in Iceberg, ids stand for the columns, because names
 * change.
 */
final class RowGroupStatistics
{
    static final MapType COUNTS = new MapType(INTEGER, BIGINT, new TypeOperators());

    private final List<TableColumn> columns;
    private final RowType boundsType;

    RowGroupStatistics(List<TableColumn> columns)
    {
        this.columns = ImmutableList.copyOf(columns);
        this.boundsType = RowType.from(columns.stream()
                .map(column -> RowType.field(String.valueOf(column.id()), column.type()))
                .collect(toImmutableList()));
    }

    RowType boundsType()
    {
        return boundsType;
    }

    SqlMap valueCounts(RowGroup rowGroup)
    {
        Set<Integer> stored = rowGroup.columnIds().stream().collect(toImmutableSet());
        return counts(column -> stored.contains(column.id()) ? Optional.of(rowGroup.rows()) : Optional.empty());
    }

    SqlMap nullCounts(RowGroup rowGroup)
    {
        return counts(column -> rowGroup.statistics(column.id()).map(ColumnStatistics::nullCount));
    }

    private SqlMap counts(Function<TableColumn, Optional<Long>> count)
    {
        return buildMapValue(COUNTS, columns.size(), (keys, values) -> {
            for (TableColumn column : columns) {
                count.apply(column).ifPresent(value -> {
                    INTEGER.writeInt(keys, column.id());
                    BIGINT.writeLong(values, value);
                });
            }
        });
    }

    SqlRow lowerBounds(RowGroup rowGroup)
    {
        return bounds(rowGroup, ColumnStatistics::min);
    }

    SqlRow upperBounds(RowGroup rowGroup)
    {
        return bounds(rowGroup, ColumnStatistics::max);
    }

    private SqlRow bounds(RowGroup rowGroup, Function<ColumnStatistics, Optional<byte[]>> bound)
    {
        return row(boundsType, columns.stream()
                .map(column -> bound(rowGroup, column.toAlbisColumn(), bound))
                .toList());
    }

    /**
     * Returns a bound of a column or a field. The bound of a row is a row of the bounds of its fields.
     *
     * @return null if there is no bound
     */
    private static Object bound(RowGroup rowGroup, AlbisColumn column, Function<ColumnStatistics, Optional<byte[]>> bound)
    {
        if (column.type() instanceof RowType type) {
            List<Object> fields = IntStream.range(0, type.getFields().size())
                    .mapToObj(index -> bound(rowGroup, field(column, type, index), bound))
                    .toList();
            return fields.stream().allMatch(Objects::isNull) ? null : row(type, fields);
        }
        Optional<ColumnStatistics> statistics = (column.isPart() ? rowGroup.statistics(column) : rowGroup.statistics(column.id()))
                .map(found -> found.forType(column.type()));
        return statistics.flatMap(bound)
                .map(bytes -> StatisticsDomains.toNativeValue(statistics.get(), column.type(), bytes))
                .orElse(null);
    }

    private static AlbisColumn field(AlbisColumn column, RowType type, int index)
    {
        RowType.Field field = type.getFields().get(index);
        List<Integer> path = ImmutableList.<Integer>builder().addAll(column.path()).add(column.fields().id(type, index)).build();
        return new AlbisColumn(column.id(), column.name(), field.getType(), Optional.empty(), column.fields().below(type, index), path);
    }

    private static SqlRow row(RowType type, List<Object> values)
    {
        return buildRowValue(type, fields -> {
            for (int i = 0; i < values.size(); i++) {
                writeNativeValue(type.getFields().get(i).getType(), fields.get(i), values.get(i));
            }
        });
    }
}
