package io.albis.trino.sink;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slice;
import io.albis.format.delete.DeletedPositions;
import io.albis.format.delete.DeletesReader;
import io.albis.format.delete.DeletesWriter;
import io.albis.format.metadata.DeletedRows;
import io.albis.trino.fragment.RowGroupDeletes;
import io.albis.trino.fragment.WriteFragments;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.handle.AlbisMergeTableHandle;
import io.albis.trino.handle.EarlierDeletes;
import io.albis.trino.handle.EarlierDeletes.DeletedRowGroup;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.connector.ConnectorMergeSink;
import io.trino.spi.connector.ConnectorPageSink;
import io.trino.spi.connector.MergePage;
import io.trino.spi.type.Type;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import org.roaringbitmap.RoaringBitmap;

import java.io.IOException;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import static com.google.common.base.Preconditions.checkState;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.trino.error.AlbisErrors.translate;
import static io.albis.trino.error.AlbisErrors.translateAction;
import static io.trino.spi.type.TinyintType.TINYINT;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.CompletableFuture.completedFuture;

/**
 * Writes the changes of a DELETE, UPDATE, or MERGE, which are not visible before the commit. New rows go to new row
 * groups. The deleted rows of all row groups go to one file. An updated row is a deleted row and a new row, unless the
 * statement updates so many rows of its row group that their columns are written again.
 * <p>
 * The engine never aborts a merge sink. So a sink that fails aborts itself, and a sink that the engine drops, because
 * another task has failed or the query was canceled, is aborted when it is garbage. Otherwise its open streams would
 * keep threads, buffers, and incomplete uploads.
 */
public class AlbisMergeSink
        implements ConnectorMergeSink
{
    private final MergeSinkFiles files;
    private final ConnectorPageSink inserts;
    private final int columns;
    private final TrinoFileSystem fileSystem;
    private final Location tableFolder;
    private final Function<Set<UUID>, EarlierDeletes> earlierDeletes;
    private final DeletesWriter writer;
    private final DeletedRowCollector deletes = new DeletedRowCollector();
    private final InPlaceUpdates inPlace;
    private final UpdateCollector updates;

    /**
     * @param files writers that only this sink uses
     * @param earlierDeletes finds row groups that had deleted rows before the statement, by id; called once at most
     * @param cleaner aborts the sink if the engine drops it
     */
    AlbisMergeSink(MergeSinkFiles files, AlbisMergeTableHandle handle, TrinoFileSystem fileSystem, Function<Set<UUID>, EarlierDeletes> earlierDeletes, Cleaner cleaner)
    {
        this.files = requireNonNull(files, "files is null");
        this.inserts = files.inserts();
        this.columns = handle.target().columns().size();
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.tableFolder = Location.of(handle.target().folder());
        this.earlierDeletes = requireNonNull(earlierDeletes, "earlierDeletes is null");
        this.writer = files.deletes();
        this.inPlace = files.inPlace();
        List<Type> types = handle.target().columns().stream()
                .map(AlbisColumnHandle::type)
                .collect(toImmutableList());
        this.updates = new UpdateCollector(inPlace, this::replace, types, handle.updates().bufferBytes());
        cleaner.register(this, files);
    }

    @Override
    public void storeMergedRows(Page page)
    {
        abortIfFails(() -> {
            Block operations = page.getBlock(columns);
            IntArrayList updated = new IntArrayList();
            IntArrayList others = new IntArrayList();
            for (int i = 0; i < page.getPositionCount(); i++) {
                (TINYINT.getByte(operations, i) == UPDATE_OPERATION_NUMBER ? updated : others).add(i);
            }
            if (!updated.isEmpty()) {
                Page rows = page.getPositions(updated.elements(), 0, updated.size());
                translateAction(() -> updates.add(rows.getColumns(IntStream.range(0, columns).toArray()), rows.getBlock(columns + 2)));
            }
            if (!others.isEmpty()) {
                deleteAndInsert(MergePage.createDeleteAndInsertPages(page.getPositions(others.elements(), 0, others.size()), columns));
            }
            return null;
        });
    }

    private void deleteAndInsert(MergePage changes)
    {
        changes.getDeletionsPage().ifPresent(deletions -> deletes.add(deletions.getBlock(columns)));
        changes.getInsertionsPage().ifPresent(this::insert);
    }

    private void replace(UUID rowGroup, int[] positions, Page rows)
    {
        deletes.add(rowGroup, positions);
        insert(rows);
    }

    private void insert(Page rows)
    {
        checkState(inserts.appendPage(rows).isDone(), "the sink of new rows blocks");
    }

    @Override
    public CompletableFuture<Collection<Slice>> finish()
    {
        return abortIfFails(() -> {
            translateAction(updates::finish);
            ImmutableList.Builder<Slice> fragments = ImmutableList.builder();
            fragments.addAll(WriteFragments.encodeRewritten(inPlace.finish()));
            fragments.addAll(inserts.finish().join());
            List<RowGroupDeletes> changed = translate(this::writeDeletes);
            fragments.addAll(WriteFragments.encode(changed));
            files.finish();
            return completedFuture(fragments.build());
        });
    }

    /**
     * Runs a part of the write. If it fails, closes and removes the files.
     */
    private <T> T abortIfFails(Supplier<T> part)
    {
        try {
            return part.get();
        }
        catch (Throwable e) {
            abort();
            throw e;
        }
        finally {
            // the writers may still be in use after the last access to a field of the sink
            Reference.reachabilityFence(this);
        }
    }

    private List<RowGroupDeletes> writeDeletes()
            throws IOException
    {
        ImmutableList.Builder<RowGroupDeletes> changed = ImmutableList.builder();
        Map<UUID, RoaringBitmap> deleted = deletes.positions();
        EarlierDeletes known = deleted.isEmpty() ? EarlierDeletes.NONE : earlierDeletes.apply(deleted.keySet());
        for (Map.Entry<UUID, RoaringBitmap> entry : deleted.entrySet()) {
            UUID rowGroup = entry.getKey();
            DeletedPositions positions = DeletedPositions.of(entry.getValue());
            Optional<DeletedRowGroup> earlier = known.find(rowGroup);
            if (earlier.isPresent()) {
                DeletedPositions earlierPositions = DeletesReader.read(fileSystem, tableFolder, earlier.get().deletedRows(), earlier.get().rows());
                checkState(!earlierPositions.intersects(positions), "row group %s returned deleted rows", rowGroup);
                positions = earlierPositions.union(positions);
            }
            DeletedRows deletedRows = writer.add(positions);
            changed.add(new RowGroupDeletes(rowGroup, entry.getValue().getLongCardinality(), deletedRows));
        }
        writer.close();
        return changed.build();
    }

    @Override
    public void abort()
    {
        files.abort();
    }

    @Override
    public long getCompletedBytes()
    {
        return inserts.getCompletedBytes() + inPlace.writtenBytes() + writer.writtenBytes();
    }
}
