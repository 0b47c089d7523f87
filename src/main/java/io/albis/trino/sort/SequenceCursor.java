package io.albis.trino.sort;

import io.albis.format.io.StorageAccess;
import io.albis.format.metadata.ColumnGroupMetadata;
import io.albis.format.metadata.RowGroup;
import io.albis.format.scan.AlbisBatch;
import io.albis.format.scan.MetadataSource;
import io.albis.format.scan.ReaderOptions;
import io.albis.format.scan.ReaderResources;
import io.albis.format.scan.RowGroupReader;
import io.albis.format.scan.RowGroupScan;
import io.albis.format.scan.ScanHistory;
import io.albis.format.schema.AlbisColumn;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.predicate.TupleDomain;
import jakarta.annotation.Nullable;

import java.io.Closeable;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;

import static java.util.Objects.requireNonNull;

/**
 * A position in a sorted sequence in the storage, which is read page by page.
 */
final class SequenceCursor
        implements Closeable
{
    private final TrinoFileSystem fileSystem;
    private final Location tableFolder;
    private final RowGroupScan scan;
    private final int columns;
    private final RowSorter sorter;
    private final Iterator<RowGroup> rowGroups;

    @Nullable
    private RowGroupReader reader;
    private long metadataBytes;
    @Nullable
    private Page page;
    private Block[] keys = new Block[0];
    private int position;
    private long pageBytes;

    /**
     * Creates a cursor before the first row.
     *
     * @param rowGroups the row groups of the sequence, in its order
     */
    SequenceCursor(TrinoFileSystem fileSystem, Location tableFolder, List<AlbisColumn> columns, List<RowGroup> rowGroups, RowSorter sorter)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.tableFolder = requireNonNull(tableFolder, "tableFolder is null");
        this.columns = columns.size();
        this.scan = RowGroupScan.of(columns, TupleDomain.all());
        this.rowGroups = rowGroups.iterator();
        this.sorter = requireNonNull(sorter, "sorter is null");
    }

    /**
     * Moves to the first row of the next page.
     *
     * @return whether there is one; otherwise, the cursor is closed
     */
    boolean nextPage()
            throws IOException
    {
        page = null;
        pageBytes = 0;
        while (true) {
            if (reader == null) {
                if (!rowGroups.hasNext()) {
                    return false;
                }
                open(rowGroups.next());
            }
            AlbisBatch batch = reader.next();
            if (batch != null) {
                setPage(batch);
                return true;
            }
            close();
        }
    }

    private void open(RowGroup rowGroup)
            throws IOException
    {
        MetadataSource metadata = (_, _, loader) -> {
            ColumnGroupMetadata loaded = loader.load();
            metadataBytes += loaded.retainedSize();
            return loaded;
        };
        ReaderResources resources = new ReaderResources(metadata, StorageAccess.of(tableFolder), Runnable::run, new ScanHistory(columns));
        reader = RowGroupReader.open(fileSystem, tableFolder, rowGroup, scan, ReaderOptions.DEFAULTS, resources);
    }

    private void setPage(AlbisBatch batch)
            throws IOException
    {
        Block[] blocks = new Block[columns];
        for (int channel = 0; channel < blocks.length; channel++) {
            blocks[channel] = batch.block(channel);
        }
        page = new Page(batch.positionCount(), blocks);
        keys = sorter.keys(page);
        position = 0;
        pageBytes = page.getRetainedSizeInBytes();
    }

    /**
     * Moves forward in the page. The new position can be its end, so that {@link #nextPage} must be called next.
     *
     * @return whether there is a row at the position
     */
    boolean moveTo(int newPosition)
    {
        position = newPosition;
        return position < page.getPositionCount();
    }

    Page page()
    {
        return page;
    }

    int position()
    {
        return position;
    }

    /**
     * Compares the rows of two cursors.
     */
    int compareTo(SequenceCursor other)
    {
        return sorter.compare(keys, position, other.keys, other.position);
    }

    /**
     * Returns the end of the rows that come before the row of another cursor, or are equal to it. The row at the
     * position must be one of them.
     *
     * @param other null if there is no other row
     * @param limit maximum number of rows
     */
    int endOfRowsBefore(@Nullable SequenceCursor other, int limit)
    {
        int end = position + Math.min(limit, page.getPositionCount() - position);
        if (other == null) {
            return end;
        }
        for (int i = position + 1; i < end; i++) {
            if (sorter.compare(keys, i, other.keys, other.position) > 0) {
                return i;
            }
        }
        return end;
    }

    /**
     * Returns the memory of the page and of the reader in bytes.
     */
    long memoryUsage()
    {
        return pageBytes + (reader == null ? 0 : reader.memoryUsage() + metadataBytes);
    }

    @Override
    public void close()
            throws IOException
    {
        if (reader != null) {
            RowGroupReader closed = reader;
            reader = null;
            metadataBytes = 0;
            closed.close();
        }
    }
}
