package io.albis.benchmarks.format.file;

import io.albis.benchmarks.format.data.Column;
import io.trino.spi.Page;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.lance.file.LanceFileReader;
import org.lance.file.LanceFileWriter;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;

import static com.google.common.base.Throwables.throwIfInstanceOf;
import static com.google.common.base.Throwables.throwIfUnchecked;

/**
 * Lance files as its Java library writes and reads them, without the manifest of a dataset. The library is native. It
 * takes and returns Arrow vectors through the C data interface, and decodes on threads of its own.
 */
record LanceFormat()
        implements FileFormat
{
    private static final String FILE = "file.lance";

    @Override
    public void write(Path folder, List<Column> columns, Iterator<Page> pages)
            throws IOException
    {
        try (BufferAllocator allocator = new RootAllocator();
                VectorSchemaRoot root = VectorSchemaRoot.create(ArrowBatches.schema(columns), allocator)) {
            LanceFileWriter writer = LanceFileWriter.open(path(folder), allocator, null);
            try (Closeable _ = () -> close(writer)) {
                ArrowBatches.write(root, columns, pages, () -> writer.write(root));
            }
        }
    }

    @Override
    public StoredTable open(Path folder, List<Column> columns)
    {
        return scan -> {
            ArrowPages.checkAll(scan, columns);
            BufferAllocator allocator = new RootAllocator();
            LanceFileReader file = LanceFileReader.open(path(folder), allocator);
            return new ArrowPages(file.readAll(null, null, NumberColumn.PAGE_ROWS), ArrowBlocks::copy, () -> close(file), allocator::close);
        };
    }

    @Override
    public boolean hasThreads()
    {
        return true;
    }

    private static String path(Path folder)
    {
        return folder.resolve(FILE).toAbsolutePath().toString();
    }

    private static void close(AutoCloseable resource)
            throws IOException
    {
        try {
            resource.close();
        }
        catch (Exception e) {
            throwIfInstanceOf(e, IOException.class);
            throwIfUnchecked(e);
            throw new IOException(e);
        }
    }
}
