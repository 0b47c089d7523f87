package io.albis.trino.config;

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.airlift.units.DataSize;
import io.albis.format.schema.AlbisLayout;
import io.trino.spi.TrinoException;
import io.trino.spi.session.PropertyMetadata;
import io.trino.spi.type.ArrayType;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.plugin.base.session.PropertyMetadataUtil.dataSizeProperty;
import static io.trino.spi.StandardErrorCode.INVALID_TABLE_PROPERTY;
import static io.trino.spi.session.PropertyMetadata.longProperty;
import static io.trino.spi.session.PropertyMetadata.stringProperty;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.Locale.ENGLISH;

/**
 * What CREATE TABLE ... WITH takes. A property that is not set follows the session at the time of each write.
 */
public class AlbisTableProperties
{
    public static final String LAYOUT = "layout";
    public static final String COLUMN_GROUPS = "column_groups";
    public static final String COLUMN_GROUP_LAYOUTS = "column_group_layouts";
    public static final String ROW_GROUP_SIZE = "row_group_size";
    public static final String ROW_GROUP_ROWS = "row_group_rows";
    public static final String SEGMENT_SIZE = "segment_size";
    public static final String LOCATION = "location";

    private final List<PropertyMetadata<?>> tableProperties;

    @Inject
    public AlbisTableProperties()
    {
        tableProperties = ImmutableList.<PropertyMetadata<?>>builder()
                .add(new PropertyMetadata<>(
                        LAYOUT,
                        "How values stand in a file: 'block' for one column after the other, 'row' for one row after the other",
                        VARCHAR,
                        AlbisLayout.class,
                        null,
                        false,
                        value -> decodeLayout(LAYOUT, (String) value),
                        AlbisTableProperties::encodeLayout))
                .add(new PropertyMetadata<>(
                        COLUMN_GROUPS,
                        "Names of the columns that stand together in one file, for each such group",
                        new ArrayType(new ArrayType(VARCHAR)),
                        List.class,
                        null,
                        false,
                        AlbisTableProperties::decodeColumnGroups,
                        value -> value))
                .add(new PropertyMetadata<>(
                        COLUMN_GROUP_LAYOUTS,
                        "Layout of each of the column_groups",
                        new ArrayType(VARCHAR),
                        List.class,
                        null,
                        false,
                        AlbisTableProperties::decodeColumnGroupLayouts,
                        AlbisTableProperties::encodeColumnGroupLayouts))
                .add(dataSizeProperty(
                        ROW_GROUP_SIZE,
                        "A row group is closed when it takes this many bytes on storage",
                        null,
                        value -> WriterLimits.checkRowGroupSize(INVALID_TABLE_PROPERTY, ROW_GROUP_SIZE, value),
                        false))
                .add(longProperty(
                        ROW_GROUP_ROWS,
                        "A row group is closed when it holds this many rows",
                        null,
                        value -> WriterLimits.checkRowGroupRows(INVALID_TABLE_PROPERTY, ROW_GROUP_ROWS, value),
                        false))
                .add(dataSizeProperty(
                        SEGMENT_SIZE,
                        "A segment is closed when its widest column (block layout) or column group (row layout) holds this many bytes, counted as in memory",
                        null,
                        value -> WriterLimits.checkSegmentSize(INVALID_TABLE_PROPERTY, SEGMENT_SIZE, value),
                        false))
                .add(stringProperty(
                        LOCATION,
                        "Folder of the table; without it a new folder in that of the schema",
                        null,
                        false))
                .build();
    }

    public List<PropertyMetadata<?>> getTableProperties()
    {
        return tableProperties;
    }

    public static Optional<AlbisLayout> getLayout(Map<String, Object> properties)
    {
        return Optional.ofNullable((AlbisLayout) properties.get(LAYOUT));
    }

    @SuppressWarnings("unchecked")
    public static Optional<List<AlbisLayout>> getColumnGroupLayouts(Map<String, Object> properties)
    {
        return Optional.ofNullable((List<AlbisLayout>) properties.get(COLUMN_GROUP_LAYOUTS));
    }

    @SuppressWarnings("unchecked")
    public static Optional<List<List<String>>> getColumnGroups(Map<String, Object> properties)
    {
        return Optional.ofNullable((List<List<String>>) properties.get(COLUMN_GROUPS));
    }

    public static Optional<DataSize> getRowGroupSize(Map<String, Object> properties)
    {
        return Optional.ofNullable((DataSize) properties.get(ROW_GROUP_SIZE));
    }

    public static Optional<Long> getRowGroupRows(Map<String, Object> properties)
    {
        return Optional.ofNullable((Long) properties.get(ROW_GROUP_ROWS));
    }

    public static Optional<DataSize> getSegmentSize(Map<String, Object> properties)
    {
        return Optional.ofNullable((DataSize) properties.get(SEGMENT_SIZE));
    }

    public static Optional<String> getLocation(Map<String, Object> properties)
    {
        return Optional.ofNullable((String) properties.get(LOCATION));
    }

    private static AlbisLayout decodeLayout(String property, String value)
    {
        for (AlbisLayout layout : AlbisLayout.values()) {
            if (layout.name().equalsIgnoreCase(value)) {
                return layout;
            }
        }
        throw new TrinoException(INVALID_TABLE_PROPERTY, "%s must be 'row' or 'block': %s".formatted(property, value));
    }

    private static String encodeLayout(AlbisLayout layout)
    {
        return layout.name().toLowerCase(ENGLISH);
    }

    private static List<AlbisLayout> decodeColumnGroupLayouts(Object value)
    {
        return ((List<?>) value).stream()
                .map(layout -> {
                    if (layout == null) {
                        throw new TrinoException(INVALID_TABLE_PROPERTY, "column_group_layouts holds NULL where 'row' or 'block' has to be");
                    }
                    return decodeLayout(COLUMN_GROUP_LAYOUTS, (String) layout);
                })
                .collect(toImmutableList());
    }

    private static List<String> encodeColumnGroupLayouts(List<?> layouts)
    {
        return layouts.stream()
                .map(AlbisLayout.class::cast)
                .map(AlbisTableProperties::encodeLayout)
                .collect(toImmutableList());
    }

    private static List<List<String>> decodeColumnGroups(Object value)
    {
        return ((List<?>) value).stream()
                .map(group -> {
                    if (group == null) {
                        throw new TrinoException(INVALID_TABLE_PROPERTY, "column_groups holds NULL where a group, an array of column names, has to be");
                    }
                    return decodeColumnGroup((List<?>) group);
                })
                .collect(toImmutableList());
    }

    private static List<String> decodeColumnGroup(List<?> group)
    {
        if (group.isEmpty()) {
            throw new TrinoException(INVALID_TABLE_PROPERTY, "column_groups holds a group without columns");
        }
        return group.stream()
                .map(name -> {
                    if (name == null) {
                        throw new TrinoException(INVALID_TABLE_PROPERTY, "column_groups holds NULL where the name of a column has to be");
                    }
                    return ((String) name).toLowerCase(ENGLISH);
                })
                .collect(toImmutableList());
    }
}
