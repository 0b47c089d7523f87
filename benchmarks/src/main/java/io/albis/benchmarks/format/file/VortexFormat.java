package io.albis.benchmarks.format.file;

import com.google.common.collect.ImmutableMap;
import dev.vortex.api.Session;
import dev.vortex.api.VortexWriter;
import io.albis.benchmarks.format.data.Column;
import io.trino.spi.Page;
import org.apache.arrow.c.ArrowArray;
import org.apache.arrow.c.ArrowSchema;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;

/**
 * Vortex files as its Java library writes and reads them. The library is native. It takes and returns Arrow vectors
 * through the C data interface, and decodes on the thread that asks for a batch.
 */
record VortexFormat()
        implements FileFormat
{
    private static final String FILE = "file.vortex";

    @Override
    public void write(Path folder, List<Column> columns, Iterator<Page> pages)
            throws IOException
    {
        Schema schema = ArrowBatches.schema(columns);
        // The writer gets an allocator that is never closed, because it does not release its copy of the schema
        try (BufferAllocator allocator = new RootAllocator();
                VectorSchemaRoot root = VectorSchemaRoot.create(schema, allocator);
                VortexWriter writer = VortexWriter.create(Session.create(), uri(folder), schema, ImmutableMap.of(), new RootAllocator())) {
            ArrowBatches.write(root, columns, pages, () -> write(root, allocator, writer));
        }
    }

    private static void write(VectorSchemaRoot root, BufferAllocator allocator, VortexWriter writer)
            throws IOException
    {
        try (ArrowArray array = ArrowArray.allocateNew(allocator);
                ArrowSchema schema = ArrowSchema.allocateNew(allocator)) {
            Data.exportVectorSchemaRoot(allocator, root, null, array, schema);
            writer.writeBatch(array.memoryAddress(), schema.memoryAddress());
            // The library takes the array and only reads the schema
            schema.release();
        }
    }

    @Override
    public StoredTable open(Path folder, List<Column> columns)
    {
        return scan -> {
            ArrowPages.checkAll(scan, columns);
            return new VortexPages(uri(folder));
        };
    }

    private static String uri(Path folder)
    {
        return folder.resolve(FILE).toAbsolutePath().toUri().toString();
    }
}
