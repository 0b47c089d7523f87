package io.albis.trino.system;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Iterators;
import io.albis.table.model.TableVersion;
import io.albis.table.model.VersionTotals;
import io.albis.table.path.TablePaths;
import io.albis.table.version.AlbisTable;
import io.albis.table.version.TableHistory;
import io.trino.spi.block.SqlMap;
import io.trino.spi.connector.ColumnMetadata;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.connector.SystemTable;
import io.trino.spi.type.MapType;
import io.trino.spi.type.TimeZoneKey;
import io.trino.spi.type.TypeOperators;

import java.util.List;
import java.util.Map;

import static io.airlift.slice.Slices.utf8Slice;
import static io.trino.spi.block.MapValueBuilder.buildMapValue;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.DateTimeEncoding.packDateTimeWithZone;
import static io.trino.spi.type.TimestampWithTimeZoneType.TIMESTAMP_TZ_MILLIS;
import static io.trino.spi.type.VarcharType.VARCHAR;

/**
 * The versions of a table, with what their commits did.
 */
final class SnapshotsTable
{
    private static final MapType SUMMARY = new MapType(VARCHAR, VARCHAR, new TypeOperators());

    private static final List<ColumnMetadata> COLUMNS = ImmutableList.of(
            new ColumnMetadata("committed_at", TIMESTAMP_TZ_MILLIS),
            new ColumnMetadata("snapshot_id", BIGINT),
            new ColumnMetadata("parent_id", BIGINT),
            new ColumnMetadata("operation", VARCHAR),
            new ColumnMetadata("manifest_list", VARCHAR),
            new ColumnMetadata("summary", SUMMARY));

    private SnapshotsTable() {}

    static SystemTable create(SchemaTableName name, AlbisTable table, TableHistory history)
    {
        TablePaths paths = new TablePaths(table.folder());
        return new RowsTable(name, COLUMNS, session -> Iterators.transform(history.versions(), version -> row(version, paths, session.getTimeZoneKey())));
    }

    private static Object[] row(TableVersion version, TablePaths paths, TimeZoneKey timeZone)
    {
        return new Object[] {
                packDateTimeWithZone(version.time().toEpochMilli(), timeZone),
                version.version(),
                HistoryTable.parent(version),
                utf8Slice(version.operation()),
                utf8Slice(paths.version(version.version()).toString()),
                summary(version),
        };
    }

    private static SqlMap summary(TableVersion version)
    {
        // The totals follow from the content of the version, so its file does not repeat them
        Map<String, String> summary = ImmutableMap.<String, String>builder()
                .putAll(version.summary())
                .putAll(VersionTotals.of(version).totals())
                .buildKeepingLast();
        return buildMapValue(SUMMARY, summary.size(), (keys, values) -> summary.forEach((key, value) -> {
            VARCHAR.writeString(keys, key);
            VARCHAR.writeString(values, value);
        }));
    }
}
