package io.albis.benchmarks.format.file;

import io.trino.spi.block.Block;
import io.trino.spi.block.IntArrayBlock;
import io.trino.spi.block.LongArrayBlock;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;

import java.nio.ByteBuffer;
import java.util.Optional;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * Converts Arrow vectors into Trino blocks.
 */
final class ArrowBlocks
{
    private ArrowBlocks() {}

    /**
     * Copies entire arrays. The validity bitmap of Arrow has the same bits as that of Trino.
     */
    public static Block copy(FieldVector vector)
    {
        int count = vector.getValueCount();
        Optional<long[]> valid = vector.getNullCount() == 0 ? Optional.empty() : Optional.of(copyLongs(vector.getValidityBuffer(), (count + Long.SIZE - 1) / Long.SIZE));
        if (vector instanceof IntVector) {
            int[] values = new int[count];
            bytes(vector.getDataBuffer(), (long) count * Integer.BYTES).asIntBuffer().get(values);
            return new IntArrayBlock(count, valid, values);
        }
        return new LongArrayBlock(count, valid, copyLongs(vector.getDataBuffer(), count));
    }

    private static long[] copyLongs(ArrowBuf buffer, int count)
    {
        long[] longs = new long[count];
        // The bitmap may end in the middle of a word
        long bytes = Math.min((long) count * Long.BYTES, buffer.capacity());
        ByteBuffer source = bytes(buffer, bytes);
        int whole = (int) bytes / Long.BYTES;
        source.asLongBuffer().get(longs, 0, whole);
        for (int i = whole * Long.BYTES; i < bytes; i++) {
            longs[whole] |= (source.get(i) & 0xFFL) << (i * Byte.SIZE);
        }
        return longs;
    }

    private static ByteBuffer bytes(ArrowBuf buffer, long length)
    {
        return buffer.nioBuffer(0, (int) length).order(LITTLE_ENDIAN);
    }

    /**
     * Copies single values with the accessor methods of the vector.
     */
    public static Block gather(FieldVector vector)
    {
        int count = vector.getValueCount();
        long[] valid = new long[(count + Long.SIZE - 1) / Long.SIZE];
        if (vector instanceof IntVector ints) {
            int[] values = new int[count];
            int nulls = 0;
            for (int position = 0; position < count; position++) {
                if (ints.isNull(position)) {
                    nulls++;
                }
                else {
                    values[position] = ints.get(position);
                    valid[position / Long.SIZE] |= 1L << position;
                }
            }
            return new IntArrayBlock(count, nulls == 0 ? Optional.empty() : Optional.of(valid), values);
        }
        BigIntVector longs = (BigIntVector) vector;
        long[] values = new long[count];
        int nulls = 0;
        for (int position = 0; position < count; position++) {
            if (longs.isNull(position)) {
                nulls++;
            }
            else {
                values[position] = longs.get(position);
                valid[position / Long.SIZE] |= 1L << position;
            }
        }
        return new LongArrayBlock(count, nulls == 0 ? Optional.empty() : Optional.of(valid), values);
    }
}
