package io.albis.trino.maintenance;

import com.google.common.collect.ImmutableList;
import io.albis.trino.maintenance.MaintenanceFunctionHandle.Kind;
import io.trino.spi.Page;
import io.trino.spi.PageBuilder;
import io.trino.spi.function.table.Descriptor;
import io.trino.spi.type.Type;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.airlift.slice.Slices.utf8Slice;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.DateTimeEncoding.packDateTimeWithZone;
import static io.trino.spi.type.TimeZoneKey.UTC_KEY;
import static io.trino.spi.type.TimestampWithTimeZoneType.TIMESTAMP_TZ_MILLIS;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.Objects.requireNonNull;

/**
 * The columns of a table function.
 */
final class MaintenanceColumns
{
    private final List<Column> columns;

    private MaintenanceColumns(Column... columns)
    {
        this.columns = ImmutableList.copyOf(columns);
    }

    /**
     * @param value returns the native value of a row, or null
     */
    private record Column(String name, Type type, Function<MaintenanceRow, Object> value)
    {
        private Column
        {
            requireNonNull(name, "name is null");
            requireNonNull(type, "type is null");
            requireNonNull(value, "value is null");
        }
    }

    static MaintenanceColumns of(Kind kind)
    {
        return switch (kind) {
            case FIND_LOST_TABLES -> new MaintenanceColumns(
                    location(),
                    schemaName(),
                    tableName(),
                    text("state", row -> Optional.of(row.state())),
                    number("snapshot_id", MaintenanceRow::version),
                    number("row_count", MaintenanceRow::rows),
                    number("total_bytes", MaintenanceRow::bytes),
                    time());
            case VACUUM_CANDIDATES -> new MaintenanceColumns(
                    location(),
                    schemaName(),
                    tableName(),
                    text("reason", row -> Optional.of(row.state())),
                    number("file_count", MaintenanceRow::files),
                    number("total_bytes", MaintenanceRow::bytes),
                    time());
        };
    }

    private static Column location()
    {
        return text("location", row -> Optional.of(row.location()));
    }

    private static Column schemaName()
    {
        return text("schema_name", MaintenanceRow::schemaName);
    }

    private static Column tableName()
    {
        return text("table_name", MaintenanceRow::tableName);
    }

    private static Column time()
    {
        return new Column("last_changed_at", TIMESTAMP_TZ_MILLIS, row -> row.lastChange()
                .map(millis -> packDateTimeWithZone(millis, UTC_KEY))
                .orElse(null));
    }

    private static Column text(String name, Function<MaintenanceRow, Optional<String>> value)
    {
        return new Column(name, VARCHAR, row -> value.apply(row).map(text -> utf8Slice(text)).orElse(null));
    }

    private static Column number(String name, Function<MaintenanceRow, Optional<Long>> value)
    {
        return new Column(name, BIGINT, row -> value.apply(row).orElse(null));
    }

    Descriptor descriptor()
    {
        return new Descriptor(columns.stream()
                .map(column -> new Descriptor.Field(column.name(), Optional.of(column.type())))
                .collect(toImmutableList()));
    }

    Page page(List<MaintenanceRow> rows)
    {
        PageBuilder page = new PageBuilder(rows.size(), columns.stream()
                .map(Column::type)
                .collect(toImmutableList()));
        for (MaintenanceRow row : rows) {
            page.declarePosition();
            for (int channel = 0; channel < columns.size(); channel++) {
                writeNativeValue(columns.get(channel).type(), page.getBlockBuilder(channel), columns.get(channel).value().apply(row));
            }
        }
        return page.build();
    }
}
