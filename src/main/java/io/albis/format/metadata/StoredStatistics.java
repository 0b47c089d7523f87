package io.albis.format.metadata;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slice;
import io.airlift.slice.SliceInput;
import io.albis.format.io.AlbisDataException;
import io.albis.format.io.Decoding;
import io.albis.format.io.TooNewException;
import io.albis.format.run.Segment;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.statistics.RunBoundsCodec;
import io.albis.format.statistics.StatisticsCodec;
import io.trino.filesystem.Location;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Collections.nCopies;
import static java.util.Objects.requireNonNull;

/**
 * The statistics of the columns of a column group, or of the fields of its nested columns. They are parsed when they
 * are first requested. Thread safe.
 */
final class StoredStatistics
{
    // bytes of the parsed statistics of a segment or a run
    private static final int PARSED_SIZE = 160;

    private final Location location;
    private final int[] segmentRows;
    private final List<Optional<Slice>> segmentSections;
    private final List<Optional<Slice>> runSections;
    private final AtomicReferenceArray<List<ColumnStatistics>> segments;
    // the statistics of the runs of each segment
    private final AtomicReferenceArray<List<List<ColumnStatistics>>> runs;

    /**
     * @param location name of the file, for error messages
     * @param segmentRows number of rows of each segment
     * @param segmentSections for each column or field, the encoded statistics of all segments
     * @param runSections for each column or field, the encoded bounds of all runs
     */
    StoredStatistics(Location location, int[] segmentRows, List<Optional<Slice>> segmentSections, List<Optional<Slice>> runSections)
    {
        this.location = requireNonNull(location, "location is null");
        this.segmentRows = requireNonNull(segmentRows, "segmentRows is null");
        this.segmentSections = ImmutableList.copyOf(segmentSections);
        this.runSections = ImmutableList.copyOf(runSections);
        this.segments = new AtomicReferenceArray<>(segmentSections.size());
        this.runs = new AtomicReferenceArray<>(runSections.size());
    }

    /**
     * Returns the statistics in a segment, or empty if there are none.
     *
     * @param index index of the column or field
     * @param columnId id of the column
     * @throws AlbisDataException if the statistics are damaged
     */
    Optional<ColumnStatistics> ofSegment(int index, int columnId, int segment)
            throws AlbisDataException
    {
        Optional<Slice> section = segmentSections.get(index);
        if (section.isEmpty()) {
            return Optional.empty();
        }
        List<ColumnStatistics> parsed = segments.get(index);
        if (parsed == null) {
            parsed = Decoding.decode(location, () -> parseSegments(section.get(), columnId));
            segments.set(index, parsed);
        }
        return Optional.of(parsed.get(segment));
    }

    private List<ColumnStatistics> parseSegments(Slice section, int columnId)
    {
        SliceInput input = section.getInput();
        List<ColumnStatistics> parsed = StatisticsCodec.read(input);
        checkArgument(input.available() == 0, "%s unexpected bytes at the end", input.available());
        checkArgument(parsed.size() == segmentRows.length, "found statistics of %s segments instead of %s", parsed.size(), segmentRows.length);
        for (int segment = 0; segment < segmentRows.length; segment++) {
            ColumnStatistics statistics = parsed.get(segment);
            checkArgument(statistics.columnId() == columnId, "found statistics of column %s instead of column %s", statistics.columnId(), columnId);
            checkArgument(statistics.nullCount() <= segmentRows[segment], "a segment of %s rows has %s nulls", segmentRows[segment], statistics.nullCount());
        }
        return parsed;
    }

    /**
     * Returns the statistics of the runs in a segment, or an empty list if they are not stored.
     *
     * @param index index of the column or field
     * @param columnId id of the column
     * @throws AlbisDataException if the statistics are damaged
     */
    List<ColumnStatistics> ofRuns(int index, int columnId, int segment)
            throws AlbisDataException
    {
        Optional<Slice> section = runSections.get(index);
        if (section.isEmpty()) {
            return List.of();
        }
        List<List<ColumnStatistics>> parsed = runs.get(index);
        if (parsed == null) {
            parsed = Decoding.decode(location, () -> tryParseRuns(section.get(), columnId));
            runs.set(index, parsed);
        }
        return parsed.get(segment);
    }

    /**
     * Queries need no bounds of runs, so a section in a form that only a newer version knows is as good as none.
     */
    private List<List<ColumnStatistics>> tryParseRuns(Slice section, int columnId)
    {
        try {
            return parseRuns(section, columnId);
        }
        catch (TooNewException e) {
            return nCopies(segmentRows.length, ImmutableList.of());
        }
    }

    private List<List<ColumnStatistics>> parseRuns(Slice section, int columnId)
    {
        SliceInput input = section.getInput();
        ImmutableList.Builder<List<ColumnStatistics>> parsed = ImmutableList.builderWithExpectedSize(segmentRows.length);
        for (int rows : segmentRows) {
            List<ColumnStatistics> ofRuns = RunBoundsCodec.read(input, columnId, Segment.runs(rows));
            for (int run = 0; run < ofRuns.size(); run++) {
                checkArgument(ofRuns.get(run).nullCount() <= Segment.runRows(rows, run), "run %s with %s rows has %s nulls", run, Segment.runRows(rows, run), ofRuns.get(run).nullCount());
            }
            parsed.add(ofRuns);
        }
        checkArgument(input.available() == 0, "%s unexpected bytes at the end", input.available());
        return parsed.build();
    }

    /**
     * Returns the memory of the statistics of segments in bytes, including those that have not been parsed yet.
     */
    long retainedSizeOfSegments()
    {
        return retainedSize(segmentSections, segmentRows.length);
    }

    /**
     * Returns the memory of the statistics of runs in bytes, including those that have not been parsed yet.
     */
    long retainedSizeOfRuns()
    {
        long count = 0;
        for (int rows : segmentRows) {
            count += Segment.runs(rows);
        }
        return retainedSize(runSections, count);
    }

    private static long retainedSize(List<Optional<Slice>> sections, long count)
    {
        long size = 0;
        for (Optional<Slice> section : sections) {
            size += section.isPresent() ? section.get().length() + PARSED_SIZE * count : 0;
        }
        return size;
    }
}
