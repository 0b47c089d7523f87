package io.albis.format.column;

import io.albis.format.io.AlbisDataException;
import io.albis.format.io.ReadBuffers;
import io.albis.format.layout.block.node.NodeDecoder;
import io.albis.format.layout.block.node.NodeRows;
import io.albis.format.layout.block.node.NodeSource;
import io.albis.format.metadata.ColumnGroupMetadata;
import io.albis.format.metadata.ColumnGroupMetadata.Part;
import io.albis.format.metadata.StoredNodes;
import io.albis.format.request.ChunkReader;
import io.albis.format.run.RowRanges;
import io.albis.format.run.Run;
import io.albis.format.run.RunRows;
import io.albis.format.run.Segment;
import io.albis.format.run.SegmentRows;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.ElementAccess;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.type.FlatBlocks;
import io.albis.format.type.Widening;
import io.trino.spi.block.Block;

import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * Reads a nested column of a column group in the block layout, or elements of its arrays or maps. Filters on the column
 * need only the own values of its node, because they are IS NULL and IS NOT NULL. Filters on elements read these.
 */
public final class NestedColumnReader
        implements ColumnReader
{
    private final AlbisColumn column;
    private final Optional<ElementAccess> access;
    private final Part part;
    private final ColumnGroupMetadata metadata;
    private final BlockColumnReader own;
    private final StoredNodes storedNodes;
    // the nodes of the type of the column in pre-order; empty for a node that is not stored or not read
    private final List<Optional<NodeReader>> nodes;
    // by the number of the stored node, whether it is read
    private final BitSet readNodes = new BitSet();
    private final ReadBuffers buffers;

    private NodeDecoder decoder;
    private int segment;
    private boolean sizeChecked;
    private boolean again;
    // bytes of the decoder that the buffers of the reader already count
    private long countedBytes;

    /**
     * Creates a reader that is at no segment yet.
     *
     * @param column the column, or a field of a row in it
     * @param access what is read instead of the arrays or maps of the column; empty to read the column
     * @param part how it is stored
     * @param own reads the own values of the node of the column
     * @param storedNodes where the nodes of the type of the column are stored
     * @param nodes the nodes of the type in pre-order, of which the first shares the chunks of {@code own}; empty for a
     *         node that is not stored or not read
     */
    public NestedColumnReader(AlbisColumn column, Optional<ElementAccess> access, Part part, ColumnGroupMetadata metadata, BlockColumnReader own, StoredNodes storedNodes, List<Optional<NodeReader>> nodes, ReadBuffers buffers)
    {
        this.column = requireNonNull(column, "column is null");
        this.access = requireNonNull(access, "access is null");
        this.part = requireNonNull(part, "part is null");
        this.metadata = requireNonNull(metadata, "metadata is null");
        this.own = requireNonNull(own, "own is null");
        this.storedNodes = requireNonNull(storedNodes, "storedNodes is null");
        this.nodes = requireNonNull(nodes, "nodes is null");
        this.buffers = requireNonNull(buffers, "buffers is null");
        for (int node = 0; node < nodes.size(); node++) {
            if (nodes.get(node).isPresent()) {
                readNodes.set(storedNodes.stored(node).orElseThrow());
            }
        }
    }

    @Override
    public ColumnStatistics statistics(int segment)
            throws IOException
    {
        return own.statistics(segment);
    }

    @Override
    public List<ColumnStatistics> runStatistics(int segment)
            throws IOException
    {
        return own.runStatistics(segment);
    }

    @Override
    public AlbisDataException invalid(int segment, Exception cause)
    {
        return own.invalid(segment, cause);
    }

    @Override
    public ChunkReader chunks()
    {
        return own.chunks();
    }

    @Override
    public void startSegment(int segment)
            throws IOException
    {
        this.segment = segment;
        sizeChecked = false;
        own.startSegment(segment);
        for (Optional<NodeReader> node : nodes) {
            if (node.isPresent()) {
                node.get().startSegment(segment);
            }
        }
        decoder = access.isPresent() ? NodeDecoder.create(column.type(), access.get(), new Sources()) : NodeDecoder.create(column.type(), new Sources());
        countMemory();
    }

    private void countMemory()
    {
        long bytes = decoder.retainedSize();
        buffers.countOther(bytes - countedBytes);
        countedBytes = bytes;
    }

    @Override
    public void readAgain(boolean again)
    {
        this.again = again;
        own.readAgain(again);
    }

    @Override
    public void pass(int run)
    {
        chunks().pass(run);
        if (run >= Segment.MAX_RUNS) {
            releaseElements();
        }
    }

    private void releaseElements()
    {
        for (Optional<NodeReader> node : nodes) {
            node.ifPresent(NodeReader::release);
        }
    }

    @Override
    public Block read(SegmentRows rows)
            throws IOException
    {
        if (!sizeChecked) {
            metadata.checkSize(part, segment, readNodes::get);
            sizeChecked = true;
        }
        NodeRows requested = request(rows);
        try {
            Block block = decoder.decode(requested);
            releaseElements();
            if (!again) {
                chunks().pass(rows.lastRun() + 1);
            }
            return block;
        }
        catch (IllegalArgumentException | IndexOutOfBoundsException | ArithmeticException e) {
            throw invalid(segment, e);
        }
        finally {
            countMemory();
        }
    }

    private static NodeRows request(SegmentRows rows)
    {
        NodeRows requested = new NodeRows();
        if (rows.isRun()) {
            requested.add(0, rows.get(0), rows.get(0) + rows.count());
            return requested;
        }
        for (RunRows part : rows.byRun()) {
            if (part.ranges().isPresent()) {
                RowRanges ranges = part.ranges().get();
                int first = part.run() * Run.MAX_ROWS;
                for (int range = 0; range < ranges.size(); range++) {
                    requested.add(0, first + ranges.begin(range), first + ranges.end(range));
                }
            }
            else {
                for (int i = part.begin(); i < part.end(); i++) {
                    requested.add(0, rows.get(i), rows.get(i) + 1);
                }
            }
        }
        return requested;
    }

    @Override
    public int select(FilterState filter, int run, int[] rows, int count)
            throws IOException
    {
        if (access.isEmpty()) {
            return own.select(filter, run, rows, count);
        }
        return filter.select(FlatBlocks.flat(read(inSegment(run, rows, count)), 0, count), rows, count);
    }

    private SegmentRows inSegment(int run, int[] rows, int count)
    {
        if (count == Segment.runRows(metadata.segmentRows()[segment], run)) {
            return SegmentRows.ofRun(run, count);
        }
        int[] segmentRows = new int[count];
        for (int i = 0; i < count; i++) {
            segmentRows[i] = run * Run.MAX_ROWS + rows[i];
        }
        return SegmentRows.ofRows(segmentRows);
    }

    private final class Sources
            implements NodeDecoder.Sources
    {
        @Override
        public Optional<NodeSource> source(int node)
        {
            return nodes.get(node).map(reader -> reader);
        }

        @Override
        public Optional<Widening> widening(int node)
        {
            return storedNodes.widening(node);
        }
    }
}
