package io.albis.trino.config;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.airlift.units.DataSize;
import io.airlift.units.Duration;
import io.airlift.units.MinDataSize;
import io.albis.format.run.Compression;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.write.WriterOptions;
import jakarta.validation.constraints.NotNull;
import org.junit.jupiter.api.Test;

import java.util.Map;

import static io.airlift.configuration.testing.ConfigAssertions.assertFullMapping;
import static io.airlift.configuration.testing.ConfigAssertions.assertRecordedDefaults;
import static io.airlift.configuration.testing.ConfigAssertions.recordDefaults;
import static io.airlift.testing.ValidationAssertions.assertFailsValidation;
import static io.airlift.testing.ValidationAssertions.assertValidates;
import static io.airlift.units.DataSize.Unit.KILOBYTE;
import static io.airlift.units.DataSize.Unit.MEGABYTE;
import static io.trino.spi.StandardErrorCode.INVALID_SESSION_PROPERTY;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class TestAlbisConfig
{
    @Test
    void testDefaults()
    {
        assertRecordedDefaults(recordDefaults(AlbisConfig.class)
                .setWarehouse(null)
                .setAllowedLocations(ImmutableList.of())
                .setRowGroupSize(DataSize.succinctBytes(WriterOptions.DEFAULTS.rowGroupBytes()))
                .setRowGroupRows(WriterOptions.DEFAULTS.rowGroupRows())
                .setSegmentSize(DataSize.succinctBytes(WriterOptions.DEFAULTS.segmentBytes()))
                .setUpdateRewriteThreshold(0.05)
                .setUpdateBufferSize(DataSize.of(64, MEGABYTE))
                .setSortBufferSize(DataSize.of(64, MEGABYTE))
                .setPartitionBufferSize(DataSize.of(128, MEGABYTE))
                .setNarrowWidths(true)
                .setDictionaries(true)
                .setDefaultColumnGroups(DefaultGrouping.TABLE)
                .setDefaultLayout(AlbisLayout.BLOCK)
                .setDefaultCompression(Compression.NONE)
                .setRowGroupPruning(true)
                .setSegmentPruning(true)
                .setRowFiltering(true)
                .setProjectionPushdownEnabled(true)
                .setDynamicRowFiltering(true)
                .setLazyReading(true)
                .setIndexEnabled(true)
                .setMaxSplitSize(DataSize.of(32, MEGABYTE))
                .setDynamicFilteringWaitTimeout(new Duration(1, SECONDS)));
    }

    @Test
    void testExplicitPropertyMappings()
    {
        Map<String, String> properties = ImmutableMap.<String, String>builder()
                .put("albis.warehouse", "hdfs://namenode/albis")
                .put("albis.allowed-locations", "hdfs://namenode/shared,s3://bucket/shared/")
                .put("albis.row-group-size", "64MB")
                .put("albis.row-group-rows", "1000000")
                .put("albis.segment-size", "256kB")
                .put("albis.update-rewrite-threshold", "0.5")
                .put("albis.update-buffer-size", "1MB")
                .put("albis.sort-buffer-size", "2MB")
                .put("albis.partition-buffer-size", "3MB")
                .put("albis.narrow-widths", "false")
                .put("albis.dictionaries", "false")
                .put("albis.default-column-groups", "COLUMN")
                .put("albis.default-layout", "ROW")
                .put("albis.default-compression", "ZSTD")
                .put("albis.row-group-pruning", "false")
                .put("albis.segment-pruning", "false")
                .put("albis.row-filtering", "false")
                .put("albis.projection-pushdown-enabled", "false")
                .put("albis.dynamic-row-filtering", "false")
                .put("albis.lazy-reading", "false")
                .put("albis.index-enabled", "false")
                .put("albis.max-split-size", "16MB")
                .put("albis.dynamic-filtering.wait-timeout", "1m")
                .buildOrThrow();

        assertFullMapping(properties, new AlbisConfig()
                .setWarehouse("hdfs://namenode/albis")
                .setAllowedLocations(ImmutableList.of("hdfs://namenode/shared", "s3://bucket/shared/"))
                .setRowGroupSize(DataSize.of(64, MEGABYTE))
                .setRowGroupRows(1_000_000)
                .setSegmentSize(DataSize.of(256, KILOBYTE))
                .setUpdateRewriteThreshold(0.5)
                .setUpdateBufferSize(DataSize.of(1, MEGABYTE))
                .setSortBufferSize(DataSize.of(2, MEGABYTE))
                .setPartitionBufferSize(DataSize.of(3, MEGABYTE))
                .setNarrowWidths(false)
                .setDictionaries(false)
                .setDefaultColumnGroups(DefaultGrouping.COLUMN)
                .setDefaultLayout(AlbisLayout.ROW)
                .setDefaultCompression(Compression.ZSTD)
                .setRowGroupPruning(false)
                .setSegmentPruning(false)
                .setRowFiltering(false)
                .setProjectionPushdownEnabled(false)
                .setDynamicRowFiltering(false)
                .setLazyReading(false)
                .setIndexEnabled(false)
                .setMaxSplitSize(DataSize.of(16, MEGABYTE))
                .setDynamicFilteringWaitTimeout(new Duration(1, MINUTES)));
    }

    @Test
    void testLimitsAreThoseOfTheWriter()
    {
        assertThat(DataSize.valueOf(WriterLimits.MIN_ROW_GROUP_SIZE).toBytes()).isEqualTo(WriterOptions.MIN_ROW_GROUP_BYTES);
        assertThat(DataSize.valueOf(WriterLimits.MIN_SEGMENT_SIZE).toBytes()).isEqualTo(WriterOptions.MIN_SEGMENT_BYTES);
        assertThat(DataSize.valueOf(WriterLimits.MAX_SEGMENT_SIZE).toBytes()).isEqualTo(WriterOptions.MAX_SEGMENT_BYTES);
    }

    @Test
    void testBufferSizes()
    {
        AlbisConfig config = new AlbisConfig().setWarehouse("local:///albis");
        assertValidates(config.setUpdateBufferSize(DataSize.ofBytes(0)).setSortBufferSize(DataSize.of(1, KILOBYTE)).setPartitionBufferSize(DataSize.ofBytes(0)));
        // each page would be a sequence of its own
        assertFailsValidation(config.setSortBufferSize(DataSize.ofBytes(0)), "sortBufferSize", "must be greater than or equal to 1kB", MinDataSize.class);
        assertThatThrownBy(() -> WriterLimits.checkSortBufferSize(INVALID_SESSION_PROPERTY, "sort_buffer_size", DataSize.ofBytes(0)))
                .hasMessage("sort_buffer_size must be between 1kB and 8GB: 0B");
        WriterLimits.checkSortBufferSize(INVALID_SESSION_PROPERTY, "sort_buffer_size", DataSize.of(1, KILOBYTE));

        assertFailsValidation(config.setUpdateBufferSize(null), "updateBufferSize", "must not be null", NotNull.class);
        assertFailsValidation(config.setSortBufferSize(null), "sortBufferSize", "must not be null", NotNull.class);
        assertFailsValidation(config.setPartitionBufferSize(null), "partitionBufferSize", "must not be null", NotNull.class);
    }

    @Test
    void testWarehouseLocation()
    {
        assertThat(new AlbisConfig().setWarehouse("local:///albis").isWarehouseLocation()).isTrue();
        assertThat(new AlbisConfig().setWarehouse("local:///").isWarehouseLocation()).isTrue();
        assertThat(new AlbisConfig().setWarehouse("hdfs://namenode:8020/albis").isWarehouseLocation()).isTrue();
        assertThat(new AlbisConfig().setWarehouse("s3://bucket/albis").isWarehouseLocation()).isTrue();
        assertThat(new AlbisConfig().setWarehouse("/albis").isWarehouseLocation()).isFalse();
        assertThat(new AlbisConfig().setWarehouse("albis").isWarehouseLocation()).isFalse();
        assertThat(new AlbisConfig().setWarehouse("").isWarehouseLocation()).isFalse();
    }
}
