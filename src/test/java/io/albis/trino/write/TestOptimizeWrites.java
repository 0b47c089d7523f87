package io.albis.trino.write;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.airlift.slice.Slice;
import io.albis.format.metadata.RowGroup;
import io.albis.format.scan.MetadataSource;
import io.albis.table.HookedFileSystem.Operation;
import io.albis.table.optimize.OptimizePlan;
import io.albis.trino.config.AlbisReadConfig;
import io.albis.trino.fragment.OptimizedUnit;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.handle.AlbisTransactionHandle;
import io.albis.trino.handle.OptimizeHandle;
import io.albis.trino.handle.OptimizeSplit;
import io.albis.trino.handle.RewriteHandle;
import io.albis.trino.metadata.AlbisMetadata;
import io.albis.trino.optimize.OptimizePageSourceProviderFactory;
import io.albis.trino.read.AlbisPageSourceProviderFactory;
import io.albis.trino.read.ReadAheadExecutor;
import io.albis.trino.read.ReaderResourcesFactory;
import io.albis.trino.read.ScanStats;
import io.albis.trino.sink.AlbisPageSinkProvider;
import io.albis.trino.sink.WriteStats;
import io.trino.spi.catalog.CatalogName;
import io.trino.spi.connector.ConnectorExpressionEvaluator;
import io.trino.spi.connector.ConnectorPageSink;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.ConnectorPageSourceProvider;
import io.trino.spi.connector.ConnectorTableExecuteHandle;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.DynamicFilter;
import io.trino.spi.connector.MemoryContext;
import io.trino.spi.connector.RetryMode;
import io.trino.spi.connector.SourcePage;
import io.trino.spi.predicate.TupleDomain;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.trino.spi.connector.RetryMode.NO_RETRIES;
import static io.trino.spi.connector.RetryMode.RETRIES_ENABLED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Runs the steps of an optimization as the engine does, on storage that can fail.
 */
final class TestOptimizeWrites
        extends BaseTableWritesTest
{
    private final AtomicLong memory = new AtomicLong();
    private final ConnectorPageSourceProvider sources = new OptimizePageSourceProviderFactory(
            new AlbisPageSourceProviderFactory(
                    _ -> fileSystem,
                    new ReaderResourcesFactory(MetadataSource.FILES, new ReadAheadExecutor(new CatalogName("albis"), new AlbisReadConfig())),
                    new ScanStats(),
                    ConnectorExpressionEvaluator.NO_OP),
            sinks()).createPageSourceProvider();

    private AlbisPageSinkProvider sinks()
    {
        return new AlbisPageSinkProvider(_ -> fileSystem, new WriteStats(), (_, _) -> {
            throw new AssertionError("a new row group needs no other one");
        }, UNSORTED);
    }

    /**
     * A statement that fails at any operation of the storage, before or after it took effect, leaves the old rows and
     * no file, unless its outcome is unknown.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void testEveryOperation(boolean afterwards)
            throws IOException
    {
        createTable();
        int position = 0;
        boolean reached = true;
        while (reached) {
            insert(2);
            insert(3);
            long rows = rows();
            Set<UUID> before = rowGroupIds();
            Set<String> folders = rowGroupFolders();
            AtomicInteger operations = new AtomicInteger();
            int failed = position;
            Predicate<Operation> fault = _ -> operations.getAndIncrement() == failed;
            AlbisMetadata transaction = begin();
            if (afterwards) {
                failingAfter = fault;
            }
            else {
                failing = fault;
            }
            Throwable failure = catchThrowable(() -> optimize(transaction, NO_RETRIES));
            failing = _ -> false;
            failingAfter = _ -> false;
            reached = operations.get() > position;
            if (failure != null) {
                transaction.rollback();
            }
            assertRows(rows);
            if (failure != null && rowGroupIds().equals(before)) {
                assertThat(rowGroupFolders()).as("files after operation %s fails with %s", position, failure).isEqualTo(folders);
            }
            else {
                assertThat(rowGroupIds()).as("after operation %s and %s", position, failure).hasSize(1).doesNotContainAnyElementsOf(before);
            }
            assertThat(memory).hasValue(0);
            position++;
        }
        assertThat(position).isGreaterThan(15);
    }

    @Test
    void testAttemptsOfTasks()
            throws IOException
    {
        createTable();
        insert(2);
        insert(3);
        AlbisMetadata transaction = begin();
        OptimizeHandle handle = beginOptimize(transaction, RETRIES_ENABLED);
        // the engine has lost the result of the first attempt
        runUnits(transaction, handle);
        Collection<Slice> fragments = runUnits(transaction, handle);
        assertThat(rowGroupFolders()).hasSize(4);
        assertThat(transaction.finishTableExecute(session, handle, fragments, ImmutableList.of())).containsEntry("added_row_groups_count", 1L);
        assertRows(5);
        // the files of the other attempt are removed
        assertThat(rowGroupFolders()).hasSize(3);
        // the engine has lost the result of the commit
        transaction.finishTableExecute(session, handle, fragments, ImmutableList.of());
        assertRows(5);
        assertThat(rowGroupFolders()).hasSize(3);
    }

    @Test
    void testIncompleteFragments()
            throws IOException
    {
        createTable();
        insert(2);
        insert(3);
        AlbisMetadata transaction = begin();
        OptimizeHandle handle = beginOptimize(transaction, NO_RETRIES);
        Slice unit = runUnits(transaction, handle).iterator().next();
        assertThatThrownBy(() -> transaction.finishTableExecute(session, handle, ImmutableList.of(), ImmutableList.of())).hasMessage("0 units of 1 were written");
        assertThatThrownBy(() -> transaction.finishTableExecute(session, handle, ImmutableList.of(unit, unit), ImmutableList.of())).hasMessage("2 units of 1 were written");
        Slice empty = new OptimizedUnit(0, ImmutableList.of()).encode();
        assertThatThrownBy(() -> transaction.finishTableExecute(session, handle, ImmutableList.of(empty), ImmutableList.of())).hasMessage("0 rows were written instead of the 5 live rows of 2 row groups");
        Slice other = new OptimizedUnit(1, OptimizedUnit.decode(unit).fragments()).encode();
        assertThatThrownBy(() -> transaction.finishTableExecute(session, handle, ImmutableList.of(other), ImmutableList.of())).hasMessage("unit 1 was written instead of unit 0");
        assertRows(5);
        transaction.rollback();
        assertThat(rowGroupFolders()).hasSize(2);
        assertRows(5);
    }

    private void optimize(AlbisMetadata transaction, RetryMode retryMode)
    {
        OptimizeHandle handle = beginOptimize(transaction, retryMode);
        Map<String, Long> metrics = transaction.finishTableExecute(session, handle, runUnits(transaction, handle), ImmutableList.of());
        assertThat(metrics).containsEntry("added_row_groups_count", 1L);
    }

    private OptimizeHandle beginOptimize(AlbisMetadata transaction, RetryMode retryMode)
    {
        ConnectorTableHandle table = transaction.getTableHandle(session, TABLE, Optional.empty(), Optional.empty());
        ConnectorTableExecuteHandle handle = transaction.getTableHandleForExecute(session, null, table, "OPTIMIZE", ImmutableMap.of(), retryMode).orElseThrow();
        return (OptimizeHandle) transaction.beginTableExecute(session, handle, table).getSourceHandle();
    }

    private Collection<Slice> runUnits(AlbisMetadata transaction, OptimizeHandle handle)
    {
        OptimizePlan plan = transaction.rewritePlan(handle);
        ConnectorPageSink sink = sinks().createPageSink(new AlbisTransactionHandle(handle.target().tableId()), session, (ConnectorTableExecuteHandle) handle, Optional.empty(), () -> 1);
        for (int unit = 0; unit < plan.units().size(); unit++) {
            OptimizeSplit split = new OptimizeSplit(unit, plan.units().get(unit).rowGroups(), 1);
            MemoryContext context = memory::set;
            try (ConnectorPageSource source = sources.createPageSource(
                    new AlbisTransactionHandle(handle.target().tableId()),
                    session,
                    split,
                    handle,
                    Optional.empty(),
                    List.of(RewriteHandle.RESULT),
                    DynamicFilter.EMPTY,
                    context)) {
                while (!source.isFinished()) {
                    SourcePage page = source.getNextSourcePage();
                    if (page != null) {
                        sink.appendPage(page.getPage());
                    }
                }
            }
            catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return sink.finish().join();
    }

    private long rows()
    {
        return rowGroups().stream().mapToLong(RowGroup::rows).sum();
    }

    private Set<UUID> rowGroupIds()
    {
        return rowGroups().stream().map(RowGroup::id).collect(toImmutableSet());
    }

    private List<RowGroup> rowGroups()
    {
        AlbisMetadata transaction = begin();
        AlbisTableHandle table = (AlbisTableHandle) transaction.getTableHandle(session, TABLE, Optional.empty(), Optional.empty());
        return transaction.rowGroups(table, TupleDomain.all()).rowGroups();
    }
}
