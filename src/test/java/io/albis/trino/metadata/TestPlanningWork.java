package io.albis.trino.metadata;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.sun.management.ThreadMXBean;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.airlift.units.DataSize;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.statistics.ValueOrder;
import io.albis.table.Warehouse;
import io.albis.table.WarehouseOptions;
import io.albis.table.model.TableColumn;
import io.albis.table.model.TableColumnGroup;
import io.albis.table.model.TableDefinition;
import io.albis.table.model.TableRows;
import io.albis.table.sketch.ColumnSketches;
import io.albis.trino.config.AlbisConfig;
import io.albis.trino.config.AlbisReadConfig;
import io.albis.trino.config.AlbisSessionProperties;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.manifest.ManifestCache;
import io.albis.trino.manifest.ManifestExecutor;
import io.albis.trino.procedure.TransactionMode;
import io.albis.trino.relation.QueryReads;
import io.albis.trino.storage.LocalRoot;
import io.albis.trino.write.CommitStats;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.catalog.CatalogName;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.Constraint;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.predicate.ValueSet;
import io.trino.testing.TestingConnectorSession;
import org.junit.jupiter.api.Test;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.airlift.units.DataSize.Unit.MEGABYTE;
import static io.trino.spi.type.BigintType.BIGINT;
import static java.util.stream.IntStream.range;
import static java.util.stream.IntStream.rangeClosed;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Filter pushdown reads only the statistics of the filtered columns, however many other columns there are. It allocates
 * an object for each of these statistics, so the test measures allocations.
 */
final class TestPlanningWork
{
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final AlbisConfig CONFIG = new AlbisConfig().setWarehouse("memory:///warehouse");
    private static final int ROW_GROUPS = 2000;

    private final TrinoFileSystem fileSystem = new MemoryFileSystem();
    private final ConnectorSession session = TestingConnectorSession.builder()
            .setPropertyMetadata(new AlbisSessionProperties(CONFIG, new AlbisReadConfig()).getSessionProperties())
            .build();
    private final AlbisMetadataFactory transactions = new AlbisMetadataFactory(
            new CatalogName("albis"),
            CONFIG,
            _ -> fileSystem,
            _ -> BIGINT,
            new LocalRoot(Optional.empty()),
            new CommitStats(),
            new ManifestCache(DataSize.of(100, MEGABYTE), new ManifestExecutor("test", 2)),
            ListingExecutor.direct(),
            new QueryReads());

    @Test
    void testColumnsThatAreNotFiltered()
    {
        Warehouse warehouse = new Warehouse(fileSystem, Location.of("memory:///warehouse"), _ -> BIGINT, WarehouseOptions.DEFAULT);
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        long few = allocatedByApplyFilter(warehouse, 2);
        long many = allocatedByApplyFilter(warehouse, 40);
        assertThat(many).as("allocated with 40 columns, and with 2: %s", few).isLessThan(3 * few / 2);
    }

    private long allocatedByApplyFilter(Warehouse warehouse, int columns)
    {
        String name = "t" + columns;
        warehouse.createTable(warehouse.newTable("s", name, definition(columns)), new TableRows(rowGroups(columns), ColumnSketches.of(ImmutableList.of())));
        long allocated = 0;
        // By the second time, everything is loaded
        for (int i = 0; i < 2; i++) {
            AlbisMetadata metadata = transactions.create(session, TransactionMode.AUTO_COMMIT);
            ConnectorTableHandle table = metadata.getTableHandle(session, new SchemaTableName("s", name), Optional.empty(), Optional.empty());
            assertThat(metadata.rowGroups((AlbisTableHandle) table, TupleDomain.all()).rowGroups()).hasSize(ROW_GROUPS);
            ColumnHandle column = metadata.getColumnHandles(session, table).get("column_1");
            Constraint constraint = new Constraint(TupleDomain.withColumnDomains(ImmutableMap.of(column, Domain.create(ValueSet.ofRanges(Range.lessThan(BIGINT, 50L)), false))));
            long before = THREADS.getCurrentThreadAllocatedBytes();
            ConnectorTableHandle filtered = metadata.applyFilter(session, table, constraint).orElseThrow().getHandle();
            allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
            assertThat(metadata.getTableStatistics(session, filtered).getColumnStatistics()).hasSize(columns);
        }
        return allocated;
    }

    private static TableDefinition definition(int columns)
    {
        return new TableDefinition(
                rangeClosed(1, columns)
                        .mapToObj(id -> new TableColumn(id, "column_" + id, BIGINT, true, Optional.empty()))
                        .collect(toImmutableList()),
                ImmutableList.of(new TableColumnGroup(AlbisLayout.BLOCK, columnIds(columns))),
                ImmutableMap.of(),
                Optional.empty(),
                Optional.empty());
    }

    private static List<Integer> columnIds(int columns)
    {
        return rangeClosed(1, columns).boxed().collect(toImmutableList());
    }

    private static List<RowGroup> rowGroups(int columns)
    {
        return range(0, ROW_GROUPS)
                .mapToObj(_ -> new RowGroup(
                        UUID.randomUUID(),
                        1000,
                        ImmutableList.of(new ColumnGroupInstance(UUID.randomUUID(), columnIds(columns), 1 << 20, 1000)),
                        rangeClosed(1, columns)
                                .mapToObj(id -> new ColumnStatistics(id, 0, ValueOrder.UNORDERED, Optional.of(bound(0)), Optional.of(bound(99)), Optional.of("bigint")))
                                .collect(toImmutableList())))
                .collect(toImmutableList());
    }

    private static byte[] bound(long value)
    {
        Slice bound = Slices.allocate(Long.BYTES);
        bound.setLong(0, value);
        return bound.getBytes();
    }
}
