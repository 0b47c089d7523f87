package io.albis.trino.metadata;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.airlift.units.DataSize;
import io.albis.table.HookedFileSystem;
import io.albis.table.HookedFileSystem.Kind;
import io.albis.table.HookedFileSystem.Operation;
import io.albis.trino.config.AlbisConfig;
import io.albis.trino.config.AlbisReadConfig;
import io.albis.trino.config.AlbisSessionProperties;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.manifest.ManifestCache;
import io.albis.trino.manifest.ManifestExecutor;
import io.albis.trino.procedure.TransactionMode;
import io.albis.trino.relation.QueryReads;
import io.albis.trino.storage.LocalRoot;
import io.albis.trino.write.CommitStats;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.catalog.CatalogName;
import io.trino.spi.connector.ColumnMetadata;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableMetadata;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.security.TrinoPrincipal;
import io.trino.spi.statistics.TableStatistics;
import io.trino.spi.type.TypeId;
import io.trino.testing.TestingConnectorSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

import static io.airlift.units.DataSize.Unit.MEGABYTE;
import static io.trino.spi.connector.SaveMode.FAIL;
import static io.trino.spi.security.PrincipalType.USER;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.type.InternalTypeManager.TESTING_TYPE_MANAGER;
import static java.util.concurrent.Executors.newCachedThreadPool;
import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Estimates that read slow storage do not block each other.
 */
final class TestTableEstimateCache
{
    // More than the bins of a new ConcurrentHashMap, so two handles share a bin
    private static final int HANDLES = 17;
    private static final AlbisConfig CONFIG = new AlbisConfig().setWarehouse("memory:///warehouse");

    private final ConnectorSession session = TestingConnectorSession.builder()
            .setPropertyMetadata(new AlbisSessionProperties(CONFIG, new AlbisReadConfig()).getSessionProperties())
            .build();
    private volatile CountDownLatch gate = new CountDownLatch(0);
    private final TrinoFileSystem fileSystem = new HookedFileSystem(new MemoryFileSystem(), new HookedFileSystem.Hook()
    {
        @Override
        public void before(Operation operation)
                throws IOException
        {
            if (operation.kind() == Kind.READ && operation.location().parentDirectory().fileName().equals("versions")) {
                gate.countDown();
                try {
                    if (!gate.await(1, MINUTES)) {
                        throw new IOException("%s estimates wait for others".formatted(gate.getCount()));
                    }
                }
                catch (InterruptedException e) {
                    throw new IOException(e);
                }
            }
        }
    });
    private final ExecutorService threads = newCachedThreadPool();
    private final AlbisMetadataFactory transactions = new AlbisMetadataFactory(
            new CatalogName("albis"),
            CONFIG,
            _ -> fileSystem,
            typeId -> TESTING_TYPE_MANAGER.getType(TypeId.of(typeId)),
            new LocalRoot(Optional.empty()),
            new CommitStats(),
            new ManifestCache(DataSize.of(1, MEGABYTE), new ManifestExecutor("test", 2)),
            new ListingExecutor(threads, 1),
            new QueryReads());

    @AfterEach
    void tearDown()
    {
        threads.shutdownNow();
    }

    @Test
    void testEstimatesReadAtTheSameTime()
            throws Exception
    {
        SchemaTableName name = new SchemaTableName("s", "t");
        AlbisMetadata first = transactions.create(session, TransactionMode.AUTO_COMMIT);
        first.createSchema(session, "s", ImmutableMap.of(), new TrinoPrincipal(USER, session.getUser()));
        first.createTable(session, new ConnectorTableMetadata(name, ImmutableList.of(new ColumnMetadata("id", BIGINT)), ImmutableMap.of()), FAIL);
        AlbisTableHandle handle = (AlbisTableHandle) first.getTableHandle(session, name, Optional.empty(), Optional.empty());
        AlbisColumnHandle column = (AlbisColumnHandle) first.getColumnHandles(session, handle).get("id");

        // Another transaction has not loaded the table, so each estimate reads the version
        AlbisMetadata metadata = transactions.create(session, TransactionMode.AUTO_COMMIT);
        gate = new CountDownLatch(HANDLES);
        List<Future<TableStatistics>> estimates = new ArrayList<>();
        for (long i = 0; i < HANDLES; i++) {
            AlbisTableHandle filtered = handle.withPredicate(TupleDomain.all(), TupleDomain.withColumnDomains(ImmutableMap.of(column, Domain.singleValue(BIGINT, i))));
            estimates.add(threads.submit(() -> metadata.getTableStatistics(session, filtered)));
        }
        for (Future<TableStatistics> estimate : estimates) {
            assertThat(estimate.get().getRowCount().getValue()).isZero();
        }
    }
}
