package io.albis.format.layout.row;

import com.google.common.collect.ImmutableList;
import io.albis.format.layout.SegmentEncoder;
import io.albis.format.run.Chunk;
import io.albis.format.run.ChunkEncoding;
import io.albis.format.run.ChunkOutput;
import io.albis.format.run.NodeChunks;
import io.albis.format.run.Run;
import io.albis.format.run.RunEncoding;
import io.albis.format.run.Segment;
import io.albis.format.schema.AlbisColumn;
import io.trino.spi.block.ValueBlock;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * Encodes a segment row by row (Albis paper, section 3.1).
 */
public final class RowSegmentEncoder
        implements SegmentEncoder
{
    private static final int INITIAL_BUFFER_SIZE = 1 << 16;

    private final int segmentBytes;
    private final RowStructure structure;
    private final RowEncoder encoder;
    private int[] rowSizes = new int[0];
    private byte[] buffer = new byte[INITIAL_BUFFER_SIZE];
    private int bufferSize;
    private int rows;
    // offset of each run and end of the last run, both with padding, and the lengths of the runs without padding
    private final int[] runBegins = new int[Segment.MAX_RUNS + 1];
    private final int[] runLengths = new int[Segment.MAX_RUNS];
    private int runs;

    public RowSegmentEncoder(List<AlbisColumn> columns, int segmentBytes)
    {
        this.segmentBytes = segmentBytes;
        this.structure = new RowStructure(columns.stream()
                .map(AlbisColumn::storageType)
                .collect(toImmutableList()));
        this.encoder = new RowEncoder(structure);
    }

    @Override
    public void prepare(ValueBlock[] blocks, int positionCount)
    {
        if (structure.isVariable()) {
            if (rowSizes.length < positionCount) {
                rowSizes = new int[positionCount];
            }
            encoder.sizes(blocks, positionCount, rowSizes);
        }
    }

    @Override
    public int rowsThatFit(ValueBlock[] blocks, int offset, int count)
    {
        if (!structure.isVariable()) {
            return Math.clamp((segmentBytes - bufferSize) / structure.fixedSize(), 0, count);
        }
        long size = bufferSize;
        for (int i = 0; i < count; i++) {
            size += rowSizes[offset + i];
            if (size > segmentBytes) {
                return i;
            }
        }
        return count;
    }

    @Override
    public boolean isFull()
    {
        return bufferSize >= segmentBytes;
    }

    @Override
    public void append(ValueBlock[] blocks, int offset, int count)
    {
        int size = structure.isVariable() ? 0 : count * structure.fixedSize();
        for (int i = 0; i < count && structure.isVariable(); i++) {
            size += rowSizes[offset + i];
        }
        ensureCapacity(bufferSize + size + Run.ALIGNMENT);
        bufferSize = encoder.encode(blocks, offset, count, rowSizes, buffer, bufferSize);
        rows += count;
        if (rows % Run.MAX_ROWS == 0) {
            closeRun();
        }
    }

    private void closeRun()
    {
        int length = bufferSize - runBegins[runs];
        int padded = Run.padded(length);
        ensureCapacity(runBegins[runs] + padded);
        Arrays.fill(buffer, bufferSize, runBegins[runs] + padded, (byte) 0);
        bufferSize = runBegins[runs] + padded;
        runLengths[runs] = length;
        runs++;
        runBegins[runs] = bufferSize;
    }

    @Override
    public long size()
    {
        return bufferSize;
    }

    @Override
    public List<NodeChunks> finish(ChunkOutput output)
            throws IOException
    {
        if (rows % Run.MAX_ROWS != 0) {
            closeRun();
        }
        long offset = output.offset();
        ImmutableList.Builder<Run> written = ImmutableList.builder();
        for (int run = 0; run < runs; run++) {
            written.add(new Run(output.write(buffer, runBegins[run], runLengths[run]), 0, new RunEncoding.Plain()));
        }
        rows = 0;
        runs = 0;
        bufferSize = 0;
        // releases a buffer that grew for a row larger than a segment, so that it does not take memory for all later
        // segments
        if (buffer.length > 2 * segmentBytes) {
            buffer = new byte[INITIAL_BUFFER_SIZE];
        }
        return ImmutableList.of(NodeChunks.of(new Chunk(new ChunkEncoding.Rows(), offset, written.build())));
    }

    private void ensureCapacity(int size)
    {
        if (buffer.length < size) {
            int newSize = (int) Math.min(Math.max(size, 2L * buffer.length), Math.max(size, segmentBytes + Run.ALIGNMENT * Segment.MAX_RUNS));
            buffer = Arrays.copyOf(buffer, newSize);
        }
    }

    @Override
    public long retainedSize()
    {
        return buffer.length + (long) rowSizes.length * Integer.BYTES;
    }
}
