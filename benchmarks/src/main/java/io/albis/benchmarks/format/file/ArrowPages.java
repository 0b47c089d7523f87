package io.albis.benchmarks.format.file;

import io.albis.benchmarks.format.data.Column;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import jakarta.annotation.Nullable;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowFileReader;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Reads an Arrow file and returns one page per batch.
 */
class ArrowPages
        implements Pages
{
    private final Function<FieldVector, Block> toBlock;
    private final BufferAllocator allocator = new RootAllocator();
    private final ArrowFileReader reader;

    public ArrowPages(Path file, List<Column> columns, Scan scan, Function<FieldVector, Block> toBlock)
            throws IOException
    {
        checkArgument(scan.equals(Scan.all(columns.size())), "only whole tables can be read");
        this.toBlock = requireNonNull(toBlock, "toBlock is null");
        this.reader = new ArrowFileReader(FileChannel.open(file), allocator);
    }

    @Nullable
    @Override
    public Page next()
            throws IOException
    {
        if (!reader.loadNextBatch()) {
            return null;
        }
        VectorSchemaRoot root = reader.getVectorSchemaRoot();
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
        // Closing the reader also closes the file
        reader.close();
        allocator.close();
    }
}
