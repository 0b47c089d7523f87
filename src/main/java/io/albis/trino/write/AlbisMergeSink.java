package io.albis.trino.write;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slice;
import io.albis.format.delete.DeletedPositions;
import io.albis.format.delete.DeletesReader;
import io.albis.format.delete.DeletesWriter;
import io.albis.format.metadata.DeletedRows;
import io.albis.trino.handle.EarlierDeletes;
import io.albis.trino.handle.EarlierDeletes.DeletedRowGroup;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.connector.ConnectorMergeSink;
import io.trino.spi.connector.ConnectorPageSink;
import io.trino.spi.connector.MergePage;
import org.roaringbitmap.RoaringBitmap;

import java.io.IOException;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import static com.google.common.base.Preconditions.checkState;
import static io.albis.trino.error.AlbisErrors.translate;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.TinyintType.TINYINT;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.CompletableFuture.completedFuture;

/**
 * Writes the changes of a DELETE, UPDATE, or MERGE, which are not visible before the commit. New rows go to new row
 * groups. The deleted rows of all row groups go to one file. An updated row is a deleted row and a new row.
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
    private final EarlierDeletes earlierDeletes;
    private final DeletesWriter writer;
    private final DeletedRowCollector deletes = new DeletedRowCollector();

    private boolean ofDelete = true;

    /**
     * @param files writers that only this sink uses
     * @param columns number of columns of the table
     * @param earlierDeletes row groups that already have deleted rows
     * @param cleaner aborts the sink if the engine drops it
     */
    AlbisMergeSink(MergeSinkFiles files, int columns, TrinoFileSystem fileSystem, Location tableFolder, EarlierDeletes earlierDeletes, Cleaner cleaner)
    {
        this.files = requireNonNull(files, "files is null");
        this.inserts = files.inserts();
        this.columns = columns;
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.tableFolder = requireNonNull(tableFolder, "tableFolder is null");
        this.earlierDeletes = requireNonNull(earlierDeletes, "earlierDeletes is null");
        this.writer = files.deletes();
        cleaner.register(this, files);
    }

    @Override
    public void storeMergedRows(Page page)
    {
        MergePage changes = MergePage.createDeleteAndInsertPages(page, columns);
        abortIfFails(() -> {
            changes.getDeletionsPage().ifPresent(deletions -> deletes.add(deletions.getBlock(columns)));
            ofDelete = ofDelete && isOfDelete(page);
            changes.getInsertionsPage().ifPresent(insertions -> checkState(inserts.appendPage(insertions).isDone(), "the sink of new rows blocks"));
            return null;
        });
    }

    /**
     * Returns whether a page is that of a DELETE. The engine does not tell the sink which statement it runs. It gives
     * the rows that a DELETE deletes the number 0 of a case, and those that an UPDATE or a MERGE deletes the number -1.
     */
    private boolean isOfDelete(Page page)
    {
        Block operations = page.getBlock(columns);
        Block cases = page.getBlock(columns + 1);
        for (int i = 0; i < page.getPositionCount(); i++) {
            if (TINYINT.getByte(operations, i) != DELETE_OPERATION_NUMBER || INTEGER.getInt(cases, i) != 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public CompletableFuture<Collection<Slice>> finish()
    {
        return abortIfFails(() -> {
            ImmutableList.Builder<Slice> fragments = ImmutableList.builder();
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
        for (Map.Entry<UUID, RoaringBitmap> entry : deletes.positions().entrySet()) {
            UUID rowGroup = entry.getKey();
            DeletedPositions positions = DeletedPositions.of(entry.getValue());
            Optional<DeletedRowGroup> earlier = earlierDeletes.find(rowGroup);
            if (earlier.isPresent()) {
                DeletedPositions known = DeletesReader.read(fileSystem, tableFolder, earlier.get().deletedRows(), earlier.get().rows());
                checkState(!known.intersects(positions), "row group %s returned deleted rows", rowGroup);
                positions = known.union(positions);
            }
            DeletedRows deletedRows = writer.add(positions);
            changed.add(new RowGroupDeletes(rowGroup, entry.getValue().getLongCardinality(), deletedRows, ofDelete));
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
        return inserts.getCompletedBytes() + writer.writtenBytes();
    }
}
