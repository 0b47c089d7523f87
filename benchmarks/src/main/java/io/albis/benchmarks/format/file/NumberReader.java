package io.albis.benchmarks.format.file;

import io.trino.spi.block.Block;
import io.trino.spi.block.IntArrayBlock;
import io.trino.spi.block.LongArrayBlock;
import io.trino.spi.type.Type;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

import java.util.Optional;

import static io.trino.spi.type.IntegerType.INTEGER;
import static java.util.Objects.requireNonNull;

/**
 * Reads blocks of numbers from a column reader of parquet-java. A null has a definition level below the maximum.
 */
class NumberReader
{
    private final ColumnReader reader;
    private final int maximumLevel;
    private final boolean wide;
    // Short decimals of up to 9 digits are stored as int32
    private final boolean storedWide;

    public NumberReader(ColumnReader reader, Type type)
    {
        this.reader = requireNonNull(reader, "reader is null");
        this.maximumLevel = reader.getDescriptor().getMaxDefinitionLevel();
        this.wide = !type.equals(INTEGER);
        this.storedWide = reader.getDescriptor().getPrimitiveType().getPrimitiveTypeName() == PrimitiveTypeName.INT64;
    }

    public Block read(int rows)
    {
        long[] valid = new long[(rows + Long.SIZE - 1) / Long.SIZE];
        if (!wide) {
            int[] values = new int[rows];
            return new IntArrayBlock(rows, validity(valid, readInts(values, valid)), values);
        }
        long[] values = new long[rows];
        int nulls = storedWide ? readLongs(values, valid) : readWidened(values, valid);
        return new LongArrayBlock(rows, validity(valid, nulls), values);
    }

    private static Optional<long[]> validity(long[] valid, int nulls)
    {
        return nulls == 0 ? Optional.empty() : Optional.of(valid);
    }

    private int readInts(int[] values, long[] valid)
    {
        int nulls = 0;
        for (int row = 0; row < values.length; row++) {
            if (reader.getCurrentDefinitionLevel() == maximumLevel) {
                values[row] = reader.getInteger();
                valid[row / Long.SIZE] |= 1L << row;
            }
            else {
                nulls++;
            }
            reader.consume();
        }
        return nulls;
    }

    private int readLongs(long[] values, long[] valid)
    {
        int nulls = 0;
        for (int row = 0; row < values.length; row++) {
            if (reader.getCurrentDefinitionLevel() == maximumLevel) {
                values[row] = reader.getLong();
                valid[row / Long.SIZE] |= 1L << row;
            }
            else {
                nulls++;
            }
            reader.consume();
        }
        return nulls;
    }

    private int readWidened(long[] values, long[] valid)
    {
        int nulls = 0;
        for (int row = 0; row < values.length; row++) {
            if (reader.getCurrentDefinitionLevel() == maximumLevel) {
                values[row] = reader.getInteger();
                valid[row / Long.SIZE] |= 1L << row;
            }
            else {
                nulls++;
            }
            reader.consume();
        }
        return nulls;
    }
}
