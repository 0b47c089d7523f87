package io.albis.format.column;

import io.albis.format.io.AlbisDataException;
import io.albis.format.io.ReadBuffers;
import io.albis.format.layout.block.ChunkDecoder;
import io.albis.format.metadata.ColumnGroupMetadata;
import io.albis.format.request.ChunkReader;
import io.albis.format.request.DataFile;
import io.albis.format.run.ChunkEncoding.Bits;
import io.albis.format.run.ChunkEncoding.Bytes;
import io.albis.format.run.ChunkEncoding.Constant;
import io.albis.format.run.ChunkEncoding.Dictionary;
import io.albis.format.run.ChunkEncoding.Fixed;
import io.albis.format.run.ChunkEncoding.Nulls;
import io.albis.format.run.ChunkEncoding.Rows;
import io.albis.format.run.Run;
import io.albis.format.run.Segment;
import io.albis.format.run.SegmentRows;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.statistics.ColumnStatistics;
import io.trino.spi.block.Block;
import io.trino.spi.block.ValueBlock;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Reads a column of a column group in the block layout.
 */
public final class BlockColumnReader
        implements ColumnReader
{
    private final AlbisColumn column;
    private final int index;
    private final int node;
    private final ColumnGroupMetadata metadata;
    private final DataFile file;
    private final ChunkReader chunks;
    private final ReadBuffers buffers;

    private ChunkDecoder decoder;
    private int segment;
    private boolean again;
    // bytes of the decoder that the buffers of the reader already count
    private long countedBytes;

    /**
     * Creates a reader that is at no segment yet.
     *
     * @param column the column, or a part of it
     * @param index index of the column in its column group
     * @param node number of the node of the column, or of its part, in the column group
     */
    public BlockColumnReader(AlbisColumn column, int index, int node, ColumnGroupMetadata metadata, DataFile file, ChunkReader chunks, ReadBuffers buffers)
    {
        this.column = column;
        this.index = index;
        this.node = node;
        this.metadata = metadata;
        this.file = file;
        this.chunks = chunks;
        this.buffers = buffers;
    }

    @Override
    public ColumnStatistics statistics(int segment)
            throws IOException
    {
        if (!column.isPart()) {
            return metadata.statistics(index, segment);
        }
        Optional<ColumnStatistics> stored = metadata.fieldStatistics(index, node, segment);
        return stored.isPresent() ? stored.get() : PartStatistics.ofSegment(column.id(), metadata.node(node, segment));
    }

    @Override
    public List<ColumnStatistics> runStatistics(int segment)
            throws IOException
    {
        if (!column.isPart()) {
            return metadata.runStatistics(index, segment);
        }
        List<ColumnStatistics> stored = metadata.fieldRunStatistics(index, node, segment);
        return stored.isEmpty() ? PartStatistics.ofRuns(column.id(), metadata.node(node, segment)) : stored;
    }

    @Override
    public boolean storesDistinctValues(int segment)
            throws IOException
    {
        return switch (metadata.chunk(node, segment).encoding()) {
            case Nulls _, Constant _, Bits _, Dictionary _ -> true;
            case Fixed _, Bytes _, Rows _ -> false;
        };
    }

    @Override
    public AlbisDataException invalid(int segment, Exception cause)
    {
        return file.invalid(segment, cause);
    }

    @Override
    public ChunkReader chunks()
    {
        return chunks;
    }

    @Override
    public void startSegment(int segment)
            throws IOException
    {
        this.segment = segment;
        chunks.start(segment);
        decoder = new ChunkDecoder(column.type(), metadata.chunk(node, segment), chunks);
        countMemory();
    }

    private void countMemory()
    {
        long bytes = decoder.retainedSize();
        if (bytes != countedBytes) {
            buffers.countOther(bytes - countedBytes);
            countedBytes = bytes;
        }
    }

    @Override
    public void readAgain(boolean again)
    {
        this.again = again;
    }

    @Override
    public Block read(SegmentRows rows)
            throws IOException
    {
        try {
            Block block = decoder.decode(rows);
            if (!again) {
                chunks.pass(rows.lastRun() + 1);
            }
            return block;
        }
        catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw file.invalid(segment, e);
        }
        finally {
            countMemory();
        }
    }

    @Override
    public int select(FilterState filter, int run, int[] rows, int count)
            throws IOException
    {
        try {
            int selected = switch (decoder.encoding()) {
                case Nulls _ -> filter.filter().selectsNulls() ? count : 0;
                case Fixed _, Bytes _, Bits _ when filter.filter().testsNulls() -> decoder.selectNulls(run, filter.filter().selectsNulls(), runRows(run), rows, count);
                case Constant _, Dictionary _, Bits _ when filter.matchesNone(decoder.values()) -> 0;
                case Constant _, Dictionary _, Bits _ -> decoder.selectMatching(run, filter.matches(decoder.values()), rows, count);
                case Fixed _, Bytes _, Rows _ -> selectValues(filter, run, rows, count);
            };
            if (!again) {
                chunks.pass(run + 1);
            }
            return selected;
        }
        catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw file.invalid(segment, e);
        }
        finally {
            countMemory();
        }
    }

    private int selectValues(FilterState filter, int run, int[] rows, int count)
            throws IOException
    {
        Optional<ValueBlock> onlyValue = decoder.onlyValue(run);
        if (onlyValue.isPresent()) {
            return filter.matchesOne(onlyValue.get()) ? count : 0;
        }
        if (decoder.encoding().storesIntegers() && filter.filter().takesIntegers()) {
            return decoder.selectIntegers(run, filter.filter()::selectIntegers, rows, count);
        }
        if (count == runRows(run)) {
            return filter.select(decoder.decodeForNow(run), rows, count);
        }
        return filter.select(decoder.decodeValues(inSegment(run, rows, count)), rows, count);
    }

    private int runRows(int run)
    {
        return Segment.runRows(metadata.segmentRows()[segment], run);
    }

    private SegmentRows inSegment(int run, int[] rows, int count)
    {
        int[] segmentRows = new int[count];
        for (int i = 0; i < count; i++) {
            segmentRows[i] = run * Run.MAX_ROWS + rows[i];
        }
        return SegmentRows.ofRows(segmentRows);
    }
}
