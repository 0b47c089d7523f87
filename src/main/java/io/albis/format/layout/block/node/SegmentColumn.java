package io.albis.format.layout.block.node;

import com.google.common.collect.ImmutableList;
import io.albis.format.layout.block.ColumnEncoder;
import io.albis.format.run.ChunkOutput;
import io.albis.format.run.NodeChunks;
import io.trino.spi.block.ValueBlock;

import java.io.IOException;
import java.util.List;

import static java.util.Objects.requireNonNull;

/**
 * Collects one column of a segment, which can be nested.
 */
sealed interface SegmentColumn
        permits NestedColumn,
                SegmentColumn.Scalar
{
    /**
     * Returns how many of the given rows can be appended without exceeding a number of bytes, based on their size in
     * memory.
     *
     * @param limit number of bytes; may be negative
     */
    int rowsThatFit(ValueBlock block, int offset, int count, long limit);

    void append(ValueBlock block, int offset, int count);

    /**
     * Returns the size of the appended values in bytes, based on their size in memory.
     */
    long size();

    /**
     * Writes all rows, and starts a new segment.
     *
     * @return the nodes of the column in pre-order; one for a scalar column
     */
    List<NodeChunks> finish(ChunkOutput output)
            throws IOException;

    long retainedSize();

    /**
     * A column that is a single node.
     */
    record Scalar(ColumnEncoder encoder)
            implements SegmentColumn
    {
        public Scalar
        {
            requireNonNull(encoder, "encoder is null");
        }

        @Override
        public int rowsThatFit(ValueBlock block, int offset, int count, long limit)
        {
            return encoder.rowsThatFit(block, offset, count, limit);
        }

        @Override
        public void append(ValueBlock block, int offset, int count)
        {
            encoder.append(block, offset, count);
        }

        @Override
        public long size()
        {
            return encoder.size();
        }

        @Override
        public List<NodeChunks> finish(ChunkOutput output)
                throws IOException
        {
            return ImmutableList.of(NodeChunks.of(encoder.finish(output)));
        }

        @Override
        public long retainedSize()
        {
            return encoder.retainedSize();
        }
    }
}
