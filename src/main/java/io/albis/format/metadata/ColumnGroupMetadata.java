package io.albis.format.metadata;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slice;
import io.airlift.slice.SliceInput;
import io.albis.format.io.AlbisDataException;
import io.albis.format.run.Chunk;
import io.albis.format.run.ChunkCodec;
import io.albis.format.run.ChunkEncoding;
import io.albis.format.run.Segment;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.statistics.StatisticsCodec;
import io.albis.format.type.StorageType;
import io.trino.filesystem.Location;

import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

import static com.google.common.base.Preconditions.checkArgument;
import static io.airlift.slice.SizeOf.estimatedSizeOf;
import static io.airlift.slice.SizeOf.instanceSize;
import static io.airlift.slice.SizeOf.sizeOf;
import static io.albis.format.io.AlbisDataException.damaged;
import static java.util.Objects.requireNonNull;

/**
 * The content of a {@code metadata} file: all that is needed to read the data file beside it. It repeats types, so that
 * the values of a column that the table has dropped can still be skipped (Albis paper, section 3.4).
 * <p>
 * Its checksum is checked as a whole; what it says of a column is parsed when it is first asked for, so that a wide table
 * costs no more than the columns that a query reads. Thread safe.
 */
public final class ColumnGroupMetadata
{
    private static final int INSTANCE_SIZE = instanceSize(ColumnGroupMetadata.class);
    // of a parsed chunk and the statistics beside it: measured as the sum of their objects, not as bytes on storage
    private static final int PARSED_SIZE = 512;

    private final Location location;
    private final AlbisLayout layout;
    private final List<StoredColumn> columns;
    private final long dataBytes;
    private final int[] segmentRows;
    private final long rows;
    private final List<Slice> chunkSections;
    private final List<Slice> statisticsSections;
    private final AtomicReferenceArray<List<Chunk>> chunks;
    private final AtomicReferenceArray<List<ColumnStatistics>> statistics;

    /**
     * @param typeId of the Trino type, as in the schema
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
     * @param chunkSections for each stream, its chunks in all segments
     * @param statisticsSections for each column, its statistics in all segments
     */
    ColumnGroupMetadata(
            Location location,
            AlbisLayout layout,
            List<StoredColumn> columns,
            long dataBytes,
            int[] segmentRows,
            List<Slice> chunkSections,
            List<Slice> statisticsSections)
    {
        this.location = requireNonNull(location, "location is null");
        this.layout = requireNonNull(layout, "layout is null");
        this.columns = ImmutableList.copyOf(columns);
        this.dataBytes = dataBytes;
        this.segmentRows = segmentRows;
        this.chunkSections = ImmutableList.copyOf(chunkSections);
        this.statisticsSections = ImmutableList.copyOf(statisticsSections);
        checkArgument(!columns.isEmpty(), "no columns");
        checkArgument(segmentRows.length > 0, "no segments");
        checkArgument(chunkSections.size() == streams(layout, columns.size()), "%s chunks in a segment", chunkSections.size());
        checkArgument(statisticsSections.size() == columns.size(), "statistics of %s columns, not of %s", statisticsSections.size(), columns.size());
        long rows = 0;
        for (int count : segmentRows) {
            checkArgument(count > 0 && count <= Segment.MAX_ROWS, "a segment has %s rows", count);
            rows += count;
        }
        this.rows = rows;
        this.chunks = new AtomicReferenceArray<>(chunkSections.size());
        this.statistics = new AtomicReferenceArray<>(statisticsSections.size());
    }

    static int streams(AlbisLayout layout, int columns)
    {
        return switch (layout) {
            case ROW -> 1;
            case BLOCK -> columns;
        };
    }

    public AlbisLayout layout()
    {
        return layout;
    }

    /**
     * In the order in which they stand in the column group.
     */
    public List<StoredColumn> columns()
    {
        return columns;
    }

    /**
     * Size of the data file.
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
     * Rows of each segment; not to be changed.
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
     * Where a column stands in a segment; in the row layout all columns stand in one chunk.
     *
     * @param column index in this column group
     */
    public Chunk chunk(int column, int segment)
            throws AlbisDataException
    {
        int stream = layout == AlbisLayout.ROW ? 0 : column;
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
        try {
            SliceInput input = chunkSections.get(stream).getInput();
            ImmutableList.Builder<Chunk> parsed = ImmutableList.builderWithExpectedSize(segmentRows.length);
            for (int count : segmentRows) {
                Chunk chunk = ChunkCodec.read(input, count);
                // the offset may be near the greatest number that there is
                checkArgument(chunk.offset() <= dataBytes && chunk.length() <= dataBytes - chunk.offset(), "a chunk at %s is outside of the %s bytes of the data file", chunk.offset(), dataBytes);
                checkArgument((layout == AlbisLayout.ROW) == (chunk.encoding() instanceof ChunkEncoding.Rows), "a chunk of layout %s with %s", layout, chunk.encoding());
                if (layout == AlbisLayout.BLOCK) {
                    chunk.encoding().check(columns.get(stream).storageType());
                }
                parsed.add(chunk);
            }
            checkArgument(input.available() == 0, "%s bytes are left over", input.available());
            return parsed.build();
        }
        catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw damaged("Damaged Albis file %s: %s", location, e.getMessage());
        }
    }

    /**
     * @param column index in this column group
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
        try {
            SliceInput input = statisticsSections.get(column).getInput();
            List<ColumnStatistics> parsed = StatisticsCodec.read(input);
            checkArgument(input.available() == 0, "%s bytes are left over", input.available());
            checkArgument(parsed.size() == segmentRows.length, "statistics of %s segments, not of %s", parsed.size(), segmentRows.length);
            for (int segment = 0; segment < segmentRows.length; segment++) {
                ColumnStatistics statistics = parsed.get(segment);
                checkArgument(statistics.columnId() == columns.get(column).id(), "statistics of column %s, not of %s", statistics.columnId(), columns.get(column).id());
                checkArgument(statistics.nullCount() <= segmentRows[segment], "a segment of %s rows has %s nulls", segmentRows[segment], statistics.nullCount());
            }
            return parsed;
        }
        catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw damaged("Damaged Albis file %s: %s", location, e.getMessage());
        }
    }

    /**
     * Bytes of memory, also of what is not parsed yet.
     */
    public long retainedSize()
    {
        long parsed = (long) PARSED_SIZE * segmentRows.length * columns.size();
        return INSTANCE_SIZE + sizeOf(segmentRows) + parsed + estimatedSizeOf(chunkSections, Slice::length) + estimatedSizeOf(statisticsSections, Slice::length);
    }
}
