package io.albis.trino.statistics;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.table.Warehouse;
import io.albis.table.WarehouseOptions;
import io.albis.table.alter.SchemaChange;
import io.albis.table.manifest.ManifestOptions;
import io.albis.table.manifest.ManifestSource;
import io.albis.table.model.TableColumn;
import io.albis.table.model.TableRows;
import io.albis.table.sketch.ColumnSketches;
import io.albis.table.version.AlbisTable;
import io.albis.trino.handle.AlbisColumnHandle;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.predicate.ValueSet;
import io.trino.spi.statistics.DoubleRange;
import io.trino.spi.statistics.TableStatistics;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.format.statistics.ValueOrder.UNORDERED;
import static io.albis.table.TableFixtures.DEFINITION;
import static io.albis.table.TableFixtures.POLICY;
import static io.albis.table.TableFixtures.ROOT;
import static io.albis.table.TableFixtures.TYPE_RESOLVER;
import static io.albis.table.TableFixtures.load;
import static io.trino.spi.type.BigintType.BIGINT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

/**
 * Estimates are made of few parts, and differ little from those of all row groups.
 */
final class TestSelectedRows
{
    private static final int ROW_GROUPS = 5000;
    private static final int ROWS = 100;
    private static final AlbisColumnHandle ID = new AlbisColumnHandle(1, "id", BIGINT);

    private Warehouse warehouse;
    private AlbisTable table;

    @BeforeEach
    void setUp()
    {
        ManifestOptions manifests = new ManifestOptions(ManifestSource.FILES, 50_000, 100_000);
        warehouse = new Warehouse(new MemoryFileSystem(), ROOT, TYPE_RESOLVER, WarehouseOptions.DEFAULT.withPolicy(POLICY).withManifests(manifests));
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
    }

    /**
     * Creates a table of which row group {@code i} has ids from {@code i * spread} to {@code (i + 1) * spread - 1}, and
     * nulls in a tenth of its rows if it is one of the last ones.
     */
    private void create(IntStream order, long spread, int firstWithNulls)
    {
        List<RowGroup> rowGroups = order.mapToObj(i -> new RowGroup(
                        UUID.randomUUID(),
                        ROWS,
                        ImmutableList.of(new ColumnGroupInstance(UUID.randomUUID(), ImmutableList.of(1), 100, 50)),
                        ImmutableList.of(new ColumnStatistics(1, i < firstWithNulls ? 0 : ROWS / 10, UNORDERED, bytes(i * spread), bytes((i + 1) * spread - 1)).withBoundsType("bigint"))))
                .collect(toImmutableList());
        warehouse.createTable(warehouse.newTable("s", "t", DEFINITION), new TableRows(rowGroups, ColumnSketches.NONE));
        table = load(warehouse, "s", "t");
        assertThat(table.version().manifests().size()).isGreaterThan(5);
    }

    @Test
    void testAllRows()
    {
        create(IntStream.range(0, ROW_GROUPS), 10, ROW_GROUPS / 2);
        List<RowsStatistics> parts = parts(TupleDomain.all());
        assertThat(parts).hasSameSizeAs(table.version().manifests()).hasOnlyElementsOfType(RowsStatistics.OfManifest.class);
        TableStatistics statistics = TableStatisticsReader.read(table, TupleDomain.all(), TupleDomain.all()).statistics();
        assertThat(statistics.getRowCount().getValue()).isEqualTo(ROW_GROUPS * ROWS);
        assertThat(statistics.getColumnStatistics().get(ID).getNullsFraction().getValue()).isCloseTo(0.05, withPercentage(1e-6));
        assertThat(statistics.getColumnStatistics().get(ID).getRange()).contains(new DoubleRange(0, ROW_GROUPS * 10 - 1));
    }

    /**
     * Only the manifest with the limit of a range needs the bounds of its row groups.
     */
    @Test
    void testSortedRange()
    {
        create(IntStream.range(0, ROW_GROUPS), 10, ROW_GROUPS);
        Domain domain = lessThan(ROW_GROUPS * 10 / 2 - 5);
        List<RowsStatistics> parts = parts(predicate(domain));
        int manifests = table.version().manifests().size();
        assertThat(parts.stream().filter(RowsStatistics.OfManifest.class::isInstance)).hasSizeBetween(manifests / 2 - 1, manifests / 2 + 1);
        assertThat(rows(parts)).isEqualTo(ROWS * ROW_GROUPS / 2);
        TableStatistics statistics = estimate(domain);
        assertThat(statistics.getRowCount().getValue()).isCloseTo(ROWS * (ROW_GROUPS / 2 - 0.5), withPercentage(0.1));
        assertThat(statistics.getColumnStatistics().get(ID).getRange()).contains(new DoubleRange(0, ROW_GROUPS * 10 / 2 - 6));
    }

    /**
     * If all manifests overlap with the limit of a range, some of their row groups say enough.
     */
    @Test
    void testUnsortedRange()
    {
        // 1999 is coprime to 5000, so this is each number once
        create(IntStream.range(0, ROW_GROUPS).map(i -> (int) (i * 1999L % ROW_GROUPS)), 10, ROW_GROUPS);
        Domain domain = lessThan(ROW_GROUPS * 10 / 2 - 5);
        assertThat(parts(predicate(domain))).hasSizeBetween(400, 600).hasOnlyElementsOfType(RowsStatistics.OfRowGroup.class);
        assertThat(estimate(domain).getRowCount().getValue()).isCloseTo(ROWS * ROW_GROUPS / 2, withPercentage(15));
        assertThat(estimate(domain).getColumnStatistics().get(ID).getRange()).contains(new DoubleRange(0, ROW_GROUPS * 10 / 2 - 6));
    }

    /**
     * A sample without any row group that matches would say that no row matches.
     */
    @Test
    void testRareRowGroups()
    {
        create(IntStream.range(0, ROW_GROUPS).map(i -> (int) (i * 1999L % ROW_GROUPS)), 10, ROW_GROUPS);
        Domain domain = Domain.create(ValueSet.of(BIGINT, 12_345L, 23_456L), false);
        assertThat(parts(predicate(domain)).stream().map(part -> ((RowsStatistics.OfRowGroup) part).weight())).containsExactly(1.0, 1.0);
        assertThat(estimate(Domain.singleValue(BIGINT, 10L * ROW_GROUPS)).getRowCount().getValue()).isEqualTo(0);
    }

    /**
     * A set with many values is simplified to a range for pruning, which says nothing about the gaps between values.
     */
    @Test
    void testManyValues()
    {
        create(IntStream.range(0, ROW_GROUPS), 10, ROW_GROUPS);
        Domain domain = Domain.multipleValues(BIGINT, IntStream.range(0, ROW_GROUPS).mapToObj(i -> i * 10L).toList());
        assertThat(parts(predicate(domain))).hasOnlyElementsOfType(RowsStatistics.OfRowGroup.class);
    }

    @Test
    void testNulls()
    {
        create(IntStream.range(0, ROW_GROUPS), 10, ROW_GROUPS / 2);
        assertThat(estimate(Domain.notNull(BIGINT)).getRowCount().getValue()).isCloseTo(ROWS * ROW_GROUPS * 0.95, withPercentage(1));
        assertThat(estimate(Domain.onlyNull(BIGINT)).getRowCount().getValue()).isCloseTo(ROWS * ROW_GROUPS * 0.05, withPercentage(10));
    }

    /**
     * A column that was added later has no bounds in the manifests, which were written before.
     */
    @Test
    void testAddedColumn()
    {
        create(IntStream.range(0, ROW_GROUPS), 10, ROW_GROUPS);
        warehouse.alter(table, new SchemaChange.AddColumn("added", BIGINT, true, Optional.empty(), Optional.empty(), Optional.empty(), SchemaChange.ColumnPlace.last(), false));
        table = load(warehouse, "s", "t");
        assertThat(parts(TupleDomain.all())).hasSize(SampledStatistics.SIZE);
        TableStatistics statistics = TableStatisticsReader.read(table, TupleDomain.all(), TupleDomain.all()).statistics();
        assertThat(statistics.getRowCount().getValue()).isCloseTo(ROW_GROUPS * ROWS, withPercentage(1e-6));
        assertThat(statistics.getColumnStatistics().get(ID).getRange()).contains(new DoubleRange(0, ROW_GROUPS * 10 - 1));
        TableColumn added = table.version().columns().getLast();
        assertThat(statistics.getColumnStatistics().get(new AlbisColumnHandle(added.id(), "added", BIGINT)).getNullsFraction().getValue()).isEqualTo(1);
    }

    private List<RowsStatistics> parts(TupleDomain<AlbisColumn> predicate)
    {
        return SelectedRows.of(table, predicate.simplify(10), predicate).parts();
    }

    private static double rows(List<RowsStatistics> parts)
    {
        return parts.stream().mapToDouble(RowsStatistics::liveRows).sum();
    }

    private TableStatistics estimate(Domain domain)
    {
        return TableStatisticsReader.read(table, TupleDomain.withColumnDomains(ImmutableMap.of(ID, domain)), TupleDomain.all()).statistics();
    }

    private static TupleDomain<AlbisColumn> predicate(Domain domain)
    {
        return TupleDomain.withColumnDomains(ImmutableMap.of(ID.toColumn(), domain));
    }

    private static Domain lessThan(long limit)
    {
        return Domain.create(ValueSet.ofRanges(Range.lessThan(BIGINT, limit)), false);
    }

    private static Optional<byte[]> bytes(long value)
    {
        return Optional.of(ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array());
    }
}
