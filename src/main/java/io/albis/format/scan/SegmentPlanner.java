package io.albis.format.scan;

import io.albis.format.io.StorageAccess;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import static java.lang.Math.max;
import static java.util.Objects.requireNonNull;

/**
 * Decides which bytes of which segments to plan to read, by what the filters need and what was asked for so far.
 */
final class SegmentPlanner
{
    private final StorageAccess access;
    private final ScanHistory history;
    private final ReaderOptions options;
    private final PlannedReads reads;
    // by channel; null for a column that the row group does not have
    private final ColumnReader[] channels;
    private final ScanFilters filters;
    private final int[] segmentRows;
    private final int endSegment;
    // all before it were looked at to read ahead
    private int aheadSegment;

    /**
     * @param segmentRows the number of rows of each segment
     * @param endSegment the one after the last that is to be read
     */
    SegmentPlanner(ReaderResources resources, ReaderOptions options, PlannedReads reads, ColumnReader[] channels, ScanFilters filters, int[] segmentRows, int endSegment)
    {
        this.access = resources.access();
        this.history = resources.history();
        this.options = requireNonNull(options, "options is null");
        this.reads = requireNonNull(reads, "reads is null");
        this.channels = requireNonNull(channels, "channels is null");
        this.filters = requireNonNull(filters, "filters is null");
        this.segmentRows = requireNonNull(segmentRows, "segmentRows is null");
        this.endSegment = endSegment;
    }

    /**
     * Plans what a segment needs before any of its rows is looked at, and then what the next ones will.
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
     * Has the next segments read, as far as it is known what will be needed of them.
     */
    void readAhead(int segment)
            throws IOException
    {
        // few large requests are better than many small ones
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
     * Plans what is likely to be asked for of the rows that the filters left.
     *
     * @param runs a bit for each run that has such a row
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
        Set<ChunkReader> chunks = new LinkedHashSet<>();
        for (ColumnReader column : filters.columns(segment, segmentRows[segment])) {
            chunks.add(column.chunks());
        }
        if (chunks.isEmpty() || !options.readLazily() || history.leavesFewRunsOut()) {
            addExpected(chunks);
        }
        for (ChunkReader chunk : chunks) {
            chunk.addMissing(segment, ChunkReader.ALL_RUNS, ranges);
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
