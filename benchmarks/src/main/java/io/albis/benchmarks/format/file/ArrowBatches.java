package io.albis.benchmarks.format.file;

import io.albis.benchmarks.format.data.Column;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.type.Type;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

import java.io.IOException;
import java.util.Iterator;
import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.spi.type.IntegerType.INTEGER;

/**
 * Converts pages into batches of Arrow vectors, each of as many rows as a page. A decimal becomes an int64, which can
 * be copied in bulk, because Arrow's decimal of 16 bytes cannot.
 */
final class ArrowBatches
{
    private ArrowBatches() {}

    public static Schema schema(List<Column> columns)
    {
        return new Schema(columns.stream()
                .map(ArrowBatches::field)
                .collect(toImmutableList()));
    }

    private static Field field(Column column)
    {
        return Field.nullable(column.name(), new ArrowType.Int(column.type().equals(INTEGER) ? Integer.SIZE : Long.SIZE, true));
    }

    /**
     * Fills the vectors with each batch and passes it on.
     */
    public static void write(VectorSchemaRoot root, List<Column> columns, Iterator<Page> pages, BatchWriter writer)
            throws IOException
    {
        while (pages.hasNext()) {
            Page page = pages.next();
            for (int offset = 0; offset < page.getPositionCount(); offset += NumberColumn.PAGE_ROWS) {
                int rows = Math.min(NumberColumn.PAGE_ROWS, page.getPositionCount() - offset);
                for (int column = 0; column < columns.size(); column++) {
                    fill(root.getVector(column), columns.get(column).type(), page.getBlock(column), offset, rows);
                }
                root.setRowCount(rows);
                writer.write();
            }
        }
    }

    private static void fill(FieldVector vector, Type type, Block block, int offset, int rows)
    {
        vector.setInitialCapacity(rows);
        // Another buffer for each batch: a native library may still read the previous one
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

    /**
     * Writes the batch that the vectors contain.
     */
    interface BatchWriter
    {
        void write()
                throws IOException;
    }
}
