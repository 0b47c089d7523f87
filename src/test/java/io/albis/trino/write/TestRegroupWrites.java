package io.albis.trino.write;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.airlift.slice.Slice;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.format.scan.MetadataSource;
import io.albis.table.HookedFileSystem.Operation;
import io.albis.table.model.TableRows;
import io.albis.table.optimize.OptimizePlan;
import io.albis.trino.config.AlbisReadConfig;
import io.albis.trino.fragment.OptimizedUnit;
import io.albis.trino.fragment.WriteFragments;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.handle.AlbisTransactionHandle;
import io.albis.trino.handle.AlbisWritableTableHandle;
import io.albis.trino.handle.OptimizeSplit;
import io.albis.trino.handle.RegroupHandle;
import io.albis.trino.handle.RewriteHandle;
import io.albis.trino.metadata.AlbisMetadata;
import io.albis.trino.optimize.OptimizePageSourceProviderFactory;
import io.albis.trino.read.AlbisPageSourceProviderFactory;
import io.albis.trino.read.ReadAheadExecutor;
import io.albis.trino.read.ReaderResourcesFactory;
import io.albis.trino.read.ScanStats;
import io.albis.trino.sink.AlbisPageSinkProvider;
import io.albis.trino.sink.WriteStats;
import io.trino.filesystem.FileIterator;
import io.trino.filesystem.Location;
import io.trino.spi.Page;
import io.trino.spi.block.LongArrayBlock;
import io.trino.spi.catalog.CatalogName;
import io.trino.spi.connector.ColumnMetadata;
import io.trino.spi.connector.ConnectorExpressionEvaluator;
import io.trino.spi.connector.ConnectorInsertTableHandle;
import io.trino.spi.connector.ConnectorPageSink;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.ConnectorPageSourceProvider;
import io.trino.spi.connector.ConnectorTableExecuteHandle;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.ConnectorTableMetadata;
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
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.trino.spi.connector.RetryMode.NO_RETRIES;
import static io.trino.spi.connector.RetryMode.RETRIES_ENABLED;
import static io.trino.spi.connector.SaveMode.FAIL;
import static io.trino.spi.type.BigintType.BIGINT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Runs the steps of a regrouping, or of a change of indexes, as the engine does, on storage that can fail.
 */
final class TestRegroupWrites
        extends BaseTableWritesTest
{
    private static final List<List<String>> APART = ImmutableList.of(ImmutableList.of("a"), ImmutableList.of("b"));
    private static final List<List<String>> TOGETHER = ImmutableList.of(ImmutableList.of("b", "a"));

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
            throw new AssertionError("a regrouping reads the row groups of its splits");
        }, UNSORTED);
    }

    /**
     * A statement that fails at any operation of the storage, before or after it took effect, leaves the old column
     * groups and no file, unless its outcome is unknown. The next one succeeds.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void testEveryOperation(boolean afterwards)
            throws IOException
    {
        createTableWithRows();
        int position = 0;
        boolean reached = true;
        List<List<String>> groups = APART;
        while (reached) {
            Set<UUID> before = columnGroupIds();
            Set<String> files = dataFiles();
            List<List<String>> target = groups;
            Attempt attempt = runWithFault(position, afterwards, transaction -> regroup(transaction, target, NO_RETRIES));
            Throwable failure = attempt.failure();
            reached = attempt.reached();
            if (failure != null && columnGroupIds().equals(before)) {
                assertThat(dataFiles()).as("files after operation %s fails with %s", position, failure).isEqualTo(files);
            }
            else {
                assertThat(columnGroupIds()).as("after operation %s and %s", position, failure).hasSize(2 * groups.size()).doesNotContainAnyElementsOf(before);
                groups = groups.equals(APART) ? TOGETHER : APART;
            }
            assertThat(rowGroups().stream().mapToLong(RowGroup::rows).sum()).isEqualTo(5);
            assertThat(memory).hasValue(0);
            position++;
        }
        assertThat(position).isGreaterThan(15);
    }

    /**
     * The same for statements that add and drop an index, in turns.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void testEveryOperationOfIndexes(boolean afterwards)
            throws IOException
    {
        createTableWithRows();
        int position = 0;
        boolean reached = true;
        boolean drop = false;
        while (reached) {
            Set<UUID> before = columnGroupIds();
            Set<String> files = dataFiles();
            String procedure = drop ? "DROP_INDEX" : "ADD_INDEX";
            Attempt attempt = runWithFault(position, afterwards, transaction -> {
                RewriteHandle handle = begin(transaction, procedure, ImmutableMap.of("columns", ImmutableList.of("a")), NO_RETRIES);
                Map<String, Long> metrics = transaction.finishTableExecute(session, handle, runUnits(transaction, handle), ImmutableList.of());
                assertThat(metrics).containsEntry("written_row_groups_count", 2L);
            });
            Throwable failure = attempt.failure();
            reached = attempt.reached();
            if (failure != null && columnGroupIds().equals(before)) {
                assertThat(dataFiles()).as("files after operation %s fails with %s", position, failure).isEqualTo(files);
                assertThat(indexedBy()).isEqualTo(drop ? List.of("a") : List.of());
            }
            else {
                assertThat(columnGroupIds()).as("after operation %s and %s", position, failure).hasSameSizeAs(before).doesNotContainAnyElementsOf(before);
                assertThat(indexedBy()).isEqualTo(drop ? List.of() : List.of("a"));
                drop = !drop;
            }
            assertThat(rowGroups().stream().mapToLong(RowGroup::rows).sum()).isEqualTo(5);
            assertThat(memory).hasValue(0);
            position++;
        }
        assertThat(position).isGreaterThan(15);
    }

    /**
     * @param failure null if the statement has not failed
     * @param reached whether there were enough operations for the fault
     */
    private record Attempt(Throwable failure, boolean reached) {}

    /**
     * Runs a statement during which one operation of the storage fails, and rolls it back if it fails.
     *
     * @param position number of the operation, from 0
     * @param afterwards whether the operation takes effect before it fails
     */
    private Attempt runWithFault(int position, boolean afterwards, Consumer<AlbisMetadata> statement)
    {
        AtomicInteger operations = new AtomicInteger();
        Predicate<Operation> fault = _ -> operations.getAndIncrement() == position;
        AlbisMetadata transaction = begin();
        if (afterwards) {
            failingAfter = fault;
        }
        else {
            failing = fault;
        }
        Throwable failure = catchThrowable(() -> statement.accept(transaction));
        failing = _ -> false;
        failingAfter = _ -> false;
        boolean reached = operations.get() > position;
        if (failure != null) {
            transaction.rollback();
        }
        return new Attempt(failure, reached);
    }

    private Object indexedBy()
    {
        AlbisMetadata transaction = begin();
        ConnectorTableHandle table = transaction.getTableHandle(session, TABLE, Optional.empty(), Optional.empty());
        return transaction.getTableMetadata(session, table).getProperties().getOrDefault("indexed_by", List.of());
    }

    @Test
    void testAttemptsOfTasks()
            throws IOException
    {
        createTableWithRows();
        Set<String> before = dataFiles();
        AlbisMetadata transaction = begin();
        RegroupHandle handle = beginRegroup(transaction, APART, RETRIES_ENABLED);
        // the engine has lost the result of the first attempt
        runUnits(transaction, handle);
        Collection<Slice> fragments = runUnits(transaction, handle);
        assertThat(dataFiles()).hasSize(before.size() + 2 * 2 * 2 * 2);
        assertThat(transaction.finishTableExecute(session, handle, fragments, ImmutableList.of())).containsEntry("regrouped_row_groups_count", 2L);
        Set<UUID> committed = columnGroupIds();
        // the files of the other attempt are removed
        assertThat(dataFiles()).hasSize(before.size() + 2 * 2 * 2);
        // the engine has lost the result of the commit
        transaction.finishTableExecute(session, handle, fragments, ImmutableList.of());
        assertThat(columnGroupIds()).isEqualTo(committed);
        assertThat(dataFiles()).hasSize(before.size() + 2 * 2 * 2);
    }

    @Test
    void testIncompleteFragments()
            throws IOException
    {
        createTableWithRows();
        Set<String> before = dataFiles();
        Set<UUID> columnGroups = columnGroupIds();
        AlbisMetadata transaction = begin();
        RegroupHandle handle = beginRegroup(transaction, APART, NO_RETRIES);
        Slice unit = runUnits(transaction, handle).iterator().next();
        assertThatThrownBy(() -> transaction.finishTableExecute(session, handle, ImmutableList.of(), ImmutableList.of())).hasMessage("0 units of 1 were written");
        assertThatThrownBy(() -> transaction.finishTableExecute(session, handle, ImmutableList.of(unit, unit), ImmutableList.of())).hasMessage("2 units of 1 were written");
        RowGroup other = new RowGroup(UUID.randomUUID(), 2, ImmutableList.of(new ColumnGroupInstance(UUID.randomUUID(), ImmutableList.of(1), 10, 10)), ImmutableList.of());
        Slice wrong = new OptimizedUnit(0, WriteFragments.encodeRewritten(TableRows.withoutSketches(ImmutableList.of(other)))).encode();
        assertThatThrownBy(() -> transaction.finishTableExecute(session, handle, ImmutableList.of(wrong), ImmutableList.of())).hasMessage("row group %s was written, which is not in its unit", other.id());
        RowGroup planned = transaction.rewritePlan(handle).units().getFirst().rowGroups().getFirst();
        RowGroup part = new RowGroup(planned.id(), planned.rows(), ImmutableList.of(new ColumnGroupInstance(UUID.randomUUID(), ImmutableList.of(1), 10, 10)), ImmutableList.of());
        Slice incomplete = new OptimizedUnit(0, WriteFragments.encodeRewritten(TableRows.withoutSketches(ImmutableList.of(part)))).encode();
        assertThatThrownBy(() -> transaction.finishTableExecute(session, handle, ImmutableList.of(incomplete), ImmutableList.of())).hasMessage("columns [1] of row group %s were written instead of [1, 2]", planned.id());
        assertThat(columnGroupIds()).isEqualTo(columnGroups);
        transaction.rollback();
        assertThat(dataFiles()).isEqualTo(before);
    }

    private void createTableWithRows()
            throws IOException
    {
        begin().createTable(session, new ConnectorTableMetadata(TABLE, ImmutableList.of(new ColumnMetadata("a", BIGINT), new ColumnMetadata("b", BIGINT)), ImmutableMap.of()), FAIL);
        for (long[] values : new long[][] {{1, 2}, {3, 4, 5}}) {
            AlbisMetadata transaction = begin();
            ConnectorTableHandle table = transaction.getTableHandle(session, TABLE, Optional.empty(), Optional.empty());
            ConnectorInsertTableHandle handle = transaction.beginInsert(session, table, transaction.getColumnHandles(session, table).values().stream().filter(AlbisColumnHandle.class::isInstance).toList(), NO_RETRIES);
            ConnectorPageSink sink = sinks().createPageSink(session, (AlbisWritableTableHandle) handle);
            LongArrayBlock block = new LongArrayBlock(values.length, Optional.empty(), values);
            sink.appendPage(new Page(block, block));
            transaction.finishInsert(session, handle, ImmutableList.of(), sink.finish().join(), ImmutableList.of());
        }
    }

    private void regroup(AlbisMetadata transaction, List<List<String>> groups, RetryMode retryMode)
    {
        RegroupHandle handle = beginRegroup(transaction, groups, retryMode);
        Map<String, Long> metrics = transaction.finishTableExecute(session, handle, runUnits(transaction, handle), ImmutableList.of());
        assertThat(metrics).containsEntry("regrouped_row_groups_count", 2L);
    }

    private RegroupHandle beginRegroup(AlbisMetadata transaction, List<List<String>> groups, RetryMode retryMode)
    {
        return (RegroupHandle) begin(transaction, "REGROUP", ImmutableMap.of("column_groups", groups), retryMode);
    }

    private RewriteHandle begin(AlbisMetadata transaction, String procedure, Map<String, Object> arguments, RetryMode retryMode)
    {
        ConnectorTableHandle table = transaction.getTableHandle(session, TABLE, Optional.empty(), Optional.empty());
        ConnectorTableExecuteHandle handle = transaction.getTableHandleForExecute(session, null, table, procedure, arguments, retryMode).orElseThrow();
        return (RewriteHandle) transaction.beginTableExecute(session, handle, table).getSourceHandle();
    }

    private Collection<Slice> runUnits(AlbisMetadata transaction, RewriteHandle handle)
    {
        OptimizePlan plan = transaction.rewritePlan(handle);
        AlbisTransactionHandle id = new AlbisTransactionHandle(handle.target().tableId());
        ConnectorPageSink sink = sinks().createPageSink(id, session, (ConnectorTableExecuteHandle) handle, Optional.empty(), () -> 1);
        for (int unit = 0; unit < plan.units().size(); unit++) {
            OptimizeSplit split = new OptimizeSplit(unit, plan.units().get(unit).rowGroups(), 1);
            MemoryContext context = memory::set;
            try (ConnectorPageSource source = sources.createPageSource(id, session, split, handle, Optional.empty(), List.of(RewriteHandle.RESULT), DynamicFilter.EMPTY, context)) {
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

    /**
     * Returns the data and metadata files of all column groups.
     */
    private Set<String> dataFiles()
            throws IOException
    {
        Set<String> files = new TreeSet<>();
        FileIterator iterator = storage.listFiles(Location.of("memory:///warehouse"));
        while (iterator.hasNext()) {
            String path = iterator.next().location().path();
            if (path.contains("/cg-")) {
                files.add(path);
            }
        }
        return files;
    }

    private Set<UUID> columnGroupIds()
    {
        return rowGroups().stream()
                .flatMap(rowGroup -> rowGroup.columnGroups().stream())
                .map(ColumnGroupInstance::id)
                .collect(toImmutableSet());
    }

    private List<RowGroup> rowGroups()
    {
        AlbisMetadata transaction = begin();
        AlbisTableHandle table = (AlbisTableHandle) transaction.getTableHandle(session, TABLE, Optional.empty(), Optional.empty());
        return transaction.rowGroups(table, TupleDomain.all()).rowGroups();
    }
}
