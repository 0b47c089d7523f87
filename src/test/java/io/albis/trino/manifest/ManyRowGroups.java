package io.albis.trino.manifest;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.airlift.stats.cardinality.HyperLogLog;
import io.airlift.units.DataSize;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.PartitionValue;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.statistics.ValueOrder;
import io.albis.table.Warehouse;
import io.albis.table.WarehouseOptions;
import io.albis.table.manifest.ManifestSource;
import io.albis.table.model.PartitionField;
import io.albis.table.model.PartitionFields;
import io.albis.table.model.PartitionTransform;
import io.albis.table.model.TableColumn;
import io.albis.table.model.TableColumnGroup;
import io.albis.table.model.TableDefinition;
import io.albis.table.model.TableRows;
import io.albis.table.sketch.ColumnSketch;
import io.albis.table.sketch.ColumnSketches;
import io.albis.table.storage.LocalFolders;
import io.albis.table.version.AlbisTable;
import io.albis.trino.config.AlbisConfig;
import io.albis.trino.config.AlbisReadConfig;
import io.albis.trino.config.AlbisSessionProperties;
import io.albis.trino.metadata.AlbisMetadataFactory;
import io.albis.trino.metadata.ListingExecutor;
import io.albis.trino.relation.QueryReads;
import io.albis.trino.storage.LocalRoot;
import io.albis.trino.write.CommitStats;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.local.LocalFileSystem;
import io.trino.spi.catalog.CatalogName;
import io.trino.spi.connector.ConnectorSession;
import io.trino.testing.TestingConnectorSession;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.table.TableFixtures.POLICY;
import static io.trino.spi.type.BigintType.BIGINT;
import static java.util.stream.IntStream.range;
import static java.util.stream.IntStream.rangeClosed;

/**
 * Tables with many row groups of 23 columns, whose data files do not exist.
 */
final class ManyRowGroups
{
    static final int COLUMNS = 23;
    static final int ROWS = 1_000_000;
    static final int BUCKETS = 8;
    static final long MEGABYTE = 1 << 20;

    private static final AlbisConfig CONFIG = new AlbisConfig().setWarehouse("local:///warehouse");

    private final Path folder;
    private final TrinoFileSystem fileSystem;
    private final Random random = new Random(1);

    ManyRowGroups(Path folder)
    {
        this.folder = folder;
        this.fileSystem = new LocalFileSystem(folder);
    }

    /**
     * Creates the table {@code s.t}. Row group {@code i} has the values from {@code 10 * i} to {@code 10 * i + 9} in
     * its first column, and numbers from 0 up to less than 1,000 in the other ones.
     */
    AlbisTable createSorted(int rowGroups)
    {
        return create(ImmutableMap.of(), range(0, rowGroups).mapToObj(this::sorted).collect(toImmutableList()));
    }

    /**
     * Creates the table {@code s.t}, which is partitioned by buckets of its first column.
     */
    AlbisTable createBucketed(int rowGroups)
    {
        PartitionField field = new PartitionField(1, PartitionTransform.BUCKET, BUCKETS);
        List<RowGroup> bucketed = range(0, rowGroups)
                .mapToObj(i -> sorted(i).withPartition(ImmutableList.of(new PartitionValue(1, PartitionTransform.BUCKET.code(), BUCKETS, Optional.of(bound(i % BUCKETS))))))
                .collect(toImmutableList());
        return create(ImmutableMap.of(PartitionFields.PROPERTY, PartitionFields.format(ImmutableList.of(field))), bucketed);
    }

    private AlbisTable create(Map<String, String> properties, List<RowGroup> rowGroups)
    {
        Warehouse warehouse = new Warehouse(fileSystem, Location.of("local:///warehouse"), _ -> BIGINT, WarehouseOptions.DEFAULT.withPolicy(POLICY).withLocalRoot(folder).withManifests(ManifestSource.FILES));
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        TableDefinition definition = new TableDefinition(
                rangeClosed(1, COLUMNS)
                        .mapToObj(id -> new TableColumn(id, "column_" + id, BIGINT, true, Optional.empty()))
                        .collect(toImmutableList()),
                ImmutableList.of(new TableColumnGroup(AlbisLayout.BLOCK, columnIds())),
                properties,
                Optional.empty(),
                Optional.empty());
        return warehouse.createTable(warehouse.newTable("s", "t", definition), new TableRows(rowGroups, sketches()));
    }

    /**
     * Returns transactions that share a cache of manifests, which nothing has read yet.
     */
    AlbisMetadataFactory transactions(ManifestCache cache)
    {
        return new AlbisMetadataFactory(
                new CatalogName("albis"),
                CONFIG,
                _ -> fileSystem,
                _ -> BIGINT,
                new LocalRoot(Optional.of(new LocalFolders(folder))),
                new CommitStats(),
                cache,
                ListingExecutor.direct(),
                new QueryReads());
    }

    static ManifestCache cache(ManifestExecutor executor)
    {
        return new ManifestCache(DataSize.of(256, DataSize.Unit.MEGABYTE), executor);
    }

    static ConnectorSession session()
    {
        return TestingConnectorSession.builder()
                .setPropertyMetadata(new AlbisSessionProperties(CONFIG, new AlbisReadConfig()).getSessionProperties())
                .build();
    }

    private RowGroup sorted(int index)
    {
        ImmutableList.Builder<ColumnStatistics> statistics = ImmutableList.builder();
        statistics.add(statistics(1, 10L * index, 10L * index + 9));
        for (int id = 2; id <= COLUMNS; id++) {
            statistics.add(statistics(id, 0, random.nextLong(1000)));
        }
        return new RowGroup(
                randomId(),
                ROWS,
                ImmutableList.of(new ColumnGroupInstance(randomId(), columnIds(), 32 * MEGABYTE, 100_000)),
                statistics.build());
    }

    private static ColumnStatistics statistics(int id, long least, long greatest)
    {
        return new ColumnStatistics(id, 0, ValueOrder.UNORDERED, Optional.of(bound(least)), Optional.of(bound(greatest)), Optional.of("bigint"));
    }

    private static ColumnSketches sketches()
    {
        HyperLogLog distinct = HyperLogLog.newInstance(2048);
        for (long value = 0; value < 100_000; value++) {
            distinct.add(value);
        }
        Slice bytes = distinct.serialize();
        return ColumnSketches.of(rangeClosed(1, COLUMNS)
                .mapToObj(id -> new ColumnSketch(id, 100_000, 0, bytes))
                .collect(toImmutableList()));
    }

    private static List<Integer> columnIds()
    {
        return rangeClosed(1, COLUMNS).boxed().collect(toImmutableList());
    }

    private static byte[] bound(long value)
    {
        Slice bound = Slices.allocate(Long.BYTES);
        bound.setLong(0, value);
        return Arrays.copyOf(bound.byteArray(), Long.BYTES);
    }

    private UUID randomId()
    {
        return new UUID(random.nextLong(), random.nextLong());
    }
}
