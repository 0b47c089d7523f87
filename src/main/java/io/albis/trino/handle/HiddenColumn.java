package io.albis.trino.handle;

import com.google.common.collect.ImmutableList;
import io.trino.spi.type.RowType;
import io.trino.spi.type.Type;

import java.util.List;

import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.TimestampWithTimeZoneType.TIMESTAMP_TZ_MILLIS;
import static io.trino.spi.type.UuidType.UUID;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.Objects.requireNonNull;

/**
 * A column that every table has but does not store. It describes where a row is. {@code SELECT *} does not return it.
 */
public enum HiddenColumn
{
    /**
     * The folder of the row group.
     */
    PATH("$path", VARCHAR),
    /**
     * The id of the row group.
     */
    ROW_GROUP("$row_group", UUID),
    /**
     * The position of the row within its row group, which does not change when other rows are deleted.
     */
    ROW_POSITION("$row_position", BIGINT),
    /**
     * The time at which the newest files of the row group were written: when its rows were inserted or, later, columns
     * were updated in place.
     */
    FILE_MODIFIED_TIME("$file_modified_time", TIMESTAMP_TZ_MILLIS),
    /**
     * The address of a row for DELETE, UPDATE, and MERGE: its row group and its position. Queries cannot name it.
     */
    ROW_ID("$row_id", RowType.rowType(RowType.field("row_group", UUID), RowType.field("row_position", BIGINT)));

    /**
     * The columns that queries can name.
     */
    public static final List<HiddenColumn> SELECTABLE = ImmutableList.of(PATH, ROW_GROUP, ROW_POSITION, FILE_MODIFIED_TIME);

    private final String columnName;
    private final Type type;

    HiddenColumn(String columnName, Type type)
    {
        this.columnName = requireNonNull(columnName, "columnName is null");
        this.type = requireNonNull(type, "type is null");
    }

    public String columnName()
    {
        return columnName;
    }

    public Type type()
    {
        return type;
    }
}
