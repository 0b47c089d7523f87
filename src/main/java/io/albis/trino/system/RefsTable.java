package io.albis.trino.system;

import com.google.common.collect.ImmutableList;
import io.albis.table.version.AlbisTable;
import io.albis.table.version.TableHistory;
import io.trino.spi.connector.ColumnMetadata;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.connector.SystemTable;

import java.util.List;

import static io.airlift.slice.Slices.utf8Slice;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.VarcharType.VARCHAR;

/**
 * The names of versions. The newest version has the name {@code main}, as in Iceberg.
 */
final class RefsTable
{
    private static final List<ColumnMetadata> COLUMNS = ImmutableList.of(
            new ColumnMetadata("name", VARCHAR),
            new ColumnMetadata("type", VARCHAR),
            new ColumnMetadata("snapshot_id", BIGINT),
            new ColumnMetadata("max_reference_age_in_ms", BIGINT),
            new ColumnMetadata("min_snapshots_to_keep", INTEGER),
            new ColumnMetadata("max_snapshot_age_in_ms", BIGINT));

    private RefsTable() {}

    static SystemTable create(SchemaTableName name, AlbisTable table)
    {
        ImmutableList.Builder<Object[]> rows = ImmutableList.builder();
        rows.add(row(TableHistory.NEWEST, "BRANCH", table.version().version()));
        table.version().tags().forEach((tag, version) -> rows.add(row(tag, "TAG", version)));
        return new RowsTable(name, COLUMNS, _ -> rows.build().iterator());
    }

    private static Object[] row(String name, String type, long version)
    {
        // nothing removes a version by itself, so there are no limits
        return new Object[] {utf8Slice(name), utf8Slice(type), version, null, null, null};
    }
}
