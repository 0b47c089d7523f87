package io.albis.format.scan;

import io.albis.format.column.ColumnReader;
import io.albis.format.io.StorageAccess;
import io.albis.format.request.ChunkReader;
import io.albis.format.request.FileRange;
import io.albis.format.request.ReadPlan;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static java.lang.Math.max;
import static java.util.Objects.requireNonNull;

/**
 * Decides which chunks of which segments to read ahead. The decision depends on the columns that the filters need and
 * on the columns that have been requested so far.
 */
final class SegmentPlanner
{
    private final StorageAccess access;
    private final ScanHistory history;
    private final ReaderOptions options;
    private final ReadPlan reads;
    // by channel; null for a column that the row group does not have
    private final ColumnReader[] channels;
    private final ScanFilters filters;
    private final SegmentDeletes deletes;
    private final int[] segmentRows;
    private final int endSegment;
    // the first segment that has not been considered for reading ahead
    private int aheadSegment;

    /**
     * Creates a planner that has not planned any reads yet.
     *
     * @param segmentRows the number of rows of each segment
     * @param endSegment index after the last segment to read
     */
    SegmentPlanner(ReaderResources resources, ReaderOptions options, ReadPlan reads, ColumnReader[] channels, ScanFilters filters, SegmentDeletes deletes, int[] segmentRows, int endSegment)
    {
        this.access = resources.access();
        this.history = resources.history();
        this.options = requireNonNull(options, "options is null");
        this.reads = requireNonNull(reads, "reads is null");
        this.channels = requireNonNull(channels, "channels is null");
        this.filters = requireNonNull(filters, "filters is null");
        this.deletes = requireNonNull(deletes, "deletes is null");
        this.segmentRows = requireNonNull(segmentRows, "segmentRows is null");
        this.endSegment = endSegment;
    }

    /**
     * Plans to read what the filters of a segment need, and then what the following segments are expected to need.
     */
    void planFrom(int segment)
            throws IOException
    {
        if (!access.readAhead()) {
            return;
        }
        List<FileRange> ranges = new ArrayList<>();
        addNeeded(segment, ranges);
        reads.plan(ranges);
        readAhead(segment + 1);
    }

    /**
     * Plans to read the segments from a segment on, as far as their needs are known and there is room.
     */
    void readAhead(int segment)
            throws IOException
    {
        // waits until there is room for a large request, because few large requests are faster than many small ones
        if (!access.readAhead() || reads.room() < access.maxPlanned() / 2) {
            return;
        }
        aheadSegment = max(aheadSegment, segment);
        List<FileRange> ranges = new ArrayList<>();
        long bytes = 0;
        while (aheadSegment < endSegment && bytes < reads.room()) {
            int added = ranges.size();
            if (!options.pruneSegments() || filters.mayMatch(aheadSegment, segmentRows[aheadSegment])) {
                addNeeded(aheadSegment, ranges);
            }
            for (FileRange range : ranges.subList(added, ranges.size())) {
                bytes += range.length();
            }
            aheadSegment++;
        }
        reads.plan(ranges);
    }

    /**
     * Plans to read the columns that are likely to be requested for the selected rows of a segment.
     *
     * @param runs a bit for each run with a selected row
     */
    void planExpected(int segment, int runs)
            throws IOException
    {
        if (runs == 0) {
            return;
        }
        Set<ChunkReader> chunks = new LinkedHashSet<>();
        addExpected(chunks);
        List<FileRange> ranges = new ArrayList<>();
        for (ChunkReader chunk : chunks) {
            chunk.addMissing(segment, runs, ranges);
        }
        reads.plan(ranges);
    }

    private void addNeeded(int segment, List<FileRange> ranges)
            throws IOException
    {
        int matching = filters.matchingRuns(segment, segmentRows[segment]) & deletes.liveRuns(segment);
        if (matching == 0) {
            return;
        }
        Map<ChunkReader, Integer> runs = filters.columns(segment, segmentRows[segment]);
        if (runs.isEmpty() || !options.readLazily() || history.needsAllRuns()) {
            Set<ChunkReader> expected = new LinkedHashSet<>();
            addExpected(expected);
            expected.forEach(chunk -> runs.put(chunk, ChunkReader.ALL_RUNS));
        }
        for (Map.Entry<ChunkReader, Integer> entry : runs.entrySet()) {
            entry.getKey().addMissing(segment, entry.getValue() & matching, ranges);
        }
    }

    private void addExpected(Set<ChunkReader> chunks)
    {
        for (int channel = 0; channel < channels.length; channel++) {
            if (channels[channel] != null && (!options.readLazily() || history.isExpected(channel))) {
                chunks.add(channels[channel].chunks());
            }
        }
    }
}
