package io.albis.trino.manifest;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.statistics.ValueOrder;
import io.albis.table.HookedFileSystem;
import io.albis.table.HookedFileSystem.Hook;
import io.albis.table.HookedFileSystem.Operation;
import io.albis.table.Warehouse;
import io.albis.table.WarehouseOptions;
import io.albis.table.model.TableColumn;
import io.albis.table.model.TableColumnGroup;
import io.albis.table.model.TableDefinition;
import io.albis.table.model.TableRows;
import io.albis.table.row.ReadSet;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.security.ConnectorIdentity;
import org.junit.jupiter.api.AfterEach;

import java.io.IOException;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import static io.albis.table.HookedFileSystem.Kind.READ;
import static io.trino.spi.type.BigintType.BIGINT;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A table whose manifests are read through a cache, from storage that counts the reads.
 */
abstract class BaseManifestCacheTest
{
    private static final Location ROOT = Location.of("memory:///warehouse");
    static final int THREADS = 4;
    static final ConnectorIdentity ALICE = ConnectorIdentity.ofUser("alice");

    final ManifestExecutor executor = new ManifestExecutor("test", THREADS);
    final MemoryFileSystem files = new MemoryFileSystem();
    final AtomicInteger reads = new AtomicInteger();
    final AtomicBoolean refusing = new AtomicBoolean();
    volatile Runnable whenRead = () -> {};

    private final TrinoFileSystem fileSystem = new HookedFileSystem(files, new Hook()
    {
        @Override
        public void before(Operation operation)
                throws IOException
        {
            if (operation.kind() == READ && operation.location().toString().contains("/manifests/")) {
                if (refusing.get()) {
                    throw new IOException("Permission denied: " + operation.location());
                }
                reads.incrementAndGet();
                whenRead.run();
            }
        }
    });

    @AfterEach
    void shutDown()
    {
        executor.shutdown();
    }

    AlbisTable createTable(int manifests)
    {
        Warehouse warehouse = new Warehouse(files, ROOT, _ -> BIGINT);
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        TableDefinition definition = new TableDefinition(
                ImmutableList.of(new TableColumn(1, "id", BIGINT, true, Optional.empty())),
                ImmutableList.of(new TableColumnGroup(AlbisLayout.BLOCK, ImmutableList.of(1))),
                ImmutableMap.of(),
                Optional.empty(),
                Optional.empty());
        warehouse.createTable(warehouse.newTable("s", "t", definition), oneRow());
        for (int i = 1; i < manifests; i++) {
            append(warehouse);
        }
        AlbisTable table = warehouse.loadTable("s", "t").orElseThrow();
        assertThat(table.version().manifests()).hasSize(manifests);
        return table;
    }

    static void append(Warehouse warehouse)
    {
        warehouse.append(warehouse.loadTable("s", "t").orElseThrow(), oneRow(), ReadSet.BLIND);
    }

    private static TableRows oneRow()
    {
        ColumnStatistics statistics = new ColumnStatistics(1, 0, ValueOrder.CONSTANT, Optional.of(new byte[8]), Optional.of(new byte[8]), Optional.of("bigint"));
        return TableRows.withoutSketches(ImmutableList.of(new RowGroup(
                UUID.randomUUID(),
                1,
                ImmutableList.of(new ColumnGroupInstance(UUID.randomUUID(), ImmutableList.of(1), 1, 1)),
                ImmutableList.of(statistics))));
    }

    AlbisTable load(ManifestCache cache, ConnectorIdentity identity)
    {
        return warehouse(cache, identity).loadTable("s", "t").orElseThrow();
    }

    Warehouse warehouse(ManifestCache cache, ConnectorIdentity identity)
    {
        return new Warehouse(fileSystem, ROOT, _ -> BIGINT, WarehouseOptions.DEFAULT.withManifests(cache.forIdentity(identity)));
    }
}
