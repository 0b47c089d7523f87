package io.albis.format.scan;

import io.albis.format.column.ColumnReader;
import io.albis.format.request.ChunkReader;
import io.albis.format.run.Segment;
import io.albis.format.run.SegmentRows;
import io.albis.format.schema.AlbisColumn;
import io.trino.spi.block.Block;
import io.trino.spi.type.Type;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static java.util.Objects.requireNonNull;

/**
 * The columns of a scan at its current segment. A column starts the segment when a filter or a page first needs it
 * there.
 */
final class ScanColumns
        implements ScanFilters.ColumnStarter
{
    private final List<AlbisColumn> columns;
    // by channel; null for a column that the row group does not have
    private final ColumnReader[] channels;
    // number of channels that read from each chunk reader
    private final Map<ChunkReader, Integer> channelUses = new HashMap<>();
    private final ScanFilters filters;
    private final ScanHistory history;

    private int segment;
    // a bit for each run with a selected row
    private int selectedRuns;
    private final Set<ColumnReader> started = new HashSet<>();
    private final Set<ChunkReader> startedChunks = new HashSet<>();
    // by channel, whether its block was requested for a page of the current segment
    private final boolean[] requested;
    private boolean returnedPage;

    /**
     * @param columns the projection
     * @param channels the reader of each column of the projection; null for a column that the row group does not have
     */
    ScanColumns(List<AlbisColumn> columns, ColumnReader[] channels, ScanFilters filters, ScanHistory history)
    {
        this.columns = requireNonNull(columns, "columns is null");
        this.channels = requireNonNull(channels, "channels is null");
        this.filters = requireNonNull(filters, "filters is null");
        this.history = requireNonNull(history, "history is null");
        this.requested = new boolean[channels.length];
        for (ColumnReader channel : channels) {
            if (channel != null) {
                channelUses.merge(channel.chunks(), 1, Integer::sum);
            }
        }
    }

    int channelCount()
    {
        return channels.length;
    }

    /**
     * Returns the reader of each column of the projection; null for a column that the row group does not have.
     */
    ColumnReader[] channels()
    {
        return channels;
    }

    /**
     * Enters a segment.
     *
     * @param runs a bit for each run that may have a selected row
     */
    void enter(int segment, int runs)
    {
        this.segment = segment;
        selectedRuns = runs;
    }

    @Override
    public ColumnReader start(ColumnReader column, int runs)
            throws IOException
    {
        ChunkReader chunks = column.chunks();
        if (started.add(column)) {
            column.startSegment(segment);
            if (startedChunks.add(chunks)) {
                column.retainOnly(selectedRuns & runs);
            }
        }
        // updated on each call because filters can be added within a segment
        column.readAgain(channelUses.getOrDefault(chunks, 0) + filters.uses(chunks) > 1);
        return column;
    }

    /**
     * Releases the runs that have no selected row.
     *
     * @param runs a bit for each run with a selected row
     * @param segmentRows number of rows of the segment
     */
    void select(int runs, int segmentRows)
    {
        selectedRuns = runs;
        for (ColumnReader column : started) {
            column.retainOnly(runs);
        }
        if (!started.isEmpty()) {
            history.selected(Integer.bitCount(runs), Segment.runs(segmentRows));
        }
    }

    /**
     * Releases the runs before a page that is about to be returned.
     */
    void startPage(SegmentRows page)
    {
        int firstRun = page.firstRun();
        for (ColumnReader column : started) {
            column.pass(firstRun);
        }
        returnedPage = true;
    }

    /**
     * Reads one column of a page of the current segment.
     */
    Block read(int channel, SegmentRows page)
            throws IOException
    {
        ColumnReader column = channels[channel];
        Type type = columns.get(channel).type();
        if (page.count() == 0) {
            // all positions of the page have been filtered out
            return type.createBlockBuilder(null, 0).build();
        }
        if (column == null) {
            return columns.get(channel).missingValues(page.count());
        }
        history.requested(channel);
        requested[channel] = true;
        if (!started.contains(column)) {
            start(column, ChunkReader.ALL_RUNS);
        }
        return column.read(page);
    }

    /**
     * Releases the current segment and records which channels were not needed there.
     */
    void leave()
    {
        for (ColumnReader column : started) {
            column.pass(Segment.MAX_RUNS);
        }
        started.clear();
        startedChunks.clear();
        for (int channel = 0; channel < channels.length; channel++) {
            if (returnedPage && !requested[channel]) {
                history.notRequested(channel);
            }
            requested[channel] = false;
        }
        returnedPage = false;
    }
}
