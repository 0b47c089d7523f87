package io.albis.trino.changes;

import com.google.common.collect.ImmutableList;
import io.albis.format.delete.DeletedPositions;
import io.albis.format.metadata.RowGroup;
import io.albis.trino.changes.ChangeColumns.ChangeType;
import io.albis.trino.handle.AlbisColumnHandle;
import io.trino.spi.Page;
import io.trino.spi.function.table.TableFunctionProcessorState;
import io.trino.spi.function.table.TableFunctionProcessorState.Blocked;
import io.trino.spi.function.table.TableFunctionSplitProcessor;
import io.trino.spi.type.TimeZoneKey;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeOperators;
import jakarta.annotation.Nullable;

import java.io.Closeable;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.trino.changes.ChangeColumns.ChangeType.DELETE;
import static io.albis.trino.changes.ChangeColumns.ChangeType.INSERT;
import static io.albis.trino.error.AlbisErrors.translateAction;
import static io.trino.spi.function.table.TableFunctionProcessorState.Blocked.blocked;
import static io.trino.spi.function.table.TableFunctionProcessorState.Finished.FINISHED;
import static io.trino.spi.function.table.TableFunctionProcessorState.Processed.produced;
import static java.util.Objects.requireNonNull;

/**
 * Reads the changes of one row group. If its columns were updated in place, it first finds the updated rows. Then it
 * reads the deleted rows as they were before, and the inserted ones as they are afterwards. Each call of
 * {@link #process} moves about one page, so the engine can run other work in between.
 */
final class TableChangesProcessor
        implements TableFunctionSplitProcessor
{
    private final RowGroupSources sources;
    private final TimeZoneKey timeZone;
    private final List<AlbisColumnHandle> columns;
    private final TableChangesSplit split;
    private final TypeOperators typeOperators;
    private final Queue<Supplier<RowGroupChanges>> pending = new ArrayDeque<>();

    private boolean started;
    // null except while it compares rows
    @Nullable
    private UpdateComparison updates;
    // null except while it reads rows
    @Nullable
    private RowGroupChanges rows;

    TableChangesProcessor(RowGroupSources sources, TypeOperators typeOperators, TimeZoneKey timeZone, List<AlbisColumnHandle> columns, TableChangesSplit split)
    {
        this.sources = requireNonNull(sources, "sources is null");
        this.typeOperators = requireNonNull(typeOperators, "typeOperators is null");
        this.timeZone = requireNonNull(timeZone, "timeZone is null");
        this.columns = ImmutableList.copyOf(columns);
        this.split = requireNonNull(split, "split is null");
    }

    @Override
    public TableFunctionProcessorState process()
    {
        if (!started) {
            started = true;
            start();
        }
        if (updates != null) {
            return compare(updates);
        }
        if (rows == null) {
            if (pending.isEmpty()) {
                return FINISHED;
            }
            rows = pending.remove().get();
        }
        return read(rows);
    }

    private void start()
    {
        if (split.after().isEmpty()) {
            pending.add(() -> liveRows(split.before().orElseThrow(), DELETE));
            return;
        }
        if (split.before().isEmpty()) {
            pending.add(() -> liveRows(split.after().orElseThrow(), INSERT));
            return;
        }
        List<AlbisColumnHandle> rewritten = columns.stream()
                .filter(column -> split.rewritten().contains(column.id()))
                .collect(toImmutableList());
        if (rewritten.isEmpty()) {
            plan(split.before().get(), split.after().get(), DeletedPositions.NONE);
            return;
        }
        List<Type> types = rewritten.stream()
                .map(AlbisColumnHandle::type)
                .collect(toImmutableList());
        updates = new UpdateComparison(
                () -> sources.allRows(split.before().get(), rewritten),
                () -> sources.allRows(split.after().get(), rewritten),
                types,
                typeOperators);
    }

    private TableFunctionProcessorState compare(UpdateComparison comparison)
    {
        if (!comparison.advance()) {
            return waitFor(comparison.isBlocked());
        }
        updates = null;
        close(comparison);
        plan(split.before().orElseThrow(), split.after().orElseThrow(), comparison.positions());
        return waitFor(CompletableFuture.completedFuture(null));
    }

    /**
     * Finds the changed rows of a row group that exists before and after the version. A rollback may restore rows.
     *
     * @param updated positions of the rows with other values
     */
    private void plan(RowGroup before, RowGroup after, DeletedPositions updated)
    {
        DeletedPositions deletedBefore = sources.deletedRows(before);
        DeletedPositions deletedAfter = sources.deletedRows(after);
        DeletedPositions updatedInPlace = updated.minus(deletedBefore.union(deletedAfter));
        add(before, deletedAfter.minus(deletedBefore).union(updatedInPlace), DELETE);
        add(after, deletedBefore.minus(deletedAfter).union(updatedInPlace), INSERT);
    }

    private void add(RowGroup rowGroup, DeletedPositions positions, ChangeType change)
    {
        if (!positions.isEmpty()) {
            pending.add(() -> new RowGroupChanges(sources.allRows(rowGroup, columns), columns.size(), Optional.of(positions), ChangeColumns.values(split, change, timeZone)));
        }
    }

    private RowGroupChanges liveRows(RowGroup rowGroup, ChangeType change)
    {
        return new RowGroupChanges(sources.liveRows(rowGroup, columns), columns.size(), Optional.empty(), ChangeColumns.values(split, change, timeZone));
    }

    private TableFunctionProcessorState read(RowGroupChanges current)
    {
        Page page = current.next();
        CompletableFuture<?> blocked = current.isBlocked();
        if (current.isFinished()) {
            rows = null;
            close(current);
        }
        return page == null ? waitFor(blocked) : produced(page);
    }

    /**
     * Returns control to the engine, which calls again as soon as the future is done.
     */
    private static Blocked waitFor(CompletableFuture<?> future)
    {
        // a failure is reported by the next call
        return blocked(future.handle((_, _) -> null));
    }

    private static void close(Closeable closed)
    {
        translateAction(closed::close);
    }

    @Override
    public void close()
    {
        pending.clear();
        if (updates != null) {
            UpdateComparison open = updates;
            updates = null;
            close(open);
        }
        if (rows != null) {
            RowGroupChanges open = rows;
            rows = null;
            close(open);
        }
    }
}
