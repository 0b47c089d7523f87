package io.albis.trino.system;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.Longs;
import io.albis.table.model.TableVersion;
import io.albis.table.version.TableHistory;
import io.trino.spi.connector.ColumnMetadata;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.connector.SystemTable;
import io.trino.spi.type.TimeZoneKey;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

import static io.albis.table.model.TableOperation.ROLLBACK;
import static io.albis.table.model.TableVersion.FIRST_VERSION;
import static io.albis.table.version.Rollback.RESTORED_VERSION;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.BooleanType.BOOLEAN;
import static io.trino.spi.type.DateTimeEncoding.packDateTimeWithZone;
import static io.trino.spi.type.TimestampWithTimeZoneType.TIMESTAMP_TZ_MILLIS;

/**
 * The order in which the versions of a table became the newest.
 */
final class HistoryTable
{
    private static final List<ColumnMetadata> COLUMNS = ImmutableList.of(
            new ColumnMetadata("made_current_at", TIMESTAMP_TZ_MILLIS),
            new ColumnMetadata("snapshot_id", BIGINT),
            new ColumnMetadata("parent_id", BIGINT),
            new ColumnMetadata("is_current_ancestor", BOOLEAN));

    private static final int VERSION = 1;
    private static final int PARENT = 2;
    private static final int IS_ANCESTOR = 3;

    private HistoryTable() {}

    static SystemTable create(SchemaTableName name, TableHistory history)
    {
        return new RowsTable(name, COLUMNS, session -> rows(history, session.getTimeZoneKey()));
    }

    private static Iterator<Object[]> rows(TableHistory history, TimeZoneKey timeZone)
    {
        List<Object[]> rows = new ArrayList<>();
        history.versions().forEachRemaining(version -> rows.add(new Object[] {
                packDateTimeWithZone(version.time().toEpochMilli(), timeZone),
                version.version(),
                parent(version),
                false,
        }));
        markAncestors(rows);
        return rows.iterator();
    }

    private static void markAncestors(List<Object[]> rows)
    {
        // the newest version is its own ancestor, and a parent is older than its child
        Object ancestor = rows.getLast()[VERSION];
        for (Object[] row : rows.reversed()) {
            if (row[VERSION].equals(ancestor)) {
                row[IS_ANCESTOR] = true;
                ancestor = row[PARENT];
            }
        }
    }

    /**
     * Returns the number of the version from which a version was made: the one before it, or the one that a rollback
     * has restored.
     */
    static Long parent(TableVersion version)
    {
        if (version.operation().equals(ROLLBACK.label())) {
            // null if another writer has not said which version it restored
            return Longs.tryParse(version.summary().getOrDefault(RESTORED_VERSION, ""));
        }
        return version.version() == FIRST_VERSION ? null : version.version() - 1;
    }
}
