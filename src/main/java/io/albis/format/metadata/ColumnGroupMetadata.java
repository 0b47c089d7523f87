package io.albis.format.metadata;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slice;
import io.airlift.slice.SliceInput;
import io.albis.format.io.AlbisDataException;
import io.albis.format.io.FileFrame;
import io.albis.format.io.TooNewException;
import io.albis.format.run.Chunk;
import io.albis.format.run.ChunkCodec;
import io.albis.format.run.DecodedLengths;
import io.albis.format.run.Segment;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.statistics.RunBoundsCodec;
import io.albis.format.statistics.StatisticsCodec;
import io.albis.format.type.StorageType;
import io.trino.filesystem.Location;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.airlift.slice.SizeOf.estimatedSizeOf;
import static io.airlift.slice.SizeOf.instanceSize;
import static io.airlift.slice.SizeOf.sizeOf;
import static io.albis.format.io.AlbisDataException.damaged;
import static java.util.Objects.requireNonNull;

/**
 * The content of a {@code metadata} file: everything that is needed to read the data file next to it. It repeats the
 * types of the columns, so that a reader can skip the values of a column that the table has dropped (Albis paper,
 * section 3.4).
 * <p>
 * The checksum covers the whole file. The metadata of a column is parsed when it is first requested, so that the cost
 * of a wide table depends only on the columns that a query reads. Thread safe.
 */
public final class ColumnGroupMetadata
{
    private static final int INSTANCE_SIZE = instanceSize(ColumnGroupMetadata.class);
    // Bytes of a parsed chunk and its statistics, measured as the sum of the object sizes rather than the size on
    // storage.
    private static final int PARSED_SIZE = 512;
    // bytes of the parsed statistics of a run
    private static final int RUN_STATISTICS_SIZE = 160;

    private final Location location;
    private final AlbisLayout layout;
    private final List<StoredColumn> columns;
    private final long dataBytes;
    private final int[] segmentRows;
    private final long rows;
    private final long runs;
    private final MetadataSections sections;
    private final AtomicReferenceArray<List<Chunk>> chunks;
    private final AtomicReferenceArray<List<ColumnStatistics>> statistics;
    // for each column, the statistics of the runs of each segment
    private final AtomicReferenceArray<List<List<ColumnStatistics>>> runStatistics;

    /**
     * A column of the column group.
     *
     * @param typeId id of the Trino type, as in the schema
     */
    public record StoredColumn(int id, StorageType storageType, String typeId)
    {
        public StoredColumn
        {
            requireNonNull(storageType, "storageType is null");
            requireNonNull(typeId, "typeId is null");
        }
    }

    /**
     * @param segmentRows number of rows of each segment
     */
    ColumnGroupMetadata(Location location, AlbisLayout layout, List<StoredColumn> columns, long dataBytes, int[] segmentRows, MetadataSections sections)
    {
        this.location = requireNonNull(location, "location is null");
        this.layout = requireNonNull(layout, "layout is null");
        this.columns = ImmutableList.copyOf(columns);
        this.dataBytes = dataBytes;
        this.segmentRows = segmentRows;
        this.sections = requireNonNull(sections, "sections is null");
        checkArgument(!columns.isEmpty(), "no columns");
        checkArgument(segmentRows.length > 0, "no segments");
        checkArgument(dataBytes >= FileFrame.HEADER_SIZE + Segment.END_SLACK, "a data file cannot have %s bytes", dataBytes);
        long rows = 0;
        long runs = 0;
        for (int count : segmentRows) {
            checkArgument(count > 0 && count <= Segment.MAX_ROWS, "a segment has %s rows", count);
            rows += count;
            runs += Segment.runs(count);
        }
        this.rows = rows;
        this.runs = runs;
        this.chunks = new AtomicReferenceArray<>(sections.chunks().size());
        this.statistics = new AtomicReferenceArray<>(columns.size());
        this.runStatistics = new AtomicReferenceArray<>(columns.size());
    }

    public AlbisLayout layout()
    {
        return layout;
    }

    /**
     * Returns the columns in the order in which the column group stores them.
     */
    public List<StoredColumn> columns()
    {
        return columns;
    }

    /**
     * Returns the size of the data file in bytes.
     */
    public long dataBytes()
    {
        return dataBytes;
    }

    public int segments()
    {
        return segmentRows.length;
    }

    /**
     * Returns the number of rows of each segment. Callers must not modify the array.
     */
    public int[] segmentRows()
    {
        return segmentRows;
    }

    public long rows()
    {
        return rows;
    }

    /**
     * Returns the chunk of a column in a segment. In the row layout, all columns share one chunk.
     *
     * @param column index of the column in this column group
     * @throws AlbisDataException if the metadata of the column is damaged
     */
    public Chunk chunk(int column, int segment)
            throws AlbisDataException
    {
        int stream = switch (layout) {
            case ROW -> 0;
            case BLOCK -> column;
        };
        List<Chunk> parsed = chunks.get(stream);
        if (parsed == null) {
            parsed = parseChunks(stream);
            chunks.set(stream, parsed);
        }
        return parsed.get(segment);
    }

    private List<Chunk> parseChunks(int stream)
            throws AlbisDataException
    {
        return parse(() -> {
            SliceInput input = sections.chunks().get(stream).getInput();
            ImmutableList.Builder<Chunk> parsed = ImmutableList.builderWithExpectedSize(segmentRows.length);
            for (int count : segmentRows) {
                Chunk chunk = ChunkCodec.read(input, count);
                checkChunk(chunk, stream, count);
                parsed.add(chunk);
            }
            checkArgument(input.available() == 0, "%s unexpected bytes at the end", input.available());
            return parsed.build();
        });
    }

    private void checkChunk(Chunk chunk, int stream, int rows)
    {
        long end = dataBytes - Segment.END_SLACK;
        // offset + length could overflow, because the offset of a damaged chunk may be any long
        checkArgument(chunk.offset() <= end && chunk.length() <= end - chunk.offset(), "the chunk at offset %s exceeds the data file of %s bytes", chunk.offset(), dataBytes);
        checkArgument(chunk.encoding().layout() == layout, "layout %s does not allow encoding %s", layout, chunk.encoding());
        switch (layout) {
            case ROW -> {
                List<StorageType> types = columns.stream()
                        .map(StoredColumn::storageType)
                        .collect(toImmutableList());
                for (int run = 0; run < chunk.runs().size(); run++) {
                    DecodedLengths.checkRows(chunk.runs().get(run).stored(), Segment.runRows(rows, run), types);
                }
            }
            case BLOCK -> chunk.check(columns.get(stream).storageType(), rows);
        }
    }

    private <T> T parse(Supplier<T> parser)
            throws AlbisDataException
    {
        try {
            return parser.get();
        }
        catch (TooNewException e) {
            throw AlbisDataException.tooNew(location, e);
        }
        catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw damaged("Damaged Albis file %s: %s", location, e.getMessage());
        }
    }

    /**
     * Returns the statistics of a column in a segment.
     *
     * @param column index of the column in this column group
     * @throws AlbisDataException if the statistics of the column are damaged
     */
    public ColumnStatistics statistics(int column, int segment)
            throws AlbisDataException
    {
        List<ColumnStatistics> parsed = statistics.get(column);
        if (parsed == null) {
            parsed = parseStatistics(column);
            statistics.set(column, parsed);
        }
        return parsed.get(segment);
    }

    private List<ColumnStatistics> parseStatistics(int column)
            throws AlbisDataException
    {
        return parse(() -> {
            SliceInput input = sections.statistics().get(column).getInput();
            List<ColumnStatistics> parsed = StatisticsCodec.read(input);
            checkArgument(input.available() == 0, "%s unexpected bytes at the end", input.available());
            checkArgument(parsed.size() == segmentRows.length, "found statistics of %s segments instead of %s", parsed.size(), segmentRows.length);
            for (int segment = 0; segment < segmentRows.length; segment++) {
                ColumnStatistics statistics = parsed.get(segment);
                checkArgument(statistics.columnId() == columns.get(column).id(), "found statistics of column %s instead of column %s", statistics.columnId(), columns.get(column).id());
                checkArgument(statistics.nullCount() <= segmentRows[segment], "a segment of %s rows has %s nulls", segmentRows[segment], statistics.nullCount());
            }
            return parsed;
        });
    }

    /**
     * Returns the statistics of the runs of a column in a segment, or an empty list if they are not stored.
     *
     * @param column index of the column in this column group
     * @throws AlbisDataException if the statistics of the column are damaged
     */
    public List<ColumnStatistics> runStatistics(int column, int segment)
            throws AlbisDataException
    {
        Optional<Slice> section = sections.runBounds().get(column);
        if (section.isEmpty()) {
            return List.of();
        }
        List<List<ColumnStatistics>> parsed = runStatistics.get(column);
        if (parsed == null) {
            parsed = parse(() -> parseRunStatistics(column, section.get()));
            runStatistics.set(column, parsed);
        }
        return parsed.get(segment);
    }

    private List<List<ColumnStatistics>> parseRunStatistics(int column, Slice section)
    {
        SliceInput input = section.getInput();
        ImmutableList.Builder<List<ColumnStatistics>> segments = ImmutableList.builderWithExpectedSize(segmentRows.length);
        for (int rows : segmentRows) {
            List<ColumnStatistics> runs = RunBoundsCodec.read(input, columns.get(column).id(), Segment.runs(rows));
            for (int run = 0; run < runs.size(); run++) {
                checkArgument(runs.get(run).nullCount() <= Segment.runRows(rows, run), "run %s with %s rows has %s nulls", run, Segment.runRows(rows, run), runs.get(run).nullCount());
            }
            segments.add(runs);
        }
        checkArgument(input.available() == 0, "%s unexpected bytes at the end", input.available());
        return segments.build();
    }

    /**
     * Returns the memory of this object in bytes, including the parts that have not been parsed yet.
     */
    public long retainedSize()
    {
        long parsed = (long) PARSED_SIZE * segmentRows.length * columns.size();
        for (Optional<Slice> section : sections.runBounds()) {
            parsed += section.isPresent() ? section.get().length() + (long) RUN_STATISTICS_SIZE * runs : 0;
        }
        // parsed chunks copy the checksums, which are most of the bytes of a section
        return INSTANCE_SIZE + sizeOf(segmentRows) + parsed + 2 * estimatedSizeOf(sections.chunks(), Slice::length) + estimatedSizeOf(sections.statistics(), Slice::length);
    }
}
