package io.albis.trino.config;

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.airlift.units.DataSize;
import io.albis.format.run.Compression;
import io.albis.format.schema.AlbisLayout;
import io.albis.table.model.IndexedColumns;
import io.albis.table.model.IsolationLevel;
import io.albis.table.model.PartitionFields;
import io.albis.table.model.SortColumns;
import io.trino.spi.ErrorCodeSupplier;
import io.trino.spi.TrinoException;
import io.trino.spi.session.PropertyMetadata;
import io.trino.spi.type.ArrayType;
import io.trino.spi.type.Type;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.plugin.base.session.PropertyMetadataUtil.dataSizeProperty;
import static io.trino.spi.StandardErrorCode.INVALID_TABLE_PROPERTY;
import static io.trino.spi.session.PropertyMetadata.enumProperty;
import static io.trino.spi.session.PropertyMetadata.longProperty;
import static io.trino.spi.session.PropertyMetadata.stringProperty;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.Locale.ENGLISH;

/**
 * Table properties: the properties in the {@code WITH} clause of {@code CREATE TABLE}. Each write uses the session
 * property in place of a size or row count that the table does not set.
 */
public class AlbisTableProperties
{
    public static final String LAYOUT = "layout";
    public static final String COLUMN_GROUPS = "column_groups";
    public static final String COLUMN_GROUP_LAYOUTS = "column_group_layouts";
    public static final String ROW_GROUP_SIZE = "row_group_size";
    public static final String ROW_GROUP_ROWS = "row_group_rows";
    public static final String SEGMENT_SIZE = "segment_size";
    public static final String COMPRESSION = "compression";
    public static final String COLUMN_GROUP_COMPRESSIONS = "column_group_compressions";
    public static final String ISOLATION_LEVEL = "isolation_level";
    public static final String SORTED_BY = SortColumns.PROPERTY;
    public static final String INDEXED_BY = IndexedColumns.PROPERTY;
    public static final String PARTITIONED_BY = PartitionFields.PROPERTY;
    public static final String LOCATION = "location";

    private static final String LAYOUTS = alternatives(Arrays.stream(AlbisLayout.values()).map(AlbisTableProperties::encodeLayout));
    private static final String COMPRESSIONS = alternatives(Arrays.stream(Compression.values()).map(Compression::toString));

    private final List<PropertyMetadata<?>> tableProperties;

    @Inject
    public AlbisTableProperties()
    {
        tableProperties = ImmutableList.<PropertyMetadata<?>>builder()
                .addAll(layoutProperties())
                .addAll(sizeProperties())
                .addAll(compressionProperties())
                .addAll(rowProperties())
                .add(stringProperty(
                        LOCATION,
                        "Folder of the table; the default is a new folder in the folder of the schema",
                        null,
                        false))
                .build();
    }

    private static List<PropertyMetadata<?>> layoutProperties()
    {
        return ImmutableList.of(
                new PropertyMetadata<>(
                        LAYOUT,
                        "Layout of the values in a file: 'block' for one column after the other, 'row' for one row after the other",
                        VARCHAR,
                        AlbisLayout.class,
                        null,
                        false,
                        value -> decodeLayout(INVALID_TABLE_PROPERTY, LAYOUT, (String) value),
                        AlbisTableProperties::encodeLayout),
                arrayProperty(
                        COLUMN_GROUPS,
                        "Groups of columns; the columns of a group are stored in one file",
                        new ArrayType(VARCHAR),
                        value -> decodeColumnGroups(INVALID_TABLE_PROPERTY, value),
                        value -> value),
                arrayProperty(
                        COLUMN_GROUP_LAYOUTS,
                        "Layout of each group in column_groups",
                        VARCHAR,
                        value -> decodeColumnGroupLayouts(INVALID_TABLE_PROPERTY, value),
                        AlbisTableProperties::encodeColumnGroupLayouts));
    }

    private static List<PropertyMetadata<?>> sizeProperties()
    {
        return ImmutableList.of(
                dataSizeProperty(
                        ROW_GROUP_SIZE,
                        PropertyDescriptions.ROW_GROUP_SIZE,
                        null,
                        value -> WriterLimits.checkRowGroupSize(INVALID_TABLE_PROPERTY, ROW_GROUP_SIZE, value),
                        false),
                longProperty(
                        ROW_GROUP_ROWS,
                        PropertyDescriptions.ROW_GROUP_ROWS,
                        null,
                        value -> WriterLimits.checkRowGroupRows(INVALID_TABLE_PROPERTY, ROW_GROUP_ROWS, value),
                        false),
                dataSizeProperty(
                        SEGMENT_SIZE,
                        PropertyDescriptions.SEGMENT_SIZE,
                        null,
                        value -> WriterLimits.checkSegmentSize(INVALID_TABLE_PROPERTY, SEGMENT_SIZE, value),
                        false));
    }

    private static List<PropertyMetadata<?>> compressionProperties()
    {
        return ImmutableList.of(
                new PropertyMetadata<>(
                        COMPRESSION,
                        "Compression of the values: " + COMPRESSIONS,
                        VARCHAR,
                        Compression.class,
                        null,
                        false,
                        value -> decodeCompression(INVALID_TABLE_PROPERTY, COMPRESSION, (String) value),
                        Compression::toString),
                arrayProperty(
                        COLUMN_GROUP_COMPRESSIONS,
                        "Compression of each group in column_groups",
                        VARCHAR,
                        value -> decodeColumnGroupCompressions(INVALID_TABLE_PROPERTY, value),
                        AlbisTableProperties::encodeColumnGroupCompressions));
    }

    private static List<PropertyMetadata<?>> rowProperties()
    {
        return ImmutableList.of(
                enumProperty(
                        ISOLATION_LEVEL,
                        "Whether a write fails if others have changed what it read (SERIALIZABLE), or only if they have changed the same rows (SNAPSHOT)",
                        IsolationLevel.class,
                        null,
                        false),
                arrayProperty(
                        SORTED_BY,
                        "Columns by which each writer sorts its rows, such as 'name DESC NULLS LAST'",
                        VARCHAR,
                        value -> decodeSortedBy(INVALID_TABLE_PROPERTY, value),
                        value -> value),
                arrayProperty(
                        PARTITIONED_BY,
                        "Columns, and functions of columns such as 'day(time)', by which rows are partitioned",
                        VARCHAR,
                        AlbisTableProperties::decodePartitionedBy,
                        value -> value),
                arrayProperty(
                        INDEXED_BY,
                        "Columns with an index, which finds the rows with a value without reading the others",
                        VARCHAR,
                        value -> decodeColumnNames(INVALID_TABLE_PROPERTY, INDEXED_BY, value),
                        value -> value));
    }

    /**
     * Returns a property of a table, or an argument of a procedure, that is an array and has no default.
     */
    public static PropertyMetadata<?> arrayProperty(String name, String description, Type elementType, Function<Object, List<?>> decoder, Function<List<?>, Object> encoder)
    {
        return new PropertyMetadata<>(
                name,
                description,
                new ArrayType(elementType),
                List.class,
                null,
                false,
                decoder::apply,
                encoder::apply);
    }

    public List<PropertyMetadata<?>> getTableProperties()
    {
        return tableProperties;
    }

    /**
     * Returns the properties of CREATE MATERIALIZED VIEW, which are those of the table with its rows.
     */
    public List<PropertyMetadata<?>> getMaterializedViewProperties()
    {
        return tableProperties.stream()
                .filter(property -> !property.getName().equals(LOCATION))
                .collect(toImmutableList());
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

    /**
     * Checks the size of row groups that a statement sets.
     *
     * @throws TrinoException with the given code if the size is out of bounds
     */
    public static void checkRowGroupSize(ErrorCodeSupplier errorCode, DataSize value)
    {
        WriterLimits.checkRowGroupSize(errorCode, ROW_GROUP_SIZE, value);
    }

    public static Optional<Long> getRowGroupRows(Map<String, Object> properties)
    {
        return Optional.ofNullable((Long) properties.get(ROW_GROUP_ROWS));
    }

    public static Optional<DataSize> getSegmentSize(Map<String, Object> properties)
    {
        return Optional.ofNullable((DataSize) properties.get(SEGMENT_SIZE));
    }

    public static Optional<Compression> getCompression(Map<String, Object> properties)
    {
        return Optional.ofNullable((Compression) properties.get(COMPRESSION));
    }

    @SuppressWarnings("unchecked")
    public static Optional<List<Compression>> getColumnGroupCompressions(Map<String, Object> properties)
    {
        return Optional.ofNullable((List<Compression>) properties.get(COLUMN_GROUP_COMPRESSIONS));
    }

    /**
     * Returns texts such as {@code name DESC NULLS LAST}.
     */
    @SuppressWarnings("unchecked")
    public static List<String> getSortedBy(Map<String, Object> properties)
    {
        return Optional.ofNullable((List<String>) properties.get(SORTED_BY)).orElse(ImmutableList.of());
    }

    /**
     * Returns texts such as {@code bucket(id, 16)}.
     */
    @SuppressWarnings("unchecked")
    public static List<String> getPartitionedBy(Map<String, Object> properties)
    {
        return Optional.ofNullable((List<String>) properties.get(PARTITIONED_BY)).orElse(ImmutableList.of());
    }

    /**
     * Returns the names of the columns with an index.
     */
    @SuppressWarnings("unchecked")
    public static List<String> getIndexedBy(Map<String, Object> properties)
    {
        return Optional.ofNullable((List<String>) properties.get(INDEXED_BY)).orElse(ImmutableList.of());
    }

    public static Optional<String> getLocation(Map<String, Object> properties)
    {
        return Optional.ofNullable((String) properties.get(LOCATION));
    }

    /**
     * Returns names for an error message: {@code 'a' or 'b'}, or {@code 'a', 'b', or 'c'}.
     */
    private static String alternatives(Stream<String> names)
    {
        List<String> quoted = names.map("'%s'"::formatted).collect(toImmutableList());
        int last = quoted.size() - 1;
        return String.join(", ", quoted.subList(0, last)) + (last > 1 ? ", or " : " or ") + quoted.get(last);
    }

    private static AlbisLayout decodeLayout(ErrorCodeSupplier errorCode, String property, String value)
    {
        for (AlbisLayout layout : AlbisLayout.values()) {
            if (layout.name().equalsIgnoreCase(value)) {
                return layout;
            }
        }
        throw new TrinoException(errorCode, "%s must be %s: %s".formatted(property, LAYOUTS, value));
    }

    private static String encodeLayout(AlbisLayout layout)
    {
        return layout.name().toLowerCase(ENGLISH);
    }

    private static Compression decodeCompression(ErrorCodeSupplier errorCode, String property, String value)
    {
        return Compression.find(value)
                .orElseThrow(() -> new TrinoException(errorCode, "%s must be %s: %s".formatted(property, COMPRESSIONS, value)));
    }

    /**
     * Decodes an array.
     *
     * @param nullMessage error message if an element is null
     */
    private static <T> List<T> decodeElements(ErrorCodeSupplier errorCode, Object value, String nullMessage, Function<Object, T> decoder)
    {
        ImmutableList.Builder<T> elements = ImmutableList.builder();
        for (Object element : (List<?>) value) {
            if (element == null) {
                throw new TrinoException(errorCode, nullMessage);
            }
            elements.add(decoder.apply(element));
        }
        return elements.build();
    }

    /**
     * @throws TrinoException with the given code if the value is not valid
     */
    public static List<Compression> decodeColumnGroupCompressions(ErrorCodeSupplier errorCode, Object value)
    {
        return decodeElements(
                errorCode,
                value,
                "column_group_compressions contains NULL; each compression must be " + COMPRESSIONS,
                compression -> decodeCompression(errorCode, COLUMN_GROUP_COMPRESSIONS, (String) compression));
    }

    private static List<String> encodeColumnGroupCompressions(List<?> compressions)
    {
        return compressions.stream()
                .map(Object::toString)
                .collect(toImmutableList());
    }

    /**
     * @throws TrinoException with the given code if an element is null
     */
    public static List<String> decodeSortedBy(ErrorCodeSupplier errorCode, Object value)
    {
        return decodeColumnNames(errorCode, SORTED_BY, value);
    }

    /**
     * @throws TrinoException with the given code if an element is null
     */
    public static List<String> decodeColumnNames(ErrorCodeSupplier errorCode, String property, Object value)
    {
        return decodeElements(errorCode, value, property + " contains NULL; each element must name a column", String.class::cast);
    }

    private static List<String> decodePartitionedBy(Object value)
    {
        return decodeElements(
                INVALID_TABLE_PROPERTY,
                value,
                "partitioned_by contains NULL; each element must name a column, or a function of a column",
                String.class::cast);
    }

    /**
     * @throws TrinoException with the given code if the value is not valid
     */
    public static List<AlbisLayout> decodeColumnGroupLayouts(ErrorCodeSupplier errorCode, Object value)
    {
        return decodeElements(
                errorCode,
                value,
                "column_group_layouts contains NULL; each layout must be " + LAYOUTS,
                layout -> decodeLayout(errorCode, COLUMN_GROUP_LAYOUTS, (String) layout));
    }

    private static List<String> encodeColumnGroupLayouts(List<?> layouts)
    {
        return layouts.stream()
                .map(AlbisLayout.class::cast)
                .map(AlbisTableProperties::encodeLayout)
                .collect(toImmutableList());
    }

    /**
     * @throws TrinoException with the given code if the value is not valid
     */
    public static List<List<String>> decodeColumnGroups(ErrorCodeSupplier errorCode, Object value)
    {
        return decodeElements(
                errorCode,
                value,
                "column_groups contains NULL; each group must be an array of column names",
                group -> decodeColumnGroup(errorCode, (List<?>) group));
    }

    private static List<String> decodeColumnGroup(ErrorCodeSupplier errorCode, List<?> group)
    {
        if (group.isEmpty()) {
            throw new TrinoException(errorCode, "column_groups contains a group without columns; each group must name at least one column");
        }
        return decodeElements(
                errorCode,
                group,
                "column_groups contains a group with NULL; each group must be an array of column names",
                name -> ((String) name).toLowerCase(ENGLISH));
    }
}
