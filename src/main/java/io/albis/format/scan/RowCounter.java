package io.albis.format.scan;

import io.albis.format.delete.DeletedPositions;
import io.albis.format.metadata.RowGroup;
import io.albis.format.run.RowPositions;
import io.albis.format.run.Run;
import io.albis.format.run.SegmentRows;
import io.albis.format.run.SegmentShare;
import jakarta.annotation.Nullable;

import java.io.IOException;

import static java.lang.Math.min;
import static java.util.Objects.requireNonNull;

/**
 * Returns the rows of a scan that needs no column. The first share returns all rows of the row group. No file is read,
 * except for the deleted rows if the positions of the rows are requested.
 */
final class RowCounter
{
    private final RowGroup rowGroup;
    private final boolean firstShare;
    private final MetadataSource.DeletesLoader loader;
    // null until positions are requested
    @Nullable
    private DeletedPositions deleted;
    private long returnedRows;

    RowCounter(RowGroup rowGroup, SegmentShare share, MetadataSource.DeletesLoader loader)
    {
        this.rowGroup = requireNonNull(rowGroup, "rowGroup is null");
        this.firstShare = share.index() == 0;
        this.loader = requireNonNull(loader, "loader is null");
    }

    /**
     * Returns the next rows, or null if there are no more.
     */
    @Nullable
    Rows next()
    {
        long remaining = rowGroup.liveRows() - returnedRows;
        if (!firstShare || remaining == 0) {
            return null;
        }
        long first = returnedRows;
        int count = (int) min(Run.MAX_ROWS, remaining);
        returnedRows += count;
        return new Rows(SegmentRows.ofRun(0, count), first);
    }

    /**
     * Returns the number of rows that were returned so far.
     */
    long returnedRows()
    {
        return returnedRows;
    }

    /**
     * Memory that the deleted rows take in bytes.
     */
    long retainedSize()
    {
        return deleted == null ? 0 : deleted.retainedSize();
    }

    /**
     * Consecutive rows that are not deleted.
     */
    final class Rows
            implements RowPositions
    {
        private final SegmentRows rows;
        private final long first;

        /**
         * @param first number of rows before the first row that are not deleted
         */
        private Rows(SegmentRows rows, long first)
        {
            this.rows = rows;
            this.first = first;
        }

        SegmentRows rows()
        {
            return rows;
        }

        @Override
        public long[] of(SegmentRows selected)
                throws IOException
        {
            if (deleted == null) {
                deleted = loader.load();
            }
            return RowPositions.select(deleted.livePositions(first, rows.count()), selected);
        }
    }
}
