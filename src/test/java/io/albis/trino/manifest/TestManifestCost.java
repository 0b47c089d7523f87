package io.albis.trino.manifest;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.airlift.stats.cardinality.HyperLogLog;
import io.airlift.units.DataSize;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.statistics.ValueOrder;
import io.albis.table.Warehouse;
import io.albis.table.WarehouseOptions;
import io.albis.table.manifest.ManifestSource;
import io.albis.table.model.ManifestEntry;
import io.albis.table.model.TableColumn;
import io.albis.table.model.TableColumnGroup;
import io.albis.table.model.TableDefinition;
import io.albis.table.model.TableRows;
import io.albis.table.sketch.ColumnSketch;
import io.albis.table.sketch.ColumnSketches;
import io.albis.table.storage.LocalFolders;
import io.albis.table.version.AlbisTable;
import io.albis.table.version.RowGroupPieces;
import io.albis.table.version.SinglePiece;
import io.albis.trino.config.AlbisConfig;
import io.albis.trino.config.AlbisReadConfig;
import io.albis.trino.config.AlbisSessionProperties;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.metadata.AlbisMetadata;
import io.albis.trino.metadata.AlbisMetadataFactory;
import io.albis.trino.metadata.ListingExecutor;
import io.albis.trino.procedure.TransactionMode;
import io.albis.trino.pushdown.PruningPredicate;
import io.albis.trino.relation.QueryReads;
import io.albis.trino.split.AlbisSplitSource;
import io.albis.trino.storage.LocalRoot;
import io.albis.trino.write.CommitStats;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.local.LocalFileSystem;
import io.trino.spi.catalog.CatalogName;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.Constraint;
import io.trino.spi.connector.DynamicFilterSnapshot;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.predicate.ValueSet;
import io.trino.spi.statistics.TableStatistics;
import io.trino.testing.TestingConnectorSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.function.ToDoubleFunction;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.spi.security.ConnectorIdentity.ofUser;
import static io.trino.spi.type.BigintType.BIGINT;
import static java.util.Comparator.naturalOrder;
import static java.util.stream.IntStream.range;
import static java.util.stream.IntStream.rangeClosed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

/**
 * Measures the cost of the manifests of a table with 100,000 row groups and 23 columns, with a cold and a warm cache.
 * The test prints the measurements, and its assertions do not depend on the machine.
 */
@Tag("slow")
class TestManifestCost
{
    private static final int ROW_GROUPS = 100_000;
    private static final int COLUMNS = 23;
    private static final int ROUNDS = 7;
    private static final long MEGABYTE = 1 << 20;
    private static final AlbisConfig CONFIG = new AlbisConfig().setWarehouse("local:///warehouse");

    @TempDir
    private Path folder;

    private final Random random = new Random(1);

    @Test
    void testFirstSplits()
    {
        TrinoFileSystem fileSystem = new LocalFileSystem(folder);
        Warehouse writer = warehouse(fileSystem, ManifestSource.FILES);
        writer.createSchema("s", Optional.empty(), ImmutableMap.of());
        List<ManifestEntry> manifests = writer.createTable(writer.newTable("s", "t", definition()), new TableRows(rowGroups(), sketches())).version().manifests();
        print("%,d row groups of %s columns: %,d bytes in %s manifests", ROW_GROUPS, COLUMNS, manifests.stream().mapToLong(ManifestEntry::length).sum(), manifests.size());

        ManifestExecutor executor = new ManifestExecutor("test", 32);
        List<Figures> cold = new ArrayList<>();
        List<Figures> warm = new ArrayList<>();
        List<Double> keptPerClaimed = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            ManifestCache cache = new ManifestCache(DataSize.of(256, DataSize.Unit.MEGABYTE), executor);
            long before = usedHeap();
            cold.add(measure("cold", warehouse(fileSystem, cache.forIdentity(ofUser("test")))));
            long kept = usedHeap() - before;
            long claimed = cache.getRetainedBytes();
            print("    kept %.1f MB, by its own account %.1f MB", kept / 1e6, claimed / 1e6);
            keptPerClaimed.add((double) kept / claimed);
            warm.add(measure("warm", warehouse(fileSystem, cache.forIdentity(ofUser("test")))));
            assertThat(cache.getStats().getLoadCount()).isEqualTo(manifests.size() + 1);
        }
        // The median, because threads of earlier tests may keep or release memory during a round
        keptPerClaimed.sort(naturalOrder());
        assertThat(keptPerClaimed.get(ROUNDS / 2)).isCloseTo(1, withPercentage(10));
        printMedian("cold", cold);
        printMedian("warm", warm);
        assertThat(warm.getLast().allocated()).isLessThan(cold.getLast().allocated() / 4);
        executor.shutdown();
    }

    /**
     * The first query for one value of a sorted column, with and without the bounds of the manifests in the version.
     */
    @Test
    void testPrunedManifests()
    {
        TrinoFileSystem fileSystem = new LocalFileSystem(folder);
        Warehouse writer = warehouse(fileSystem, ManifestSource.FILES);
        writer.createSchema("s", Optional.empty(), ImmutableMap.of());
        writer.createTable(writer.newTable("s", "t", definition()), new TableRows(sortedRowGroups(), sketches()));

        ManifestExecutor executor = new ManifestExecutor("test", 32);
        AlbisColumnHandle sorted = new AlbisColumnHandle(1, "column_1", BIGINT);
        TupleDomain<AlbisColumnHandle> predicate = TupleDomain.withColumnDomains(ImmutableMap.of(sorted, Domain.singleValue(BIGINT, 654_321L)));
        Map<Boolean, List<double[]>> figures = ImmutableMap.of(true, new ArrayList<>(), false, new ArrayList<>());
        long manifests = 0;
        for (int round = 0; round < ROUNDS; round++) {
            for (boolean pruned : new boolean[] {true, false}) {
                ManifestCache cache = new ManifestCache(DataSize.of(256, DataSize.Unit.MEGABYTE), executor);
                long allocated = allocatedBytes();
                long start = System.nanoTime();
                AlbisTable table = warehouse(fileSystem, cache.forIdentity(ofUser("test"))).loadTable("s", "t").orElseThrow();
                AlbisSplitSource splits = new AlbisSplitSource(() -> pruned ? table.scan(1) : new SinglePiece(_ -> table.select(TupleDomain.all())), PruningPredicate.of(predicate), true, _ -> 64 * MEGABYTE, Optional.empty(), Optional.empty(), 0, Runnable::run);
                assertThat(splits.getNextBatch(1000, DynamicFilterSnapshot.EMPTY).join()).hasSize(1);
                figures.get(pruned).add(new double[] {(System.nanoTime() - start) / 1e6, (allocatedBytes() - allocated) / 1e6, cache.getRetainedBytes() / 1e6});
                manifests = table.version().manifests().size();
                assertThat(cache.getStats().getLoadCount()).isEqualTo(pruned ? 1 : manifests);
            }
        }
        for (boolean pruned : new boolean[] {true, false}) {
            List<double[]> rounds = figures.get(pruned);
            print("one value of a sorted column, %s of %s manifests, median of %s: first split after %.1f ms, %.1f MB allocated, %.1f MB kept", pruned ? 1 : manifests, manifests, ROUNDS, medianOf(rounds, 0), medianOf(rounds, 1), medianOf(rounds, 2));
        }
        executor.shutdown();
    }

    /**
     * Runs queries with a predicate on a sorted column. Either all row groups match or one in a hundred.
     */
    @Test
    void testPlanning()
    {
        TrinoFileSystem fileSystem = new LocalFileSystem(folder);
        Warehouse writer = warehouse(fileSystem, ManifestSource.FILES);
        writer.createSchema("s", Optional.empty(), ImmutableMap.of());
        writer.createTable(writer.newTable("s", "t", definition()), new TableRows(sortedRowGroups(), sketches()));

        ManifestExecutor executor = new ManifestExecutor("test", 32);
        AlbisMetadataFactory transactions = transactions(fileSystem, executor);
        ConnectorSession session = session();
        for (int matching : new int[] {ROW_GROUPS, ROW_GROUPS / 100}) {
            List<double[]> figures = new ArrayList<>();
            for (int round = 0; round < 2 * ROUNDS; round++) {
                figures.add(plan(transactions.create(session, TransactionMode.AUTO_COMMIT), session, matching));
            }
            // The rounds with a warm cache
            List<double[]> warm = figures.subList(ROUNDS, 2 * ROUNDS);
            print("filter that leaves %,d row groups, median of %s: applyFilter %.1f ms, %.2f MB allocated; getTableStatistics %.1f ms, %.2f MB allocated",
                    matching,
                    ROUNDS,
                    medianOf(warm, 0),
                    medianOf(warm, 1),
                    medianOf(warm, 2),
                    medianOf(warm, 3));
        }
        executor.shutdown();
    }

    /**
     * What the connector does for a query for one value of a sorted column until its first split: it loads the table,
     * applies the filter, estimates the rows, and prunes the row groups.
     */
    @Test
    void testFilteredQuery()
    {
        TrinoFileSystem fileSystem = new LocalFileSystem(folder);
        Warehouse writer = warehouse(fileSystem, ManifestSource.FILES);
        writer.createSchema("s", Optional.empty(), ImmutableMap.of());
        writer.createTable(writer.newTable("s", "t", definition()), new TableRows(sortedRowGroups(), sketches()));

        ManifestExecutor executor = new ManifestExecutor("test", 32);
        ConnectorSession session = session();
        List<double[]> cold = new ArrayList<>();
        List<double[]> warm = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            AlbisMetadataFactory transactions = transactions(fileSystem, executor);
            cold.add(findFirstSplit(transactions.create(session, TransactionMode.AUTO_COMMIT), session));
            warm.add(findFirstSplit(transactions.create(session, TransactionMode.AUTO_COMMIT), session));
        }
        for (List<double[]> rounds : ImmutableList.of(cold, warm)) {
            print("query for one value of a sorted column, %s cache, median of %s: first split after %.1f ms, %.1f MB allocated", rounds == cold ? "cold" : "warm", ROUNDS, medianOf(rounds, 0), medianOf(rounds, 1));
        }
        executor.shutdown();
    }

    private static double[] findFirstSplit(AlbisMetadata metadata, ConnectorSession session)
    {
        long allocated = allocatedBytes();
        long start = System.nanoTime();
        AlbisTableHandle table = (AlbisTableHandle) metadata.getTableHandle(session, new SchemaTableName("s", "t"), Optional.empty(), Optional.empty());
        ColumnHandle sorted = metadata.getColumnHandles(session, table).get("column_1");
        Constraint constraint = new Constraint(TupleDomain.withColumnDomains(ImmutableMap.of(sorted, Domain.singleValue(BIGINT, 654_321L))));
        AlbisTableHandle filtered = (AlbisTableHandle) metadata.applyFilter(session, table, constraint).orElseThrow().getHandle();
        TableStatistics statistics = metadata.getTableStatistics(session, filtered);
        AlbisSplitSource splits = new AlbisSplitSource(() -> metadata.scan(filtered, RowGroupPieces.MIN_ROW_GROUPS), PruningPredicate.of(filtered.predicate()), true, _ -> 64 * MEGABYTE, Optional.empty(), Optional.empty(), 0, Runnable::run);
        List<ConnectorSplit> batch = splits.getNextBatch(1000, DynamicFilterSnapshot.EMPTY).join();
        double millis = (System.nanoTime() - start) / 1e6;
        double megabytes = (allocatedBytes() - allocated) / 1e6;
        assertThat(batch).hasSize(1);
        assertThat(statistics.getRowCount().getValue()).isLessThanOrEqualTo(1_000_000);
        return new double[] {millis, megabytes};
    }

    private static ConnectorSession session()
    {
        return TestingConnectorSession.builder()
                .setPropertyMetadata(new AlbisSessionProperties(CONFIG, new AlbisReadConfig()).getSessionProperties())
                .build();
    }

    private AlbisMetadataFactory transactions(TrinoFileSystem fileSystem, ManifestExecutor executor)
    {
        return new AlbisMetadataFactory(
                new CatalogName("albis"),
                CONFIG,
                _ -> fileSystem,
                _ -> BIGINT,
                new LocalRoot(Optional.of(new LocalFolders(folder))),
                new CommitStats(),
                new ManifestCache(DataSize.of(256, DataSize.Unit.MEGABYTE), executor),
                ListingExecutor.direct(),
                new QueryReads());
    }

    private static double medianOf(List<double[]> figures, int index)
    {
        return figures.stream().mapToDouble(figure -> figure[index]).sorted().toArray()[figures.size() / 2];
    }

    private static double[] plan(AlbisMetadata metadata, ConnectorSession session, int matching)
    {
        AlbisTableHandle table = (AlbisTableHandle) metadata.getTableHandle(session, new SchemaTableName("s", "t"), Optional.empty(), Optional.empty());
        assertThat(metadata.rowGroups(table, TupleDomain.all()).rowGroups()).hasSize(ROW_GROUPS);
        ColumnHandle sorted = metadata.getColumnHandles(session, table).get("column_1");
        Constraint constraint = new Constraint(TupleDomain.withColumnDomains(ImmutableMap.of(sorted, Domain.create(ValueSet.ofRanges(Range.lessThan(BIGINT, matching * 10L)), false))));
        long allocated = allocatedBytes();
        long start = System.nanoTime();
        ConnectorTableHandle filtered = metadata.applyFilter(session, table, constraint).orElseThrow().getHandle();
        double applyMillis = (System.nanoTime() - start) / 1e6;
        double applyMegabytes = (allocatedBytes() - allocated) / 1e6;
        allocated = allocatedBytes();
        start = System.nanoTime();
        TableStatistics statistics = metadata.getTableStatistics(session, filtered);
        double statisticsMillis = (System.nanoTime() - start) / 1e6;
        double statisticsMegabytes = (allocatedBytes() - allocated) / 1e6;
        assertThat(statistics.getRowCount().getValue()).isCloseTo(matching * 1e6, withPercentage(1));
        assertThat(statistics.getColumnStatistics()).hasSize(COLUMNS);
        return new double[] {applyMillis, applyMegabytes, statisticsMillis, statisticsMegabytes};
    }

    private record Figures(double splitMillis, double allocated, double sketchMillis) {}

    private static void printMedian(String name, List<Figures> figures)
    {
        print("%s, median of %s: first 1,000 splits after %.1f ms, %.1f MB allocated; sketches %.2f ms",
                name,
                figures.size(),
                median(figures, Figures::splitMillis),
                median(figures, Figures::allocated) / 1e6,
                median(figures, Figures::sketchMillis));
    }

    private static double median(List<Figures> figures, ToDoubleFunction<Figures> figure)
    {
        return figures.stream().mapToDouble(figure).sorted().toArray()[figures.size() / 2];
    }

    private static Figures measure(String name, Warehouse warehouse)
    {
        long allocated = allocatedBytes();
        long start = System.nanoTime();
        AlbisTable table = warehouse.loadTable("s", "t").orElseThrow();
        AlbisSplitSource splits = new AlbisSplitSource(() -> table.scan(RowGroupPieces.MIN_ROW_GROUPS), TupleDomain.all(), true, _ -> 64 * MEGABYTE, Optional.empty(), Optional.empty(), 0, Runnable::run);
        List<ConnectorSplit> batch = splits.getNextBatch(1000, DynamicFilterSnapshot.EMPTY).join();
        double millis = (System.nanoTime() - start) / 1e6;
        long bytes = allocatedBytes() - allocated;
        assertThat(batch).hasSize(1000);
        assertThat(table.rowGroups()).hasSize(ROW_GROUPS);
        start = System.nanoTime();
        assertThat(table.sketches().columns()).hasSize(COLUMNS);
        double sketchMillis = (System.nanoTime() - start) / 1e6;
        print("%s: first 1,000 splits after %.1f ms, %.1f MB allocated; sketches %.2f ms", name, millis, bytes / 1e6, sketchMillis);
        return new Figures(millis, bytes, sketchMillis);
    }

    // Prints a whole line at once, because the logger of the tests starts a new line for each piece
    private static void print(String format, Object... arguments)
    {
        System.out.println(format.formatted(arguments));
    }

    private static long usedHeap()
    {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private static long allocatedBytes()
    {
        return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean()).getTotalThreadAllocatedBytes();
    }

    private Warehouse warehouse(TrinoFileSystem fileSystem, ManifestSource manifests)
    {
        return new Warehouse(fileSystem, Location.of("local:///warehouse"), _ -> BIGINT, WarehouseOptions.DEFAULT.withLocalRoot(folder).withManifests(manifests));
    }

    private static TableDefinition definition()
    {
        return new TableDefinition(
                rangeClosed(1, COLUMNS)
                        .mapToObj(id -> new TableColumn(id, "column_" + id, BIGINT, true, Optional.empty()))
                        .collect(toImmutableList()),
                ImmutableList.of(new TableColumnGroup(AlbisLayout.BLOCK, columnIds())),
                ImmutableMap.of(),
                Optional.empty(),
                Optional.empty());
    }

    private static List<Integer> columnIds()
    {
        return rangeClosed(1, COLUMNS).boxed().collect(toImmutableList());
    }

    private List<RowGroup> sortedRowGroups()
    {
        List<RowGroup> sorted = new ArrayList<>();
        for (RowGroup rowGroup : rowGroups()) {
            List<ColumnStatistics> statistics = new ArrayList<>(rowGroup.statistics());
            long least = sorted.size() * 10L;
            statistics.set(0, new ColumnStatistics(1, 0, ValueOrder.UNORDERED, Optional.of(bound(least)), Optional.of(bound(least + 9)), Optional.of("bigint")));
            for (int i = 1; i < COLUMNS; i++) {
                statistics.set(i, new ColumnStatistics(i + 1, 0, ValueOrder.UNORDERED, Optional.of(bound(0)), Optional.of(bound(random.nextLong(1000))), Optional.of("bigint")));
            }
            sorted.add(rowGroup.withStatistics(statistics));
        }
        return sorted;
    }

    private List<RowGroup> rowGroups()
    {
        return range(0, ROW_GROUPS)
                .mapToObj(_ -> new RowGroup(
                        randomId(),
                        1_000_000,
                        ImmutableList.of(new ColumnGroupInstance(randomId(), columnIds(), 32 * MEGABYTE, 100_000)),
                        rangeClosed(1, COLUMNS)
                                .mapToObj(id -> new ColumnStatistics(id, 0, ValueOrder.UNORDERED, Optional.of(bound()), Optional.of(bound()), Optional.of("bigint")))
                                .collect(toImmutableList())))
                .collect(toImmutableList());
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

    private byte[] bound()
    {
        return bound(random.nextLong());
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
