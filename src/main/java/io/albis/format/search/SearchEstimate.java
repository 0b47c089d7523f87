package io.albis.format.search;

import io.albis.format.predicate.ColumnFilter;
import io.albis.format.run.Segment;
import io.albis.format.run.SegmentShare;

import java.io.IOException;

/**
 * What bounds say about the rows that match a filter.
 *
 * @param runs the number of runs of the scan that may contain such rows
 * @param bytes the number of bytes of the column in the runs of the whole row group that may contain such rows
 * @param containedRows the number of rows of the row group in runs whose rows all match
 */
record SearchEstimate(int runs, long bytes, long containedRows)
{
    static SearchEstimate of(ColumnFilter filter, int[] segmentRows, SegmentShare share)
            throws IOException
    {
        int runs = 0;
        long bytes = 0;
        long containedRows = 0;
        for (int segment = 0; segment < segmentRows.length; segment++) {
            int rows = segmentRows[segment];
            if (!filter.mayMatch(segment, rows)) {
                continue;
            }
            int matching = filter.matchingRuns(segment, rows) & Segment.allRuns(rows);
            boolean shared = share.begin(segmentRows.length) <= segment && segment < share.end(segmentRows.length);
            runs += shared ? Integer.bitCount(matching) : 0;
            bytes += filter.column().chunks().length(segment, matching);
            int contained = matching & filter.containedRuns(segment, rows);
            for (int run = 0; run < Segment.runs(rows); run++) {
                containedRows += (contained & (1 << run)) == 0 ? 0 : Segment.runRows(rows, run);
            }
        }
        return new SearchEstimate(runs, bytes, containedRows);
    }
}
