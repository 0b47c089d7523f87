package io.albis.trino.split;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.trino.AlbisPlugin;
import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.maintenance.MaintenanceFunctionHandle;
import io.albis.trino.maintenance.MaintenanceFunctionHandle.Kind;
import io.albis.trino.maintenance.MaintenanceSplit;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.Connector;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.connector.ConnectorSplitSource;
import io.trino.testing.TestingConnectorContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import static com.google.common.collect.Iterables.getOnlyElement;
import static io.airlift.concurrent.Threads.daemonThreadsNamed;
import static io.trino.spi.connector.DynamicFilterSnapshot.EMPTY;
import static io.trino.spi.transaction.IsolationLevel.READ_UNCOMMITTED;
import static io.trino.testing.TestingConnectorSession.SESSION;
import static java.util.concurrent.Executors.newCachedThreadPool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Splits of table functions, whose rows the coordinator finds in a thread of its own.
 */
@Timeout(60)
final class TestLoadedSplitSource
{
    private static final ConnectorSplit SPLIT = new MaintenanceSplit(ImmutableList.of());

    private final ExecutorService executor = newCachedThreadPool(daemonThreadsNamed("splits-%s"));

    @AfterEach
    void tearDown()
    {
        executor.shutdownNow();
    }

    private ConnectorSplitSource source(Supplier<List<ConnectorSplit>> loader)
    {
        return new LoadedSplitSource(loader, executor);
    }

    @Test
    void testBatches()
    {
        AtomicInteger calls = new AtomicInteger();
        ConnectorSplitSource source = source(() -> {
            calls.incrementAndGet();
            return ImmutableList.of(SPLIT, SPLIT, SPLIT);
        });
        assertThat(source.isFinished()).isFalse();
        assertThat(calls).hasValue(0);
        assertThat(source.getNextBatch(2, EMPTY).join()).hasSize(2);
        assertThat(source.isFinished()).isFalse();
        assertThat(source.getNextBatch(2, EMPTY).join()).hasSize(1);
        assertThat(source.isFinished()).isTrue();
        assertThat(calls).hasValue(1);
    }

    @Test
    void testNoRows()
    {
        ConnectorSplitSource source = source(ImmutableList::of);
        assertThat(source.getNextBatch(2, EMPTY).join()).isEmpty();
        assertThat(source.isFinished()).isTrue();
    }

    /**
     * The thread of the engine that creates the source does not wait for the search.
     */
    @Test
    void testFailedSearch(@TempDir Path folder)
    {
        Connector connector = getOnlyElement(new AlbisPlugin().getConnectorFactories()).create(
                "test",
                ImmutableMap.<String, String>builder()
                        .putAll(AlbisQueryRunner.catalogProperties(folder))
                        .put("bootstrap.quiet", "true")
                        .buildOrThrow(),
                new TestingConnectorContext());
        try {
            MaintenanceFunctionHandle function = new MaintenanceFunctionHandle(Kind.FIND_LOST_TABLES, Optional.of("local:///secret"), Optional.empty());
            ConnectorSplitSource source = connector.getSplitManager().getSplits(connector.beginTransaction(READ_UNCOMMITTED, true, true), SESSION, function);
            assertThatThrownBy(() -> source.getNextBatch(1, EMPTY).get())
                    .cause()
                    .isInstanceOf(TrinoException.class)
                    .hasMessageContaining("is not allowed");
        }
        finally {
            connector.shutdown();
        }
    }

    @Test
    void testCloseInterruptsTheSearch()
            throws Exception
    {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        ConnectorSplitSource source = source(() -> {
            started.countDown();
            try {
                new CountDownLatch(1).await();
            }
            catch (InterruptedException e) {
                interrupted.countDown();
            }
            return ImmutableList.of();
        });
        CompletableFuture<List<ConnectorSplit>> batch = source.getNextBatch(1, EMPTY);
        started.await();
        source.close();
        interrupted.await();
        assertThat(batch).isCancelled();
        assertThat(source.isFinished()).isTrue();
    }
}
