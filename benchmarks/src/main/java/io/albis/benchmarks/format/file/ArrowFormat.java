package io.albis.benchmarks.format.file;

import io.albis.benchmarks.format.data.Column;
import io.trino.spi.Page;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.ipc.ArrowFileWriter;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

/**
 * The Arrow IPC file format without compression, in batches of as many rows as a page.
 *
 * @param bulk whether entire arrays are copied, rather than single values
 */
record ArrowFormat(boolean bulk)
        implements FileFormat
{
    private static final String FILE = "file.arrow";
    // The logger is kept in a field, because a logger without references is garbage collected and loses its level
    private static final Logger LOGGER = Logger.getLogger("org.apache.arrow");

    static {
        // Suppresses messages about how Arrow accesses memory, also in the other formats that use it
        LOGGER.setLevel(Level.WARNING);
    }

    @Override
    public void write(Path folder, List<Column> columns, Iterator<Page> pages)
            throws IOException
    {
        try (BufferAllocator allocator = new RootAllocator();
                VectorSchemaRoot root = VectorSchemaRoot.create(ArrowBatches.schema(columns), allocator);
                FileChannel channel = FileChannel.open(folder.resolve(FILE), CREATE, WRITE);
                ArrowFileWriter writer = new ArrowFileWriter(root, null, channel)) {
            ArrowBatches.write(root, columns, pages, writer::writeBatch);
        }
    }

    @Override
    public StoredTable open(Path folder, List<Column> columns)
    {
        return scan -> {
            ArrowPages.checkAll(scan, columns);
            BufferAllocator allocator = new RootAllocator();
            // Closing the reader also closes the file
            ArrowFileReader reader = new ArrowFileReader(FileChannel.open(folder.resolve(FILE)), allocator);
            return new ArrowPages(reader, bulk ? ArrowBlocks::copy : ArrowBlocks::gather, allocator::close);
        };
    }
}
