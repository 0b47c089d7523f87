package io.albis.trino.system;

import com.google.common.base.Suppliers;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Iterators;
import com.google.common.collect.Sets;
import io.albis.table.model.TableColumn;
import io.albis.table.version.AlbisTable;
import io.albis.trino.usage.ColumnUsage;
import io.albis.trino.usage.IndexProposal;
import io.albis.trino.usage.UsedColumns;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.connector.ColumnMetadata;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.connector.SystemTable;
import io.trino.spi.type.ArrayType;
import io.trino.spi.type.TimeZoneKey;

import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.DateTimeEncoding.packDateTimeWithZone;
import static io.trino.spi.type.TimestampWithTimeZoneType.TIMESTAMP_TZ_MILLIS;
import static io.trino.spi.type.VarcharType.VARCHAR;

/**
 * The columns that queries of this coordinator have read together.
 */
final class UsageTable
{
    private static final List<ColumnMetadata> COLUMNS = ImmutableList.of(
            new ColumnMetadata("columns", new ArrayType(VARCHAR)),
            new ColumnMetadata("filtered", new ArrayType(VARCHAR)),
            new ColumnMetadata("queries", BIGINT),
            new ColumnMetadata("last_used", TIMESTAMP_TZ_MILLIS),
            new ColumnMetadata("proposed_indexes", new ArrayType(VARCHAR)));

    private UsageTable() {}

    static SystemTable create(SchemaTableName name, AlbisTable table, ColumnUsage usage)
    {
        List<TableColumn> columns = table.version().columns();
        Set<Integer> ids = columns.stream().map(TableColumn::id).collect(toImmutableSet());
        // Without usage, no manifest is read
        Supplier<Set<Integer>> worthAnIndex = Suppliers.memoize(() -> IndexProposal.of(table.version(), table.sketches()));
        return new RowsTable(name, COLUMNS, session -> Iterators.transform(usage.find(table.uuid(), ids).iterator(), used -> row(columns, used, worthAnIndex, session.getTimeZoneKey())));
    }

    private static Object[] row(List<TableColumn> columns, UsedColumns used, Supplier<Set<Integer>> worthAnIndex, TimeZoneKey timeZone)
    {
        return new Object[] {
                names(columns, used.columns()),
                names(columns, used.filtered()),
                used.queries(),
                packDateTimeWithZone(used.lastUsed().toEpochMilli(), timeZone),
                names(columns, used.filtered().isEmpty() ? ImmutableSet.of() : Sets.intersection(used.filtered(), worthAnIndex.get())),
        };
    }

    private static Block names(List<TableColumn> columns, Set<Integer> ids)
    {
        BlockBuilder names = VARCHAR.createBlockBuilder(null, ids.size());
        for (TableColumn column : columns) {
            if (ids.contains(column.id())) {
                VARCHAR.writeString(names, column.name());
            }
        }
        return names.build();
    }
}
