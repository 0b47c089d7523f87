package io.albis.trino.config;

import com.google.common.collect.ImmutableList;
import io.airlift.configuration.Config;
import io.airlift.configuration.ConfigDescription;
import io.airlift.units.DataSize;
import io.airlift.units.Duration;
import io.airlift.units.MaxDataSize;
import io.airlift.units.MinDataSize;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.write.WriterOptions;
import io.trino.filesystem.Location;
import jakarta.validation.constraints.AssertTrue;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;

import java.util.List;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.airlift.units.DataSize.Unit.MEGABYTE;
import static java.util.concurrent.TimeUnit.SECONDS;

/**
 * Properties of a catalog. All but the warehouse are defaults of session properties.
 */
public class AlbisConfig
{
    private String warehouse;
    private List<String> allowedLocations = ImmutableList.of();
    private DataSize rowGroupSize = DataSize.succinctBytes(WriterOptions.DEFAULTS.rowGroupBytes());
    private long rowGroupRows = WriterOptions.DEFAULTS.rowGroupRows();
    private DataSize segmentSize = DataSize.succinctBytes(WriterOptions.DEFAULTS.segmentBytes());
    private boolean narrowWidths = WriterOptions.DEFAULTS.narrowWidths();
    private boolean dictionaries = WriterOptions.DEFAULTS.dictionaries();
    private DefaultGrouping defaultColumnGroups = DefaultGrouping.TABLE;
    private AlbisLayout defaultLayout = AlbisLayout.BLOCK;
    private boolean rowGroupPruning = true;
    private boolean segmentPruning = true;
    private boolean rowFiltering = true;
    private boolean dynamicRowFiltering = true;
    private boolean lazyReading = true;
    private DataSize maxSplitSize = DataSize.of(64, MEGABYTE);
    private Duration dynamicFilteringWaitTimeout = new Duration(1, SECONDS);

    @NotNull(message = "says where the tables are and has to be set, for example albis.warehouse=local:///albis or albis.warehouse=hdfs://namenode/albis")
    public String getWarehouse()
    {
        return warehouse;
    }

    @Config("albis.warehouse")
    @ConfigDescription("Folder of the tables: local:///path, hdfs://host/path, s3://bucket/path")
    public AlbisConfig setWarehouse(String warehouse)
    {
        this.warehouse = warehouse;
        return this;
    }

    @AssertTrue(message = "albis.warehouse is not a location: it needs a scheme and a path, as in local:///albis, hdfs://namenode/albis or s3://bucket/albis")
    public boolean isWarehouseLocation()
    {
        // a missing one is reported as such
        return warehouse == null || findWarehouseLocation().isPresent();
    }

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
    @ConfigDescription("Folders outside of the warehouse in which users may put schemas and tables, separated by commas")
    public AlbisConfig setAllowedLocations(List<String> allowedLocations)
    {
        this.allowedLocations = ImmutableList.copyOf(allowedLocations);
        return this;
    }

    @AssertTrue(message = "albis.allowed-locations holds what is not a location: each needs a scheme and a path, as in local:///shared, hdfs://namenode/shared or s3://bucket/shared")
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
    @MinDataSize("4kB")
    @MaxDataSize("1TB")
    public DataSize getRowGroupSize()
    {
        return rowGroupSize;
    }

    @Config("albis.row-group-size")
    @ConfigDescription("A row group is closed when it takes this many bytes on storage")
    public AlbisConfig setRowGroupSize(DataSize rowGroupSize)
    {
        this.rowGroupSize = rowGroupSize;
        return this;
    }

    @Min(1)
    public long getRowGroupRows()
    {
        return rowGroupRows;
    }

    @Config("albis.row-group-rows")
    @ConfigDescription("A row group is closed when it holds this many rows")
    public AlbisConfig setRowGroupRows(long rowGroupRows)
    {
        this.rowGroupRows = rowGroupRows;
        return this;
    }

    @NotNull
    @MinDataSize("1kB")
    @MaxDataSize("256MB")
    public DataSize getSegmentSize()
    {
        return segmentSize;
    }

    @Config("albis.segment-size")
    @ConfigDescription("A segment is closed when its widest column (block layout) or column group (row layout) holds this many bytes, counted as in memory")
    public AlbisConfig setSegmentSize(DataSize segmentSize)
    {
        this.segmentSize = segmentSize;
        return this;
    }

    public boolean isNarrowWidths()
    {
        return narrowWidths;
    }

    @Config("albis.narrow-widths")
    @ConfigDescription("In the block layout, store integers in fewer bytes than in memory where their values allow it")
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
    @ConfigDescription("In the block layout, store text of few different values as numbers")
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
    @ConfigDescription("Groups of a table that does not set column_groups: COLUMN for one per column, TABLE for one of all columns")
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
    @ConfigDescription("Layout of a table that does not set it: BLOCK for one column after the other, ROW for one row after the other")
    public AlbisConfig setDefaultLayout(AlbisLayout defaultLayout)
    {
        this.defaultLayout = defaultLayout;
        return this;
    }

    public boolean isRowGroupPruning()
    {
        return rowGroupPruning;
    }

    @Config("albis.row-group-pruning")
    @ConfigDescription("Leave out row groups whose bounds exclude the predicate")
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
    @ConfigDescription("Leave out segments whose bounds exclude the predicate")
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
    @ConfigDescription("Evaluate predicates in the reader, which then hands out only rows that match")
    public AlbisConfig setRowFiltering(boolean rowFiltering)
    {
        this.rowFiltering = rowFiltering;
        return this;
    }

    public boolean isDynamicRowFiltering()
    {
        return dynamicRowFiltering;
    }

    @Config("albis.dynamic-row-filtering")
    @ConfigDescription("Leave out rows that dynamic filters exclude in the reader")
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
    @ConfigDescription("Read a column where and when it is needed, instead of with its segment")
    public AlbisConfig setLazyReading(boolean lazyReading)
    {
        this.lazyReading = lazyReading;
        return this;
    }

    @NotNull
    @MinDataSize("1kB")
    public DataSize getMaxSplitSize()
    {
        return maxSplitSize;
    }

    @Config("albis.max-split-size")
    @ConfigDescription("A row group of more bytes on storage is read in several splits")
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
    @ConfigDescription("How long to wait for dynamic filters before splits are made")
    public AlbisConfig setDynamicFilteringWaitTimeout(Duration dynamicFilteringWaitTimeout)
    {
        this.dynamicFilteringWaitTimeout = dynamicFilteringWaitTimeout;
        return this;
    }
}
