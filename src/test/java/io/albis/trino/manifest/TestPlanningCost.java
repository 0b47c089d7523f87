package io.albis.trino.manifest;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.metadata.AlbisMetadata;
import io.albis.trino.metadata.AlbisMetadataFactory;
import io.albis.trino.procedure.TransactionMode;
import io.albis.trino.pushdown.PruningPredicate;
import io.albis.trino.split.AlbisSplitSource;
import io.albis.trino.split.NeededRowGroups;
import io.trino.spi.connector.AggregateFunction;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.connector.Constraint;
import io.trino.spi.connector.DynamicFilterSnapshot;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.connector.SortItem;
import io.trino.spi.connector.SortOrder;
import io.trino.spi.expression.Variable;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.predicate.ValueSet;
import io.trino.spi.statistics.TableStatistics;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import static io.albis.trino.manifest.ManyRowGroups.COLUMNS;
import static io.albis.trino.manifest.ManyRowGroups.MEGABYTE;
import static io.albis.trino.manifest.ManyRowGroups.ROWS;
import static io.trino.spi.type.BigintType.BIGINT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

/**
 * Measures what the connector does for a query until the first split exists, by the number of row groups of the table.
 * The test prints the measurements, and its assertions do not depend on the machine.
 */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestPlanningCost
{
    private static final int ROUNDS = 7;
    private static final AlbisColumnHandle SORTED = new AlbisColumnHandle(1, "column_1", BIGINT);
    private static final AlbisColumnHandle UNSORTED = new AlbisColumnHandle(2, "column_2", BIGINT);

    private final ManifestExecutor executor = new ManifestExecutor("test", 32);
    private final ConnectorSession session = ManyRowGroups.session();

    @AfterAll
    void shutdown()
    {
        executor.shutdown();
    }

    /**
     * A step of planning, in a transaction of its own.
     */
    private interface Step
    {
        void run(AlbisMetadata metadata, AlbisTableHandle table);
    }

    /**
     * @param millis the median of the rounds
     * @param megabytes allocated memory, the median of the rounds
     */
    private record Cost(double millis, double megabytes) {}

    @ParameterizedTest
    @ValueSource(ints = {1, 100, 10_000, 100_000})
    void testStatistics(int rowGroups, @TempDir Path folder)
    {
        ManyRowGroups tables = new ManyRowGroups(folder);
        tables.createSorted(rowGroups);
        double all = (double) rowGroups * ROWS;
        Cost unfiltered = measure(tables, rowGroups, "statistics without a filter", (metadata, table) -> assertRows(metadata.getTableStatistics(session, table), all, 0.01));
        measure(tables, rowGroups, "statistics, all row groups match", (metadata, table) -> assertRows(metadata.getTableStatistics(session, filtered(metadata, table, SORTED, 10L * rowGroups)), all, 1));
        measure(tables, rowGroups, "statistics, half of the sorted row groups match", (metadata, table) -> assertRows(metadata.getTableStatistics(session, filtered(metadata, table, SORTED, 5L * rowGroups)), all / 2, 10));
        // nearly all row groups have values on both sides of the limit
        measure(tables, rowGroups, "statistics, half of the rows of each row group match", (metadata, table) ->
                assertThat(metadata.getTableStatistics(session, filtered(metadata, table, UNSORTED, 500)).getRowCount().getValue()).isBetween(all / 3, all));
        // 23 columns of 24 manifests, and not of 100,000 row groups
        assertThat(unfiltered.megabytes()).isLessThan(10);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100, 10_000, 100_000})
    void testLimit(int rowGroups, @TempDir Path folder)
    {
        ManyRowGroups tables = new ManyRowGroups(folder);
        int manifests = tables.createSorted(rowGroups).version().manifests().size();
        Step limit = (metadata, table) -> {
            AlbisTableHandle limited = (AlbisTableHandle) metadata.applyLimit(session, table, 10).orElseThrow().getHandle();
            assertThat(splits(metadata, limited)).hasSize(1);
        };
        measure(tables, rowGroups, "LIMIT 10", limit);
        List<double[]> cold = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            ManifestCache cache = ManyRowGroups.cache(executor);
            cold.add(run(tables.transactions(cache), limit));
            assertThat(cache.getStats().getLoadCount()).as("manifests of %s", manifests).isEqualTo(1);
        }
        print(rowGroups, "LIMIT 10, first query", new Cost(median(cold, 0), median(cold, 1)));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100, 10_000, 100_000})
    void testTopN(int rowGroups, @TempDir Path folder)
    {
        ManyRowGroups tables = new ManyRowGroups(folder);
        tables.createSorted(rowGroups);
        for (AlbisColumnHandle key : ImmutableList.of(SORTED, UNSORTED)) {
            Step topN = (metadata, table) -> {
                AlbisTableHandle first = (AlbisTableHandle) metadata.applyTopN(session, table, 10, ImmutableList.of(new SortItem("key", SortOrder.DESC_NULLS_LAST)), ImmutableMap.of("key", key)).orElseThrow().getHandle();
                assertThat(splits(metadata, first)).hasSizeBetween(1, key.equals(SORTED) ? 1 : 1000);
            };
            measure(tables, rowGroups, "ORDER BY %s DESC LIMIT 10".formatted(key.name()), topN);
            // one manifest has the first row groups of a sorted table, and enough for the first splits of another one
            ManifestCache cache = ManyRowGroups.cache(executor);
            run(tables.transactions(cache), topN);
            assertThat(cache.getStats().getLoadCount()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100, 10_000, 100_000})
    void testAnswers(int rowGroups, @TempDir Path folder)
    {
        ManyRowGroups tables = new ManyRowGroups(folder);
        tables.createSorted(rowGroups);
        List<AggregateFunction> functions = ImmutableList.of(
                new AggregateFunction("count", BIGINT, ImmutableList.of(), ImmutableList.of(), false, Optional.empty()),
                new AggregateFunction("min", BIGINT, ImmutableList.of(new Variable("key", BIGINT)), ImmutableList.of(), false, Optional.empty()),
                new AggregateFunction("max", BIGINT, ImmutableList.of(new Variable("key", BIGINT)), ImmutableList.of(), false, Optional.empty()));
        Step answer = (metadata, table) ->
                assertThat(metadata.applyAggregation(session, table, functions, ImmutableMap.of("key", SORTED), ImmutableList.of(ImmutableList.of())).orElseThrow().getProjections()).hasSize(3);
        measure(tables, rowGroups, "count, min, and max", answer);
        // the counts and bounds of the manifests are in the version
        ManifestCache cache = ManyRowGroups.cache(executor);
        run(tables.transactions(cache), answer);
        assertThat(cache.getStats().getLoadCount()).isZero();
    }

    /**
     * The first row group shows that metadata does not answer the query.
     */
    @Test
    void testUndecidedGroups(@TempDir Path folder)
    {
        ManyRowGroups tables = new ManyRowGroups(folder);
        assertThat(tables.createSorted(10_000).version().manifests()).hasSizeGreaterThan(1);
        List<AggregateFunction> count = ImmutableList.of(new AggregateFunction("count", BIGINT, ImmutableList.of(), ImmutableList.of(), false, Optional.empty()));
        ManifestCache cache = ManyRowGroups.cache(executor);
        run(tables.transactions(cache), (metadata, table) ->
                assertThat(metadata.applyAggregation(session, table, count, ImmutableMap.of("key", SORTED), ImmutableList.of(ImmutableList.of(SORTED)))).isEmpty());
        assertThat(cache.getStats().getLoadCount()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100, 10_000, 100_000})
    void testBuckets(int rowGroups, @TempDir Path folder)
    {
        ManyRowGroups tables = new ManyRowGroups(folder);
        tables.createBucketed(rowGroups);
        Step buckets = (metadata, table) -> assertThat(metadata.applyPartitioning(session, table, Optional.empty(), ImmutableList.of(SORTED))).isPresent();
        measure(tables, rowGroups, "buckets", buckets);
        Cost again = measure(tables, rowGroups, "buckets, 100 times in one transaction", (metadata, table) -> {
            for (int i = 0; i < 100; i++) {
                buckets.run(metadata, table);
            }
        });
        // a walk over 100,000 row groups allocates more than this
        assertThat(again.megabytes()).isLessThan(50);
    }

    private Cost measure(ManyRowGroups tables, int rowGroups, String name, Step step)
    {
        AlbisMetadataFactory transactions = tables.transactions(ManyRowGroups.cache(executor));
        List<double[]> rounds = new ArrayList<>();
        for (int round = 0; round < 2 * ROUNDS; round++) {
            rounds.add(run(transactions, step));
        }
        // the rounds with a warm cache
        List<double[]> warm = rounds.subList(ROUNDS, 2 * ROUNDS);
        Cost cost = new Cost(median(warm, 0), median(warm, 1));
        print(rowGroups, name, cost);
        return cost;
    }

    private double[] run(AlbisMetadataFactory transactions, Step step)
    {
        AlbisMetadata metadata = transactions.create(session, TransactionMode.AUTO_COMMIT);
        AlbisTableHandle table = (AlbisTableHandle) metadata.getTableHandle(session, new SchemaTableName("s", "t"), Optional.empty(), Optional.empty());
        long allocated = allocatedBytes();
        long start = System.nanoTime();
        step.run(metadata, table);
        return new double[] {(System.nanoTime() - start) / 1e6, (allocatedBytes() - allocated) / 1e6};
    }

    private AlbisTableHandle filtered(AlbisMetadata metadata, AlbisTableHandle table, AlbisColumnHandle column, long limit)
    {
        Domain domain = Domain.create(ValueSet.ofRanges(Range.lessThan(BIGINT, limit)), false);
        return (AlbisTableHandle) metadata.applyFilter(session, table, new Constraint(TupleDomain.withColumnDomains(ImmutableMap.of(column, domain)))).orElseThrow().getHandle();
    }

    private static void assertRows(TableStatistics statistics, double rows, double percentage)
    {
        assertThat(statistics.getRowCount().getValue()).isCloseTo(rows, withPercentage(percentage));
        assertThat(statistics.getColumnStatistics()).hasSize(COLUMNS);
    }

    private static List<ConnectorSplit> splits(AlbisMetadata metadata, AlbisTableHandle table)
    {
        AlbisSplitSource splits = new AlbisSplitSource(
                new NeededRowGroups(metadata, table, table.predicate(), ImmutableList.of(), false),
                PruningPredicate.of(table.predicate()),
                true,
                _ -> 64 * MEGABYTE,
                Optional.empty(),
                Optional.empty(),
                0,
                Runnable::run);
        return splits.getNextBatch(1000, DynamicFilterSnapshot.EMPTY).join();
    }

    private static double median(List<double[]> rounds, int index)
    {
        return rounds.stream().mapToDouble(round -> round[index]).sorted().toArray()[rounds.size() / 2];
    }

    // prints a whole line at once, because the logger of the tests starts a new line for each piece
    private static void print(int rowGroups, String name, Cost cost)
    {
        System.out.println("Planning of %,d row groups: %s, median of %s: %.2f ms, %.3f MB allocated".formatted(rowGroups, name, ROUNDS, cost.millis(), cost.megabytes()));
    }

    private static long allocatedBytes()
    {
        return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean()).getTotalThreadAllocatedBytes();
    }
}
