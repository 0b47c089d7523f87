package io.albis.format.column;

import io.albis.format.layout.block.node.NodeSource;
import io.albis.format.metadata.ColumnGroupMetadata;
import io.albis.format.request.ChunkReader;
import io.albis.format.run.ChunkSource;
import io.albis.format.run.NodeSegment;

import java.io.IOException;

import static java.util.Objects.requireNonNull;

/**
 * Reads the chunks of one node of a nested column.
 */
public final class NodeReader
        implements NodeSource
{
    private static final int NONE = -1;

    private final ColumnGroupMetadata metadata;
    private final int node;
    private final ChunkReader chunks;
    // whether the reader of the column starts the only chunk of each segment
    private final boolean root;
    private int segment;
    private int chunk = NONE;

    /**
     * Creates a reader that is at no segment yet.
     *
     * @param node number of the node in the column group
     */
    public NodeReader(ColumnGroupMetadata metadata, int node, ChunkReader chunks, boolean root)
    {
        this.metadata = requireNonNull(metadata, "metadata is null");
        this.node = node;
        this.chunks = requireNonNull(chunks, "chunks is null");
        this.root = root;
    }

    void startSegment(int segment)
    {
        this.segment = segment;
        release();
        chunk = NONE;
    }

    @Override
    public NodeSegment segment()
            throws IOException
    {
        return metadata.node(node, segment);
    }

    @Override
    public ChunkSource open(int index, int runs)
            throws IOException
    {
        if (!root) {
            if (chunk != index) {
                chunks.start(segment, segment().chunks().get(index), segment().chunkRows(index));
                chunk = index;
            }
            chunks.retainOnly(runs);
        }
        return chunks;
    }

    /**
     * Releases the bytes of the current chunk. The reader remains at this chunk, because another page of the segment
     * may need other runs, but not the dictionary again.
     */
    void release()
    {
        if (!root && chunk != NONE) {
            chunks.retainOnly(0);
        }
    }
}
