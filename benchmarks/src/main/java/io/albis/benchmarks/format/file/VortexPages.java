package io.albis.benchmarks.format.file;

import dev.vortex.api.DataSource;
import dev.vortex.api.Scan;
import dev.vortex.api.ScanOptions;
import dev.vortex.api.Session;
import io.trino.spi.Page;
import jakarta.annotation.Nullable;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;

import java.io.IOException;

/**
 * Reads a Vortex file and returns one page per batch, with the number of rows that the library chooses.
 */
class VortexPages
        implements Pages
{
    private final BufferAllocator allocator = new RootAllocator();
    private final Scan partitions;
    @Nullable
    private ArrowReader partition;

    public VortexPages(String uri)
    {
        this.partitions = DataSource.open(Session.create(), uri).scan(ScanOptions.of());
    }

    @Nullable
    @Override
    public Page next()
            throws IOException
    {
        while (true) {
            if (partition == null) {
                if (!partitions.hasNext()) {
                    return null;
                }
                partition = partitions.next().scanArrow(allocator);
            }
            if (partition.loadNextBatch()) {
                return ArrowPages.page(partition.getVectorSchemaRoot(), ArrowBlocks::copy);
            }
            closePartition();
        }
    }

    private void closePartition()
            throws IOException
    {
        if (partition != null) {
            partition.close();
            partition = null;
        }
    }

    @Override
    public void close()
            throws IOException
    {
        closePartition();
        allocator.close();
    }
}
