package io.albis.trino.relation;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.airlift.units.DataSize;
import io.albis.format.run.Compression;
import io.albis.format.write.WriterOptions;
import io.albis.table.model.IndexedColumns;
import io.albis.table.model.IsolationLevel;
import io.albis.table.model.PartitionField;
import io.albis.table.model.PartitionFields;
import io.albis.table.model.SortColumn;
import io.albis.table.model.SortColumns;
import io.albis.table.model.TableColumn;
import io.albis.table.model.TableColumnGroup;
import io.trino.spi.TrinoException;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.trino.config.AlbisTableProperties.COMPRESSION;
import static io.albis.trino.config.AlbisTableProperties.INDEXED_BY;
import static io.albis.trino.config.AlbisTableProperties.ISOLATION_LEVEL;
import static io.albis.trino.config.AlbisTableProperties.PARTITIONED_BY;
import static io.albis.trino.config.AlbisTableProperties.ROW_GROUP_ROWS;
import static io.albis.trino.config.AlbisTableProperties.ROW_GROUP_SIZE;
import static io.albis.trino.config.AlbisTableProperties.SEGMENT_SIZE;
import static io.albis.trino.config.AlbisTableProperties.SORTED_BY;
import static io.albis.trino.config.AlbisTableProperties.getCompression;
import static io.albis.trino.config.AlbisTableProperties.getIndexedBy;
import static io.albis.trino.config.AlbisTableProperties.getPartitionedBy;
import static io.albis.trino.config.AlbisTableProperties.getRowGroupRows;
import static io.albis.trino.config.AlbisTableProperties.getRowGroupSize;
import static io.albis.trino.config.AlbisTableProperties.getSegmentSize;
import static io.albis.trino.config.AlbisTableProperties.getSortedBy;
import static io.albis.trino.error.AlbisErrorCode.ALBIS_DATA_TOO_NEW;
import static io.trino.spi.StandardErrorCode.INVALID_TABLE_PROPERTY;
import static java.lang.Math.toIntExact;

/**
 * Converts table properties to and from the text that a version of a table stores. A table stores only properties that
 * it sets. Column groups, layouts, and the location are not among them, because tables store them in other ways. {@link
 * SortFields}, {@link PartitionTexts}, and {@link IndexFields} parse the columns by which rows are sorted and
 * partitioned and those with an index, which requires the columns of the table.
 */
public final class StoredTableProperties
{
    // parsers of the stored texts, which are the results of toString
    private static final Map<String, Function<String, Object>> PARSERS = ImmutableMap.of(
            ROW_GROUP_SIZE, DataSize::valueOf,
            ROW_GROUP_ROWS, Long::valueOf,
            SEGMENT_SIZE, DataSize::valueOf,
            COMPRESSION, StoredTableProperties::parseCompression,
            ISOLATION_LEVEL, text -> IsolationLevel.of(ImmutableMap.of(IsolationLevel.PROPERTY, text)));

    private StoredTableProperties() {}

    /**
     * Returns the names of the properties that are stored, including the columns by which rows are sorted and
     * partitioned.
     */
    static Set<String> names()
    {
        return ImmutableSet.<String>builder().addAll(PARSERS.keySet()).add(SORTED_BY).add(PARTITIONED_BY).add(INDEXED_BY).build();
    }

    /**
     * Returns the stored texts of those table properties that are stored.
     *
     * @param properties values of table properties, as the engine passes them to CREATE TABLE; other properties are
     *         ignored, and so are properties that are null
     * @param columns columns of the table
     * @throws TrinoException with code INVALID_TABLE_PROPERTY if rows cannot be sorted or partitioned as the
     *         properties say
     */
    public static Map<String, String> write(Map<String, Object> properties, List<TableColumn> columns)
    {
        ImmutableMap.Builder<String, String> stored = ImmutableMap.builder();
        for (String name : PARSERS.keySet()) {
            Object value = properties.get(name);
            if (value != null) {
                stored.put(name, text(value));
            }
        }
        List<SortColumn> sorted = SortFields.parse(getSortedBy(properties), columns, INVALID_TABLE_PROPERTY);
        if (!sorted.isEmpty()) {
            stored.put(SORTED_BY, SortColumns.format(sorted));
        }
        List<PartitionField> partitioned = PartitionTexts.parse(getPartitionedBy(properties), columns);
        if (!partitioned.isEmpty()) {
            stored.put(PARTITIONED_BY, PartitionFields.format(partitioned));
        }
        Set<Integer> indexed = IndexFields.parse(getIndexedBy(properties), columns, INDEXED_BY, INVALID_TABLE_PROPERTY);
        if (!indexed.isEmpty()) {
            stored.put(INDEXED_BY, IndexedColumns.format(indexed));
        }
        return stored.buildOrThrow();
    }

    /**
     * Returns a text from which the same value is parsed. The text of a size has two decimals, which is not always
     * enough.
     */
    private static String text(Object value)
    {
        String text = value.toString();
        return value instanceof DataSize size && DataSize.valueOf(text).toBytes() != size.toBytes() ? size.toBytesValueString() : text;
    }

    /**
     * Returns the values of table properties, without the columns by which rows are sorted and partitioned.
     *
     * @param stored texts by name of the property; other names are ignored
     * @throws TrinoException with code ALBIS_DATA_TOO_NEW if a text is not a value of its property
     */
    public static Map<String, Object> parse(Map<String, String> stored)
    {
        ImmutableMap.Builder<String, Object> properties = ImmutableMap.builder();
        PARSERS.forEach((name, parser) -> Optional.ofNullable(stored.get(name))
                .ifPresent(text -> properties.put(name, parse(name, text, parser))));
        return properties.buildOrThrow();
    }

    private static Object parse(String name, String text, Function<String, Object> parser)
    {
        try {
            return parser.apply(text);
        }
        catch (IllegalArgumentException e) {
            throw new TrinoException(ALBIS_DATA_TOO_NEW, "The table has the property %s with the value '%s', which this version of Albis does not know".formatted(name, text), e);
        }
    }

    private static Compression parseCompression(String text)
    {
        return Compression.find(text)
                .orElseThrow(() -> new IllegalArgumentException("unknown compression: " + text));
    }

    /**
     * Returns the compression of each column group.
     *
     * @throws TrinoException with code ALBIS_DATA_TOO_NEW if a text is not a value of its property
     */
    public static List<Compression> columnGroupCompressions(List<TableColumnGroup> columnGroups, Map<String, String> stored)
    {
        Compression ofTable = getCompression(parse(stored)).orElse(Compression.NONE);
        return columnGroups.stream()
                .map(group -> group.compression().orElse(ofTable))
                .collect(toImmutableList());
    }

    /**
     * Returns the options for writes to a table: those that the table stores, and the defaults for the others. They do
     * not include the compression, which {@link #columnGroupCompressions} returns.
     *
     * @throws TrinoException with code ALBIS_DATA_TOO_NEW if a text is not a value of its property
     */
    public static WriterOptions writerOptions(Map<String, String> stored, WriterOptions defaults)
    {
        Map<String, Object> properties = parse(stored);
        return defaults
                .withRowGroupBytes(getRowGroupSize(properties).map(DataSize::toBytes).orElse(defaults.rowGroupBytes()))
                .withRowGroupRows(getRowGroupRows(properties).orElse(defaults.rowGroupRows()))
                .withSegmentBytes(getSegmentSize(properties).map(size -> toIntExact(size.toBytes())).orElse(defaults.segmentBytes()));
    }
}
