package io.albis.trino.statistics;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.table.Warehouse;
import io.albis.table.WarehouseOptions;
import io.albis.table.manifest.ManifestOptions;
import io.albis.table.manifest.ManifestSource;
import io.albis.table.model.TableRows;
import io.albis.table.row.ReadSet;
import io.albis.table.sketch.PageSketcher;
import io.albis.table.version.AlbisTable;
import io.albis.trino.handle.AlbisColumnHandle;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.Page;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.predicate.ValueSet;
import io.trino.spi.statistics.TableStatistics;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import static io.albis.format.statistics.ValueOrder.ASCENDING;
import static io.albis.table.TableFixtures.DEFINITION;
import static io.albis.table.TableFixtures.POLICY;
import static io.albis.table.TableFixtures.ROOT;
import static io.albis.table.TableFixtures.TYPE_RESOLVER;
import static io.albis.table.TableFixtures.load;
import static io.trino.spi.type.BigintType.BIGINT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

/**
 * A commit with several manifests has one sketch of all of them, while a query selects few of them. The estimates are
 * close to the truth all the same.
 */
class TestSketchSpan
{
    private static final AlbisColumnHandle ID = new AlbisColumnHandle(1, "id", BIGINT);
    private static final int ROW_GROUPS = 600;
    private static final int DISTINCT = 100;
    private static final int ROWS_PER_VALUE = 10;
    private static final long STEP = 10_000;

    private Warehouse warehouse;

    @BeforeEach
    void setUp()
    {
        // The sketch takes at most a quarter of a manifest
        ManifestOptions manifests = new ManifestOptions(ManifestSource.FILES, 8_000, 16_000);
        warehouse = new Warehouse(new MemoryFileSystem(), ROOT, TYPE_RESOLVER, WarehouseOptions.DEFAULT.withPolicy(POLICY).withManifests(manifests));
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        warehouse.createTable(warehouse.newTable("s", "t", DEFINITION), sortedRows(0));
        // The sketches of this commit are not those of the first one
        warehouse.append(load(warehouse, "s", "t"), sortedRows(1L << 40), ReadSet.BLIND);
    }

    @Test
    void testEqual()
    {
        long value = (420L * DISTINCT + 17) * STEP;
        AlbisTable table = load(warehouse, "s", "t");
        assertThat(table.version().manifests().size()).isGreaterThanOrEqualTo(16);
        assertThat(table.select(TupleDomain.withColumnDomains(Map.of(ID.toColumn(), Domain.singleValue(BIGINT, value)))).manifests()).isEqualTo(1);
        TableStatistics statistics = estimate(Domain.singleValue(BIGINT, value));
        assertThat(statistics.getRowCount().getValue()).isCloseTo(ROWS_PER_VALUE, withPercentage(20));
        assertThat(statistics.getColumnStatistics().get(ID).getDistinctValuesCount().getValue()).isEqualTo(1);
    }

    @Test
    void testRange()
    {
        // Half of the values of one row group
        long first = 420L * DISTINCT * STEP;
        TableStatistics statistics = estimate(Domain.create(ValueSet.ofRanges(Range.range(BIGINT, first, true, first + DISTINCT / 2 * STEP, false)), false));
        assertThat(statistics.getRowCount().getValue()).isCloseTo(ROWS_PER_VALUE * DISTINCT / 2, withPercentage(10));
        assertThat(statistics.getColumnStatistics().get(ID).getDistinctValuesCount().getValue()).isCloseTo(DISTINCT / 2, withPercentage(20));
    }

    private TableStatistics estimate(Domain domain)
    {
        TableEstimate estimate = TableStatisticsReader.read(load(warehouse, "s", "t"), TupleDomain.withColumnDomains(Map.of(ID, domain)), TupleDomain.all());
        assertThat(estimate.filtered()).isTrue();
        return estimate.statistics();
    }

    /**
     * Returns row groups that are sorted by the first column, in which each value occurs equally often.
     */
    private static TableRows sortedRows(long first)
    {
        PageSketcher sketcher = new PageSketcher(ImmutableList.of(ID.toColumn()));
        ImmutableList.Builder<RowGroup> rowGroups = ImmutableList.builder();
        for (int i = 0; i < ROW_GROUPS; i++) {
            long least = first + (long) i * DISTINCT * STEP;
            BlockBuilder values = BIGINT.createBlockBuilder(null, DISTINCT * ROWS_PER_VALUE);
            for (int row = 0; row < DISTINCT * ROWS_PER_VALUE; row++) {
                BIGINT.writeLong(values, least + row / ROWS_PER_VALUE * STEP);
            }
            sketcher.append(new Page(values.build()));
            rowGroups.add(new RowGroup(
                    UUID.randomUUID(),
                    DISTINCT * ROWS_PER_VALUE,
                    ImmutableList.of(new ColumnGroupInstance(UUID.randomUUID(), ImmutableList.of(1), 100, 50)),
                    ImmutableList.of(new ColumnStatistics(1, 0, ASCENDING, Optional.of(bytes(least)), Optional.of(bytes(least + (DISTINCT - 1) * STEP))).withBoundsType("bigint"))));
        }
        return new TableRows(rowGroups.build(), sketcher.finish());
    }

    private static byte[] bytes(long value)
    {
        return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
    }
}
