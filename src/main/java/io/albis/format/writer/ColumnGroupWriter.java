package io.albis.format.writer;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slice;
import io.albis.format.AlbisColumn;
import io.albis.format.AlbisColumnGroup;
import io.albis.format.AlbisLayout;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.ColumnGroupMetadata;
import io.albis.format.metadata.ColumnGroupMetadata.StoredColumn;
import io.albis.format.metadata.ColumnStatistics;
import io.albis.format.metadata.FileFrame;
import io.albis.format.metadata.FileKind;
import io.albis.format.metadata.MetadataCodec;
import io.albis.format.metadata.Run;
import io.albis.format.metadata.RunChecksum;
import io.albis.format.metadata.Segment;
import io.albis.format.row.RowEncoder;
import io.albis.format.row.RowLayout;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.memory.context.AggregatedMemoryContext;
import io.trino.spi.block.ValueBlock;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

import static com.google.common.base.Preconditions.checkState;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.format.metadata.ColumnGroupInstance.folderName;

/**
 * Writes the two files of one column group of one row group. Holds one segment in memory.
 */
final class ColumnGroupWriter
{
    private static final int INITIAL_BUFFER_SIZE = 1 << 16;

    private final TrinoFileSystem fileSystem;
    private final Location folder;
    private final UUID id;
    private final AlbisColumnGroup columnGroup;
    private final int segmentBytes;
    private final RowLayout layout;
    private final RowEncoder encoder;
    private final OutputStream output;
    private final RunChecksum checksum;
    private final KeyScratch scratch = new KeyScratch();
    private final List<StatisticsMerger> rowGroupStatistics;
    private final ImmutableList.Builder<Segment> segments = ImmutableList.builder();

    private int[] rowSizes = new int[0];
    private byte[] buffer = new byte[INITIAL_BUFFER_SIZE];
    private int bufferSize;
    private long segmentOffset = FileFrame.HEADER_SIZE;
    private int segmentRows;
    private int runStart;
    private int runRows;
    private final List<Run> runs = new ArrayList<>();
    private List<StatisticsCollector> segmentStatistics;
    private boolean closed;

    ColumnGroupWriter(TrinoFileSystem fileSystem, Location rowGroupFolder, UUID id, AlbisColumnGroup columnGroup, int segmentBytes, AggregatedMemoryContext memoryContext)
            throws IOException
    {
        this.fileSystem = fileSystem;
        this.id = id;
        this.folder = rowGroupFolder.appendPath(folderName(id));
        this.columnGroup = columnGroup;
        this.segmentBytes = segmentBytes;
        this.layout = new RowLayout(columnGroup.columns().stream()
                .map(AlbisColumn::storageType)
                .collect(toImmutableList()));
        this.encoder = new RowEncoder(layout);
        this.checksum = new RunChecksum(id);
        this.rowGroupStatistics = columnGroup.columns().stream()
                .map(StatisticsMerger::new)
                .collect(toImmutableList());
        this.segmentStatistics = newStatistics();
        this.output = fileSystem.newOutputFile(dataFile()).create(memoryContext);
        Slice header = FileFrame.header(FileKind.DATA, id);
        output.write(header.byteArray(), header.byteArrayOffset(), header.length());
    }

    /**
     * Looks at a page before it is written.
     *
     * @param blocks one for each column of the group
     */
    void prepare(ValueBlock[] blocks, int positionCount)
    {
        if (layout.isVariable()) {
            if (rowSizes.length < positionCount) {
                rowSizes = new int[positionCount];
            }
            encoder.sizes(blocks, positionCount, rowSizes);
        }
    }

    /**
     * How many of the rows from {@code offset} on fit in the segment; at least one if it is empty.
     */
    int rowsThatFit(int offset, int count)
    {
        int fitting = layout.isVariable() ? variableRowsThatFit(offset, count) : Math.min(count, Math.max(0, segmentBytes - bufferSize) / layout.fixedSize());
        return segmentRows == 0 ? Math.min(count, Math.max(1, fitting)) : fitting;
    }

    private int variableRowsThatFit(int offset, int count)
    {
        long size = bufferSize;
        for (int i = 0; i < count; i++) {
            size += rowSizes[offset + i];
            if (size > segmentBytes) {
                return i;
            }
        }
        return count;
    }

    boolean isSegmentFull()
    {
        return bufferSize >= segmentBytes;
    }

    void append(ValueBlock[] blocks, int offset, int count)
    {
        int size = layout.isVariable() ? 0 : count * layout.fixedSize();
        for (int i = 0; i < count && layout.isVariable(); i++) {
            size += rowSizes[offset + i];
        }
        ensureCapacity(bufferSize + size + Run.ALIGNMENT);
        bufferSize = encoder.encode(blocks, offset, count, rowSizes, buffer, bufferSize);
        for (int column = 0; column < blocks.length; column++) {
            segmentStatistics.get(column).append(blocks[column], offset, count);
        }
        runRows += count;
        segmentRows += count;
    }

    void closeRun()
    {
        int length = bufferSize - runStart;
        int padding = -length & (Run.ALIGNMENT - 1);
        ensureCapacity(bufferSize + padding);
        Arrays.fill(buffer, bufferSize, bufferSize + padding, (byte) 0);
        bufferSize += padding;
        runs.add(new Run(runRows, segmentOffset + runStart, length, checksum.of(buffer, runStart, length + padding)));
        runStart = bufferSize;
        runRows = 0;
    }

    void closeSegment()
            throws IOException
    {
        checkState(runRows == 0, "the last run is not closed");
        output.write(buffer, 0, bufferSize);
        ImmutableList.Builder<ColumnStatistics> statistics = ImmutableList.builder();
        for (int column = 0; column < segmentStatistics.size(); column++) {
            ColumnStatistics columnStatistics = segmentStatistics.get(column).finish();
            statistics.add(columnStatistics);
            rowGroupStatistics.get(column).append(columnStatistics, segmentRows);
        }
        segments.add(new Segment(runs, statistics.build()));
        runs.clear();
        segmentStatistics = newStatistics();
        segmentOffset += bufferSize;
        bufferSize = 0;
        runStart = 0;
        segmentRows = 0;
        // a row that was larger than a segment is not to be paid for by all that follow
        if (buffer.length > 2 * segmentBytes) {
            buffer = new byte[INITIAL_BUFFER_SIZE];
        }
    }

    void closeData()
            throws IOException
    {
        checkState(segmentRows == 0, "the last segment is not closed");
        closed = true;
        output.close();
    }

    ColumnGroupInstance writeMetadata()
            throws IOException
    {
        ColumnGroupMetadata metadata = new ColumnGroupMetadata(
                AlbisLayout.ROW,
                columnGroup.columns().stream()
                        .map(column -> new StoredColumn(column.id(), column.storageType(), column.type().getTypeId().getId()))
                        .collect(toImmutableList()),
                segmentOffset,
                segments.build());
        Slice file = MetadataCodec.encode(id, metadata);
        try (OutputStream metadataOutput = fileSystem.newOutputFile(metadataFile()).create()) {
            metadataOutput.write(file.byteArray(), file.byteArrayOffset(), file.length());
        }
        return new ColumnGroupInstance(
                id,
                columnGroup.columns().stream()
                        .map(AlbisColumn::id)
                        .collect(toImmutableList()),
                segmentOffset,
                file.length());
    }

    List<ColumnStatistics> rowGroupStatistics()
    {
        return rowGroupStatistics.stream()
                .map(StatisticsMerger::finish)
                .collect(toImmutableList());
    }

    /**
     * Closes what is open; the files are left to the one who knows the folder.
     */
    void abort()
            throws IOException
    {
        if (!closed) {
            closed = true;
            output.close();
        }
    }

    List<Location> files()
    {
        return ImmutableList.of(dataFile(), metadataFile());
    }

    /**
     * Bytes of the data file so far, with those that are still in memory.
     */
    long dataBytes()
    {
        return segmentOffset + bufferSize;
    }

    long retainedSize()
    {
        return buffer.length + (long) rowSizes.length * Integer.BYTES;
    }

    private Location dataFile()
    {
        return folder.appendPath(ColumnGroupInstance.DATA_FILE);
    }

    private Location metadataFile()
    {
        return folder.appendPath(ColumnGroupInstance.METADATA_FILE);
    }

    private void ensureCapacity(int size)
    {
        if (buffer.length < size) {
            int newSize = (int) Math.min(Math.max(size, 2L * buffer.length), Math.max(size, segmentBytes + Run.ALIGNMENT * (Segment.MAX_ROWS / Run.MAX_ROWS)));
            buffer = Arrays.copyOf(buffer, newSize);
        }
    }

    private List<StatisticsCollector> newStatistics()
    {
        return columnGroup.columns().stream()
                .map(column -> StatisticsCollector.create(column, scratch))
                .collect(toImmutableList());
    }
}
