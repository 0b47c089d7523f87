package io.albis.trino.config;

import com.google.common.collect.ImmutableList;
import io.airlift.configuration.Config;
import io.airlift.configuration.ConfigDescription;
import io.airlift.units.DataSize;
import io.airlift.units.Duration;
import io.airlift.units.MaxDataSize;
import io.airlift.units.MinDataSize;
import io.albis.format.run.Compression;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.write.WriterOptions;
import io.trino.filesystem.Location;
import jakarta.validation.constraints.AssertTrue;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;

import java.util.List;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.airlift.units.DataSize.Unit.MEGABYTE;
import static java.util.concurrent.TimeUnit.SECONDS;

/**
 * Configuration properties of a catalog: the location of its tables, how they are written, and how predicates are
 * applied to them. Most of the properties are also the defaults of session properties.
 * {@link AlbisReadConfig} has the properties for caches and storage reads.
 */
public class AlbisConfig
{
    private String warehouse;
    private List<String> allowedLocations = ImmutableList.of();
    private DataSize rowGroupSize = DataSize.succinctBytes(WriterOptions.DEFAULTS.rowGroupBytes());
    private long rowGroupRows = WriterOptions.DEFAULTS.rowGroupRows();
    private DataSize segmentSize = DataSize.succinctBytes(WriterOptions.DEFAULTS.segmentBytes());
    private double updateRewriteThreshold = 0.05;
    private DataSize updateBufferSize = DataSize.of(64, MEGABYTE);
    private DataSize sortBufferSize = DataSize.of(64, MEGABYTE);
    private DataSize partitionBufferSize = DataSize.of(128, MEGABYTE);
    private boolean narrowWidths = WriterOptions.DEFAULTS.narrowWidths();
    private boolean dictionaries = WriterOptions.DEFAULTS.dictionaries();
    private DefaultGrouping defaultColumnGroups = DefaultGrouping.TABLE;
    private AlbisLayout defaultLayout = AlbisLayout.BLOCK;
    private Compression defaultCompression = Compression.NONE;
    private boolean rowGroupPruning = true;
    private boolean segmentPruning = true;
    private boolean rowFiltering = true;
    private boolean projectionPushdownEnabled = true;
    private boolean dynamicRowFiltering = true;
    private boolean lazyReading = true;
    private boolean indexEnabled = true;
    private DataSize maxSplitSize = DataSize.of(32, MEGABYTE);
    private Duration dynamicFilteringWaitTimeout = new Duration(1, SECONDS);

    @NotNull(message = "must be set to the folder of the tables, for example albis.warehouse=local:///albis or albis.warehouse=hdfs://namenode/albis")
    public String getWarehouse()
    {
        return warehouse;
    }

    @Config("albis.warehouse")
    @ConfigDescription("Folder of the tables, such as local:///path, hdfs://host/path, or s3://bucket/path")
    public AlbisConfig setWarehouse(String warehouse)
    {
        this.warehouse = warehouse;
        return this;
    }

    @AssertTrue(message = "albis.warehouse is not a location: it needs a scheme and a path, as in local:///albis, hdfs://namenode/albis, or s3://bucket/albis")
    public boolean isWarehouseLocation()
    {
        // a missing warehouse is reported by NotNull
        return warehouse == null || findWarehouseLocation().isPresent();
    }

    /**
     * Returns the location of the warehouse, or empty if it is missing or is not a location.
     */
    public Optional<Location> findWarehouseLocation()
    {
        return warehouse == null ? Optional.empty() : findLocation(warehouse);
    }

    private static Optional<Location> findLocation(String text)
    {
        try {
            return Optional.of(Location.of(text))
                    .filter(location -> location.scheme().isPresent());
        }
        catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /**
     * Returns the location of the warehouse of a valid configuration.
     */
    public Location warehouseLocation()
    {
        return findWarehouseLocation().orElseThrow();
    }

    @NotNull
    public List<String> getAllowedLocations()
    {
        return allowedLocations;
    }

    @Config("albis.allowed-locations")
    @ConfigDescription("Comma-separated list of folders outside of the warehouse in which users may create schemas and tables")
    public AlbisConfig setAllowedLocations(List<String> allowedLocations)
    {
        this.allowedLocations = ImmutableList.copyOf(allowedLocations);
        return this;
    }

    @AssertTrue(message = "albis.allowed-locations contains a value that is not a location: each location needs a scheme and a path, as in local:///shared, hdfs://namenode/shared, or s3://bucket/shared")
    public boolean isAllowedLocationsValid()
    {
        return allowedLocations.stream()
                .allMatch(location -> findLocation(location).isPresent());
    }

    public List<Location> allowedLocations()
    {
        return allowedLocations.stream()
                .map(location -> findLocation(location).orElseThrow())
                .collect(toImmutableList());
    }

    @NotNull
    @MinDataSize(WriterLimits.MIN_ROW_GROUP_SIZE)
    @MaxDataSize(WriterLimits.MAX_ROW_GROUP_SIZE)
    public DataSize getRowGroupSize()
    {
        return rowGroupSize;
    }

    @Config("albis.row-group-size")
    @ConfigDescription(PropertyDescriptions.ROW_GROUP_SIZE)
    public AlbisConfig setRowGroupSize(DataSize rowGroupSize)
    {
        this.rowGroupSize = rowGroupSize;
        return this;
    }

    @Min(WriterLimits.MIN_ROW_GROUP_ROWS)
    public long getRowGroupRows()
    {
        return rowGroupRows;
    }

    @Config("albis.row-group-rows")
    @ConfigDescription(PropertyDescriptions.ROW_GROUP_ROWS)
    public AlbisConfig setRowGroupRows(long rowGroupRows)
    {
        this.rowGroupRows = rowGroupRows;
        return this;
    }

    @NotNull
    @MinDataSize(WriterLimits.MIN_SEGMENT_SIZE)
    @MaxDataSize(WriterLimits.MAX_SEGMENT_SIZE)
    public DataSize getSegmentSize()
    {
        return segmentSize;
    }

    @Config("albis.segment-size")
    @ConfigDescription(PropertyDescriptions.SEGMENT_SIZE)
    public AlbisConfig setSegmentSize(DataSize segmentSize)
    {
        this.segmentSize = segmentSize;
        return this;
    }

    @DecimalMin("0")
    @DecimalMax("1")
    public double getUpdateRewriteThreshold()
    {
        return updateRewriteThreshold;
    }

    @Config("albis.update-rewrite-threshold")
    @ConfigDescription(PropertyDescriptions.UPDATE_REWRITE_THRESHOLD)
    public AlbisConfig setUpdateRewriteThreshold(double updateRewriteThreshold)
    {
        this.updateRewriteThreshold = updateRewriteThreshold;
        return this;
    }

    @NotNull
    @MaxDataSize(WriterLimits.MAX_UPDATE_BUFFER_SIZE)
    public DataSize getUpdateBufferSize()
    {
        return updateBufferSize;
    }

    @Config("albis.update-buffer-size")
    @ConfigDescription(PropertyDescriptions.UPDATE_BUFFER_SIZE)
    public AlbisConfig setUpdateBufferSize(DataSize updateBufferSize)
    {
        this.updateBufferSize = updateBufferSize;
        return this;
    }

    @NotNull
    @MinDataSize(WriterLimits.MIN_SORT_BUFFER_SIZE)
    @MaxDataSize(WriterLimits.MAX_SORT_BUFFER_SIZE)
    public DataSize getSortBufferSize()
    {
        return sortBufferSize;
    }

    @Config("albis.sort-buffer-size")
    @ConfigDescription(PropertyDescriptions.SORT_BUFFER_SIZE)
    public AlbisConfig setSortBufferSize(DataSize sortBufferSize)
    {
        this.sortBufferSize = sortBufferSize;
        return this;
    }

    @NotNull
    @MaxDataSize(WriterLimits.MAX_PARTITION_BUFFER_SIZE)
    public DataSize getPartitionBufferSize()
    {
        return partitionBufferSize;
    }

    @Config("albis.partition-buffer-size")
    @ConfigDescription(PropertyDescriptions.PARTITION_BUFFER_SIZE)
    public AlbisConfig setPartitionBufferSize(DataSize partitionBufferSize)
    {
        this.partitionBufferSize = partitionBufferSize;
        return this;
    }

    public boolean isNarrowWidths()
    {
        return narrowWidths;
    }

    @Config("albis.narrow-widths")
    @ConfigDescription(PropertyDescriptions.NARROW_WIDTHS)
    public AlbisConfig setNarrowWidths(boolean narrowWidths)
    {
        this.narrowWidths = narrowWidths;
        return this;
    }

    public boolean isDictionaries()
    {
        return dictionaries;
    }

    @Config("albis.dictionaries")
    @ConfigDescription(PropertyDescriptions.DICTIONARIES)
    public AlbisConfig setDictionaries(boolean dictionaries)
    {
        this.dictionaries = dictionaries;
        return this;
    }

    @NotNull
    public DefaultGrouping getDefaultColumnGroups()
    {
        return defaultColumnGroups;
    }

    @Config("albis.default-column-groups")
    @ConfigDescription("Column groups of a table that does not set column_groups: COLUMN for a group per column, TABLE for one group of all columns")
    public AlbisConfig setDefaultColumnGroups(DefaultGrouping defaultColumnGroups)
    {
        this.defaultColumnGroups = defaultColumnGroups;
        return this;
    }

    @NotNull
    public AlbisLayout getDefaultLayout()
    {
        return defaultLayout;
    }

    @Config("albis.default-layout")
    @ConfigDescription("Layout of a table that does not set layout: BLOCK stores one column after the other, ROW one row after the other")
    public AlbisConfig setDefaultLayout(AlbisLayout defaultLayout)
    {
        this.defaultLayout = defaultLayout;
        return this;
    }

    @NotNull
    public Compression getDefaultCompression()
    {
        return defaultCompression;
    }

    @Config("albis.default-compression")
    @ConfigDescription("Compression of a new table that does not set compression: NONE, LZ4, or ZSTD")
    public AlbisConfig setDefaultCompression(Compression defaultCompression)
    {
        this.defaultCompression = defaultCompression;
        return this;
    }

    public boolean isRowGroupPruning()
    {
        return rowGroupPruning;
    }

    @Config("albis.row-group-pruning")
    @ConfigDescription(PropertyDescriptions.ROW_GROUP_PRUNING)
    public AlbisConfig setRowGroupPruning(boolean rowGroupPruning)
    {
        this.rowGroupPruning = rowGroupPruning;
        return this;
    }

    public boolean isSegmentPruning()
    {
        return segmentPruning;
    }

    @Config("albis.segment-pruning")
    @ConfigDescription(PropertyDescriptions.SEGMENT_PRUNING)
    public AlbisConfig setSegmentPruning(boolean segmentPruning)
    {
        this.segmentPruning = segmentPruning;
        return this;
    }

    public boolean isRowFiltering()
    {
        return rowFiltering;
    }

    @Config("albis.row-filtering")
    @ConfigDescription(PropertyDescriptions.ROW_FILTERING)
    public AlbisConfig setRowFiltering(boolean rowFiltering)
    {
        this.rowFiltering = rowFiltering;
        return this;
    }

    public boolean isProjectionPushdownEnabled()
    {
        return projectionPushdownEnabled;
    }

    @Config("albis.projection-pushdown-enabled")
    @ConfigDescription(PropertyDescriptions.PROJECTION_PUSHDOWN_ENABLED)
    public AlbisConfig setProjectionPushdownEnabled(boolean projectionPushdownEnabled)
    {
        this.projectionPushdownEnabled = projectionPushdownEnabled;
        return this;
    }

    public boolean isDynamicRowFiltering()
    {
        return dynamicRowFiltering;
    }

    @Config("albis.dynamic-row-filtering")
    @ConfigDescription(PropertyDescriptions.DYNAMIC_ROW_FILTERING)
    public AlbisConfig setDynamicRowFiltering(boolean dynamicRowFiltering)
    {
        this.dynamicRowFiltering = dynamicRowFiltering;
        return this;
    }

    public boolean isLazyReading()
    {
        return lazyReading;
    }

    @Config("albis.lazy-reading")
    @ConfigDescription(PropertyDescriptions.LAZY_READING)
    public AlbisConfig setLazyReading(boolean lazyReading)
    {
        this.lazyReading = lazyReading;
        return this;
    }

    public boolean isIndexEnabled()
    {
        return indexEnabled;
    }

    @Config("albis.index-enabled")
    @ConfigDescription(PropertyDescriptions.INDEX_ENABLED)
    public AlbisConfig setIndexEnabled(boolean indexEnabled)
    {
        this.indexEnabled = indexEnabled;
        return this;
    }

    @NotNull
    @MinDataSize(ReaderLimits.MIN_SPLIT_SIZE)
    public DataSize getMaxSplitSize()
    {
        return maxSplitSize;
    }

    @Config("albis.max-split-size")
    @ConfigDescription(PropertyDescriptions.MAX_SPLIT_SIZE)
    public AlbisConfig setMaxSplitSize(DataSize maxSplitSize)
    {
        this.maxSplitSize = maxSplitSize;
        return this;
    }

    @NotNull
    public Duration getDynamicFilteringWaitTimeout()
    {
        return dynamicFilteringWaitTimeout;
    }

    @Config("albis.dynamic-filtering.wait-timeout")
    @ConfigDescription(PropertyDescriptions.DYNAMIC_FILTERING_WAIT_TIMEOUT)
    public AlbisConfig setDynamicFilteringWaitTimeout(Duration dynamicFilteringWaitTimeout)
    {
        this.dynamicFilteringWaitTimeout = dynamicFilteringWaitTimeout;
        return this;
    }
}
