package io.albis.trino.relation;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.airlift.units.DataSize;
import io.albis.format.run.Compression;
import io.albis.format.write.WriterOptions;
import io.albis.table.model.IsolationLevel;
import io.albis.table.model.TableColumnGroup;
import io.albis.trino.config.AlbisTableProperties;
import io.trino.spi.session.PropertyMetadata;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static io.airlift.units.DataSize.Unit.KILOBYTE;
import static io.airlift.units.DataSize.Unit.MEGABYTE;
import static io.albis.format.schema.AlbisLayout.BLOCK;
import static io.albis.format.schema.AlbisLayout.ROW;
import static io.albis.trino.config.AlbisTableProperties.COLUMN_GROUPS;
import static io.albis.trino.config.AlbisTableProperties.COLUMN_GROUP_COMPRESSIONS;
import static io.albis.trino.config.AlbisTableProperties.COLUMN_GROUP_LAYOUTS;
import static io.albis.trino.config.AlbisTableProperties.INDEXED_BY;
import static io.albis.trino.config.AlbisTableProperties.LAYOUT;
import static io.albis.trino.config.AlbisTableProperties.LOCATION;
import static io.albis.trino.config.AlbisTableProperties.PARTITIONED_BY;
import static io.albis.trino.config.AlbisTableProperties.SORTED_BY;
import static io.albis.trino.error.AlbisErrorCode.ALBIS_DATA_TOO_NEW;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

final class TestStoredTableProperties
{
    private static final Set<String> STORED_IN_OTHER_WAYS = ImmutableSet.of(LAYOUT, COLUMN_GROUPS, COLUMN_GROUP_LAYOUTS, COLUMN_GROUP_COMPRESSIONS, SORTED_BY, PARTITIONED_BY, INDEXED_BY, LOCATION);

    private static final WriterOptions DEFAULTS = WriterOptions.DEFAULTS
            .withRowGroupBytes(1 << 25)
            .withRowGroupRows(123)
            .withSegmentBytes(1 << 20)
            .withNarrowWidths(false);

    /**
     * A new table property must either be stored, or be listed here as one that is stored in another way.
     */
    @Test
    void testRoundTripOfAllProperties()
    {
        ImmutableMap.Builder<String, Object> builder = ImmutableMap.builder();
        for (PropertyMetadata<?> property : new AlbisTableProperties().getTableProperties()) {
            if (!STORED_IN_OTHER_WAYS.contains(property.getName())) {
                builder.put(property.getName(), sampleValue(property));
            }
        }
        Map<String, Object> properties = builder.buildOrThrow();
        assertThat(properties).isNotEmpty();
        assertThat(StoredTableProperties.parse(StoredTableProperties.write(properties, ImmutableList.of()))).isEqualTo(properties);
    }

    /**
     * The text of a size has two decimals.
     */
    @Test
    void testExactSizes()
    {
        for (String size : new String[] {"0.0625GB", "0.004MB", "4097B", "64MB", "1.5MB"}) {
            Map<String, String> stored = StoredTableProperties.write(ImmutableMap.of("row_group_size", DataSize.valueOf(size)), ImmutableList.of());
            assertThat(StoredTableProperties.writerOptions(stored, DEFAULTS).rowGroupBytes()).as(size).isEqualTo(DataSize.valueOf(size).toBytes());
        }
        assertThat(StoredTableProperties.write(ImmutableMap.of("row_group_size", DataSize.valueOf("64MB")), ImmutableList.of())).containsEntry("row_group_size", "64MB");
    }

    private static Object sampleValue(PropertyMetadata<?> property)
    {
        if (property.getJavaType() == DataSize.class) {
            return DataSize.of(1536, KILOBYTE);
        }
        if (property.getJavaType() == Long.class) {
            return 1_000_000_000_000L;
        }
        if (property.getJavaType() == Compression.class) {
            return Compression.ZSTD;
        }
        if (property.getJavaType() == IsolationLevel.class) {
            return IsolationLevel.SNAPSHOT;
        }
        throw new AssertionError("no sample value for " + property.getName());
    }

    @Test
    void testStoredText()
    {
        assertThat(StoredTableProperties.write(ImmutableMap.of(
                "row_group_size", DataSize.of(2, MEGABYTE),
                "row_group_rows", 1000L,
                "location", "local:///elsewhere"), ImmutableList.of()))
                .isEqualTo(ImmutableMap.of("row_group_size", "2MB", "row_group_rows", "1000"));
    }

    @Test
    void testUnknownStoredProperty()
    {
        assertThat(StoredTableProperties.parse(ImmutableMap.of("unknown", "1"))).isEmpty();
    }

    @Test
    void testTextOfLaterVersion()
    {
        assertTrinoExceptionThrownBy(() -> StoredTableProperties.parse(ImmutableMap.of("segment_size", "large")))
                .hasErrorCode(ALBIS_DATA_TOO_NEW)
                .hasMessageContaining("segment_size with the value 'large'");
        assertTrinoExceptionThrownBy(() -> StoredTableProperties.parse(ImmutableMap.of("compression", "brotli")))
                .hasErrorCode(ALBIS_DATA_TOO_NEW)
                .hasMessageContaining("compression with the value 'brotli'");
        assertThat(StoredTableProperties.parse(ImmutableMap.of("isolation_level", "READ_COMMITTED")))
                .containsExactly(entry("isolation_level", IsolationLevel.SERIALIZABLE));
    }

    @Test
    void testWriterOptions()
    {
        assertThat(StoredTableProperties.writerOptions(ImmutableMap.of(), DEFAULTS)).isEqualTo(DEFAULTS);
        assertThat(StoredTableProperties.writerOptions(ImmutableMap.of("row_group_size", "2MB"), DEFAULTS))
                .isEqualTo(DEFAULTS.withRowGroupBytes(2 << 20));
        assertThat(StoredTableProperties.writerOptions(ImmutableMap.of("row_group_rows", "7"), DEFAULTS))
                .isEqualTo(DEFAULTS.withRowGroupRows(7));
        assertThat(StoredTableProperties.writerOptions(ImmutableMap.of("segment_size", "4kB"), DEFAULTS))
                .isEqualTo(DEFAULTS.withSegmentBytes(1 << 12));
        assertThat(StoredTableProperties.writerOptions(ImmutableMap.of("compression", "lz4"), DEFAULTS))
                .isEqualTo(DEFAULTS);
    }

    @Test
    void testColumnGroupCompressions()
    {
        List<TableColumnGroup> groups = ImmutableList.of(
                new TableColumnGroup(BLOCK, ImmutableList.of(1), Optional.of(Compression.LZ4)),
                new TableColumnGroup(ROW, ImmutableList.of(2)),
                new TableColumnGroup(BLOCK, ImmutableList.of(3), Optional.of(Compression.NONE)));
        assertThat(StoredTableProperties.columnGroupCompressions(groups, ImmutableMap.of()))
                .containsExactly(Compression.LZ4, Compression.NONE, Compression.NONE);
        assertThat(StoredTableProperties.columnGroupCompressions(groups, ImmutableMap.of("compression", "zstd")))
                .containsExactly(Compression.LZ4, Compression.ZSTD, Compression.NONE);
    }
}
