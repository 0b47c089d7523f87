package io.albis.format.write;

import io.airlift.slice.DynamicSliceOutput;
import io.airlift.slice.Slice;
import io.airlift.slice.SliceOutput;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.statistics.KeyScratch;
import io.albis.format.statistics.RunBounds;
import io.albis.format.statistics.RunBoundsCodec;
import io.albis.format.statistics.StatisticsCollector;
import io.albis.format.statistics.StatisticsMerger;
import io.trino.spi.block.ValueBlock;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Collects the statistics of one column of a row group: of its runs, and merged from them of its segments and of the
 * row group.
 */
final class ColumnStatisticsWriter
{
    private final AlbisColumn column;
    private final KeyScratch scratch;
    private final boolean storesRunBounds;
    private final StatisticsMerger rowGroup;
    private final List<ColumnStatistics> segments = new ArrayList<>();
    private final List<ColumnStatistics> runs = new ArrayList<>();
    private final SliceOutput runBounds = new DynamicSliceOutput(0);
    private boolean hasRunBounds;
    private StatisticsCollector run;
    private StatisticsMerger segment;

    ColumnStatisticsWriter(AlbisColumn column, KeyScratch scratch, boolean storesRunBounds)
    {
        this.column = column;
        this.scratch = scratch;
        this.storesRunBounds = storesRunBounds;
        this.rowGroup = new StatisticsMerger(column);
        this.run = StatisticsCollector.create(column, scratch);
        this.segment = new StatisticsMerger(column);
    }

    /**
     * Adds rows that all belong to the same run.
     */
    void append(ValueBlock block, int offset, int count)
    {
        run.append(block, offset, count);
    }

    /**
     * Releases all references to blocks that were appended.
     */
    void releasePage()
    {
        run.releasePage();
    }

    void closeRun(int rows)
    {
        ColumnStatistics statistics = run.finish();
        runs.add(statistics);
        segment.append(statistics, rows);
        run = StatisticsCollector.create(column, scratch);
    }

    void closeSegment(int rows)
    {
        ColumnStatistics statistics = segment.finish();
        segments.add(statistics);
        rowGroup.append(statistics, rows);
        boolean tight = storesRunBounds && RunBounds.areTight(column, runs, statistics);
        RunBoundsCodec.write(tight ? runs : List.of(), runBounds);
        hasRunBounds |= tight;
        runs.clear();
        segment = new StatisticsMerger(column);
    }

    List<ColumnStatistics> segments()
    {
        return segments;
    }

    /**
     * Returns the encoded bounds of the runs of all segments, unless no segment has any.
     */
    Optional<Slice> runBounds()
    {
        return hasRunBounds ? Optional.of(runBounds.slice()) : Optional.empty();
    }

    ColumnStatistics rowGroup()
    {
        return rowGroup.finish();
    }
}
