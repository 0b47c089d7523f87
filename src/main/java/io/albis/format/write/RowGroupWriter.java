package io.albis.format.write;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Lists;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.FieldBounds;
import io.albis.format.metadata.RowGroup;
import io.albis.format.run.Run;
import io.albis.format.run.Segment;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.RowGroupSchema;
import io.albis.format.statistics.ColumnStatistics;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.memory.context.AggregatedMemoryContext;
import io.trino.spi.block.ValueBlock;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

import static com.google.common.base.Preconditions.checkState;
import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * Writes one row group, or new instances of some column groups of a row group. The column groups are written as
 * parallel streams, with the same rows in the same segments and runs (Albis paper, section 3.2).
 */
public final class RowGroupWriter
{
    /**
     * The size up to which a segment of an existing row group can grow, unless it may have more from the beginning. It
     * limits the memory of writers and readers, and keeps segments of nested columns far below what readers refuse.
     */
    private static final int MAX_EXISTING_SEGMENT_BYTES = 1 << 26;

    private final UUID id;
    private final TrinoFileSystem fileSystem;
    private final Location folder;
    // whether the row group has other column groups
    private final boolean existing;
    private final RowGroupSchema schema;
    private final WriterOptions options;
    private final long maxRows;
    // the rows of each segment of the other column groups; empty if segments end when they are full
    private final Optional<int[]> segments;
    // for each column group, the channels of its columns in a page of the schema
    private final List<int[]> channels;
    private final List<ColumnGroupWriter> columnGroups = new ArrayList<>();

    private long rows;
    private int segmentRows;
    private int closedSegments;

    RowGroupWriter(TrinoFileSystem fileSystem, Location tableFolder, RowGroupSchema schema, WriterOptions options, Supplier<UUID> ids, AggregatedMemoryContext memoryContext)
            throws IOException
    {
        this(fileSystem, tableFolder, ids.get(), false, Optional.empty(), schema, options, ids, memoryContext);
    }

    private RowGroupWriter(
            TrinoFileSystem fileSystem,
            Location tableFolder,
            UUID id,
            boolean existing,
            Optional<int[]> segments,
            RowGroupSchema schema,
            WriterOptions options,
            Supplier<UUID> ids,
            AggregatedMemoryContext memoryContext)
            throws IOException
    {
        this.fileSystem = fileSystem;
        this.id = id;
        this.folder = RowGroup.folder(tableFolder, id);
        this.existing = existing;
        this.segments = segments;
        this.schema = schema;
        this.options = options;
        this.maxRows = segments.isPresent() ? Long.MAX_VALUE : options.maxRowGroupRows();
        this.channels = schema.columnGroups().stream()
                .map(group -> group.columns().stream().mapToInt(schema.columns()::indexOf).toArray())
                .collect(toImmutableList());
        try {
            for (AlbisColumnGroup columnGroup : schema.columnGroups()) {
                ColumnGroupWriter writer = new ColumnGroupWriter(fileSystem, folder, ids.get(), columnGroup, options, options.compression(columnGroups.size()));
                columnGroups.add(writer);
                writer.open(memoryContext);
            }
        }
        catch (Throwable e) {
            abort(e);
            throw e;
        }
    }

    /**
     * Creates a writer of new instances of some column groups of a row group. It is full when a segment with several
     * rows would get much larger than a segment of a new row group.
     *
     * @param segmentRows number of rows of each segment of the row group
     * @param schema the columns of these column groups
     * @param ids supplies ids of column groups that are never used again
     * @param memoryContext counts the buffers of the files
     */
    public static RowGroupWriter ofExisting(
            TrinoFileSystem fileSystem,
            Location tableFolder,
            UUID rowGroupId,
            int[] segmentRows,
            RowGroupSchema schema,
            WriterOptions options,
            Supplier<UUID> ids,
            AggregatedMemoryContext memoryContext)
            throws IOException
    {
        return new RowGroupWriter(fileSystem, tableFolder, rowGroupId, true, Optional.of(segmentRows), schema, ofExistingSegments(options), ids, memoryContext);
    }

    /**
     * Creates a writer of a new row group with the segments of an existing one. It is full like that of
     * {@link #ofExisting}.
     *
     * @param segmentRows number of rows of each segment
     * @param memoryContext counts the buffers of the files
     */
    public static RowGroupWriter ofCopy(TrinoFileSystem fileSystem, Location tableFolder, int[] segmentRows, RowGroupSchema schema, WriterOptions options, AggregatedMemoryContext memoryContext)
            throws IOException
    {
        return new RowGroupWriter(fileSystem, tableFolder, UUID.randomUUID(), false, Optional.of(segmentRows), schema, ofExistingSegments(options), UUID::randomUUID, memoryContext);
    }

    private static WriterOptions ofExistingSegments(WriterOptions options)
    {
        return options.withSegmentBytes(Math.max(options.segmentBytes(), MAX_EXISTING_SEGMENT_BYTES));
    }

    /**
     * Writes rows until all rows are written or the row group is full.
     *
     * @param blocks one block for each column of the schema
     * @param offset position of the first row to write
     * @param positionCount number of positions of the blocks
     * @return number of rows written
     */
    public int append(ValueBlock[] blocks, int offset, int positionCount)
            throws IOException
    {
        ValueBlock[][] groupBlocks = new ValueBlock[columnGroups.size()][];
        for (int group = 0; group < groupBlocks.length; group++) {
            int[] groupChannels = channels.get(group);
            groupBlocks[group] = new ValueBlock[groupChannels.length];
            for (int column = 0; column < groupChannels.length; column++) {
                groupBlocks[group][column] = blocks[groupChannels[column]];
            }
            columnGroups.get(group).prepare(groupBlocks[group], positionCount);
        }
        int position = offset;
        while (position < positionCount && !isFull()) {
            int count = rowsThatFit(groupBlocks, position, positionCount - position);
            if (count == 0 && segments.isPresent()) {
                break;
            }
            if (count == 0) {
                closeSegment();
                continue;
            }
            for (int group = 0; group < groupBlocks.length; group++) {
                columnGroups.get(group).append(groupBlocks[group], position, count);
            }
            position += count;
            rows += count;
            segmentRows += count;
            if (segmentRows == Segment.MAX_ROWS || isSegmentFull()) {
                closeSegment();
            }
        }
        columnGroups.forEach(ColumnGroupWriter::releasePage);
        return position - offset;
    }

    private int rowsThatFit(ValueBlock[][] groupBlocks, int position, int available)
    {
        // appended rows must not cross the end of a run
        int count = Math.min(available, Run.MAX_ROWS - segmentRows % Run.MAX_ROWS);
        count = (int) Math.min(count, maxRows - rows);
        if (segments.isPresent()) {
            count = Math.min(count, segments.get()[closedSegments] - segmentRows);
        }
        for (int group = 0; group < groupBlocks.length; group++) {
            count = columnGroups.get(group).rowsThatFit(groupBlocks[group], position, count);
        }
        return count;
    }

    private boolean isSegmentFull()
    {
        if (segments.isPresent()) {
            return segmentRows == segments.get()[closedSegments];
        }
        for (ColumnGroupWriter columnGroup : columnGroups) {
            if (columnGroup.isSegmentFull()) {
                return true;
            }
        }
        return false;
    }

    boolean isFull()
    {
        return segments.isEmpty() && (rows >= maxRows || dataBytes() >= options.rowGroupBytes());
    }

    private void closeSegment()
            throws IOException
    {
        if (segmentRows > 0) {
            for (ColumnGroupWriter columnGroup : columnGroups) {
                columnGroup.closeSegment();
            }
            segmentRows = 0;
            closedSegments++;
        }
    }

    /**
     * Completes the files.
     *
     * @return the row group with the column groups that were written and the statistics of their columns
     */
    public RowGroup finish()
            throws IOException
    {
        checkState(rows > 0, "a row group must have at least one row");
        checkState(segments.isEmpty() || closedSegments == segments.get().length, "the row group has more rows than were written");
        closeSegment();
        for (ColumnGroupWriter columnGroup : columnGroups) {
            columnGroup.closeData();
        }
        // The first column group is written last. Its metadata file shows that the row group is complete.
        List<ColumnGroupInstance> instances = new ArrayList<>();
        for (ColumnGroupWriter columnGroup : Lists.reverse(columnGroups)) {
            instances.add(columnGroup.writeMetadata());
        }
        ImmutableList.Builder<ColumnStatistics> statistics = ImmutableList.builder();
        FieldBounds.Builder fieldBounds = new FieldBounds.Builder();
        for (ColumnGroupWriter columnGroup : columnGroups) {
            statistics.addAll(columnGroup.rowGroupStatistics());
            columnGroup.addFieldBounds(fieldBounds);
        }
        return new RowGroup(id, rows, Lists.reverse(instances), statistics.build()).withFieldBounds(fieldBounds.build());
    }

    /**
     * Deletes everything that was written, with its folders, as far as possible. Failures are added to {@code reason}
     * as suppressed exceptions.
     */
    public void abort(Throwable reason)
    {
        for (ColumnGroupWriter columnGroup : columnGroups) {
            try {
                columnGroup.abort();
            }
            catch (IOException | RuntimeException e) {
                reason.addSuppressed(e);
            }
        }
        for (Location written : writtenFolders()) {
            try {
                fileSystem.deleteDirectory(written);
            }
            catch (IOException | RuntimeException e) {
                reason.addSuppressed(e);
            }
        }
    }

    private List<Location> writtenFolders()
    {
        if (!existing) {
            return ImmutableList.of(folder);
        }
        return columnGroups.stream()
                .map(ColumnGroupWriter::folder)
                .collect(toImmutableList());
    }

    long dataBytes()
    {
        long bytes = 0;
        for (ColumnGroupWriter columnGroup : columnGroups) {
            bytes += columnGroup.dataBytes();
        }
        return bytes;
    }

    /**
     * Returns the size in memory in bytes, without the buffers of the files.
     */
    public long retainedSize()
    {
        long size = 0;
        for (ColumnGroupWriter columnGroup : columnGroups) {
            size += columnGroup.retainedSize();
        }
        return size;
    }
}
