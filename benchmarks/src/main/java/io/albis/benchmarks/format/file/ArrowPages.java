package io.albis.benchmarks.format.file;

import com.google.common.collect.ImmutableList;
import com.google.common.io.Closer;
import io.albis.benchmarks.format.data.Column;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import jakarta.annotation.Nullable;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Reads batches of Arrow vectors and returns one page per batch.
 */
class ArrowPages
        implements Pages
{
    private final ArrowReader reader;
    private final Function<FieldVector, Block> toBlock;
    private final List<Closeable> resources;

    /**
     * Reads all batches.
     *
     * @param resources what to close after the reader, in this order
     */
    public ArrowPages(ArrowReader reader, Function<FieldVector, Block> toBlock, Closeable... resources)
    {
        this.reader = requireNonNull(reader, "reader is null");
        this.toBlock = requireNonNull(toBlock, "toBlock is null");
        this.resources = ImmutableList.copyOf(resources);
    }

    /**
     * Checks that a scan reads all columns of all rows.
     */
    public static void checkAll(Scan scan, List<Column> columns)
    {
        checkArgument(scan.equals(Scan.all(columns.size())), "only whole tables can be read");
    }

    @Nullable
    @Override
    public Page next()
            throws IOException
    {
        return reader.loadNextBatch() ? page(reader.getVectorSchemaRoot(), toBlock) : null;
    }

    /**
     * Converts the batch that the vectors contain.
     */
    public static Page page(VectorSchemaRoot root, Function<FieldVector, Block> toBlock)
    {
        Block[] blocks = new Block[root.getFieldVectors().size()];
        for (int channel = 0; channel < blocks.length; channel++) {
            blocks[channel] = toBlock.apply(root.getVector(channel));
        }
        return new Page(root.getRowCount(), blocks);
    }

    @Override
    public void close()
            throws IOException
    {
        try (Closer closer = Closer.create()) {
            // The last one that is registered is closed first
            resources.reversed().forEach(closer::register);
            closer.register(reader::close);
        }
    }
}
