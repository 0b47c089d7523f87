package io.albis.benchmarks.format.file;

import io.albis.benchmarks.format.data.Column;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.type.Type;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.spi.type.IntegerType.INTEGER;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

/**
 * The Arrow IPC file format without compression. Each batch has as many rows as a page. Decimals are stored as int64,
 * which can be copied in bulk, because Arrow's decimal of 16 bytes cannot.
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
        // Suppresses messages about how Arrow accesses memory
        LOGGER.setLevel(Level.WARNING);
    }

    @Override
    public void write(Path folder, List<Column> columns, Iterator<Page> pages)
            throws IOException
    {
        Schema schema = new Schema(columns.stream()
                .map(ArrowFormat::field)
                .collect(toImmutableList()));
        try (BufferAllocator allocator = new RootAllocator();
                VectorSchemaRoot root = VectorSchemaRoot.create(schema, allocator);
                FileChannel channel = FileChannel.open(folder.resolve(FILE), CREATE, WRITE);
                ArrowFileWriter writer = new ArrowFileWriter(root, null, channel)) {
            while (pages.hasNext()) {
                Page page = pages.next();
                for (int offset = 0; offset < page.getPositionCount(); offset += NumberColumn.PAGE_ROWS) {
                    int rows = Math.min(NumberColumn.PAGE_ROWS, page.getPositionCount() - offset);
                    for (int column = 0; column < columns.size(); column++) {
                        fill(root.getVector(column), columns.get(column).type(), page.getBlock(column), offset, rows);
                    }
                    root.setRowCount(rows);
                    writer.writeBatch();
                }
            }
        }
    }

    private static Field field(Column column)
    {
        return Field.nullable(column.name(), new ArrowType.Int(column.type().equals(INTEGER) ? Integer.SIZE : Long.SIZE, true));
    }

    private static void fill(FieldVector vector, Type type, Block block, int offset, int rows)
    {
        vector.reset();
        vector.setInitialCapacity(rows);
        vector.allocateNew();
        for (int row = 0; row < rows; row++) {
            int position = offset + row;
            if (block.isNull(position)) {
                vector.setNull(row);
            }
            else if (vector instanceof IntVector ints) {
                ints.set(row, (int) type.getLong(block, position));
            }
            else {
                ((BigIntVector) vector).set(row, type.getLong(block, position));
            }
        }
        vector.setValueCount(rows);
    }

    @Override
    public StoredTable open(Path folder, List<Column> columns)
    {
        return scan -> new ArrowPages(folder.resolve(FILE), columns, scan, bulk ? ArrowBlocks::copy : ArrowBlocks::gather);
    }
}
