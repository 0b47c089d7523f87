package io.albis.format.layout.row;

import io.airlift.slice.Slices;
import io.trino.spi.block.Block;
import io.trino.spi.block.ByteArrayBlock;
import io.trino.spi.block.Fixed12Block;
import io.trino.spi.block.Int128ArrayBlock;
import io.trino.spi.block.IntArrayBlock;
import io.trino.spi.block.LongArrayBlock;
import io.trino.spi.block.ShortArrayBlock;
import io.trino.spi.block.VariableWidthBlock;
import jakarta.annotation.Nullable;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Optional;

import static io.trino.spi.block.Bitmap.wordsForBits;

/**
 * Decodes columns from the rows of one run, directly into the arrays of blocks.
 * <p>
 * Sizes, offsets, and lengths are checked against the run. Rows that are damaged in spite of a matching checksum
 * therefore cause an {@link IllegalArgumentException}, and never a value from another place.
 */
public final class RowDecoder
{
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final RowStructure structure;
    private final byte[] bytes;
    private final int begin;
    // offset of each row relative to the first one
    private final int[] rowOffsets;

    /**
     * Finds the rows in a run, and checks their sizes.
     *
     * @param bytes array that contains the run; not copied
     * @param offset offset of the first byte of the run
     * @param length length of the run in bytes
     * @param rows number of rows of the run
     * @throws IllegalArgumentException if the run does not consist of this number of rows
     */
    public RowDecoder(RowStructure structure, byte[] bytes, int offset, int length, int rows)
    {
        this.structure = structure;
        this.bytes = bytes;
        this.begin = offset;
        this.rowOffsets = structure.isVariable() ? variableRowOffsets(length, rows) : fixedRowOffsets(length, rows);
    }

    private int[] fixedRowOffsets(int length, int rows)
    {
        if (length != (long) rows * structure.fixedSize()) {
            throw new IllegalArgumentException("%s rows of %s bytes do not match the run of %s bytes".formatted(rows, structure.fixedSize(), length));
        }
        return structure.fixedRowOffsets(rows);
    }

    private int[] variableRowOffsets(int length, int rows)
    {
        int[] offsets = new int[rows];
        int rowOffset = 0;
        for (int row = 0; row < rows; row++) {
            offsets[row] = rowOffset;
            int left = length - rowOffset;
            if (left < structure.fixedSize()) {
                throw new IllegalArgumentException("row %s begins %s bytes before the end of its run, but needs at least %s bytes".formatted(row, left, structure.fixedSize()));
            }
            int size = (int) INT.get(bytes, begin + rowOffset);
            if (size < structure.fixedSize() || size > left) {
                throw new IllegalArgumentException("row %s has an invalid size of %s bytes".formatted(row, size));
            }
            rowOffset += size;
        }
        if (rowOffset != length) {
            throw new IllegalArgumentException("%s unexpected bytes after %s rows".formatted(length - rowOffset, rows));
        }
        return offsets;
    }

    /**
     * Decodes one column of the rows at {@code positions}.
     *
     * @param column index of the column in the rows
     * @param positions rows within the run, or null for all rows
     * @param count number of rows to decode
     * @param mayHaveNull false if the column is known to have no nulls
     * @throws IllegalArgumentException if a value is not within its row
     */
    public Block decode(int column, @Nullable int[] positions, int count, boolean mayHaveNull)
    {
        int[] offsets = rowOffsets;
        if (positions != null) {
            offsets = new int[count];
            for (int i = 0; i < count; i++) {
                offsets[i] = rowOffsets[positions[i]];
            }
        }
        Optional<long[]> valid = mayHaveNull ? valid(column, offsets, count) : Optional.empty();
        int slot = begin + structure.slotOffset(column);
        return switch (structure.columns().get(column)) {
            case BYTE -> {
                byte[] values = new byte[count];
                for (int i = 0; i < count; i++) {
                    values[i] = bytes[offsets[i] + slot];
                }
                yield new ByteArrayBlock(count, valid, values);
            }
            case SHORT -> {
                short[] values = new short[count];
                for (int i = 0; i < count; i++) {
                    values[i] = (short) SHORT.get(bytes, offsets[i] + slot);
                }
                yield new ShortArrayBlock(count, valid, values);
            }
            case INT -> {
                int[] values = new int[count];
                for (int i = 0; i < count; i++) {
                    values[i] = (int) INT.get(bytes, offsets[i] + slot);
                }
                yield new IntArrayBlock(count, valid, values);
            }
            case LONG -> {
                long[] values = new long[count];
                for (int i = 0; i < count; i++) {
                    values[i] = (long) LONG.get(bytes, offsets[i] + slot);
                }
                yield new LongArrayBlock(count, valid, values);
            }
            case FIXED12 -> {
                int[] values = new int[3 * count];
                for (int i = 0; i < count; i++) {
                    int value = offsets[i] + slot;
                    values[3 * i] = (int) INT.get(bytes, value);
                    values[3 * i + 1] = (int) INT.get(bytes, value + Integer.BYTES);
                    values[3 * i + 2] = (int) INT.get(bytes, value + 2 * Integer.BYTES);
                }
                yield new Fixed12Block(count, valid, values);
            }
            case INT128 -> {
                long[] values = new long[2 * count];
                for (int i = 0; i < count; i++) {
                    int value = offsets[i] + slot;
                    values[2 * i] = (long) LONG.get(bytes, value);
                    values[2 * i + 1] = (long) LONG.get(bytes, value + Long.BYTES);
                }
                yield new Int128ArrayBlock(count, valid, values);
            }
            case VARIABLE -> decodeVariable(offsets, slot, count, valid);
        };
    }

    // A null has length 0 and offset 0, so that nulls need no branch here.
    private VariableWidthBlock decodeVariable(int[] offsets, int slot, int count, Optional<long[]> valid)
    {
        int[] valueOffsets = new int[count + 1];
        long size = 0;
        for (int i = 0; i < count; i++) {
            int offset = (int) INT.get(bytes, offsets[i] + slot);
            int length = (int) INT.get(bytes, offsets[i] + slot + Integer.BYTES);
            int rowSize = (int) INT.get(bytes, begin + offsets[i]);
            if ((offset | length) < 0 || offset > rowSize - length) {
                throw new IllegalArgumentException("a value of %s bytes at offset %s exceeds its row of %s bytes".formatted(length, offset, rowSize));
            }
            if (offset < structure.fixedSize() && length > 0) {
                throw new IllegalArgumentException("a value of %s bytes at offset %s begins before the variable area of its row, which is at %s".formatted(length, offset, structure.fixedSize()));
            }
            size += length;
            if (size > Integer.MAX_VALUE - 8) {
                throw new IllegalArgumentException("the values of a run exceed 2 GB");
            }
            valueOffsets[i + 1] = (int) size;
        }
        byte[] values = new byte[(int) size];
        for (int i = 0; i < count; i++) {
            int offset = (int) INT.get(bytes, offsets[i] + slot);
            System.arraycopy(bytes, begin + offsets[i] + offset, values, valueOffsets[i], valueOffsets[i + 1] - valueOffsets[i]);
        }
        return new VariableWidthBlock(count, Slices.wrappedBuffer(values), valueOffsets, valid);
    }

    private Optional<long[]> valid(int column, int[] offsets, int count)
    {
        int bitmapByte = begin + structure.bitmapByte(column);
        int shift = column % Byte.SIZE;
        long[] words = new long[wordsForBits(count)];
        boolean nulls = false;
        for (int word = 0; word < words.length; word++) {
            int first = word * Long.SIZE;
            int end = Math.min(first + Long.SIZE, count);
            long bits = 0;
            for (int i = first; i < end; i++) {
                bits |= (long) ((bytes[offsets[i] + bitmapByte] >> shift) & 1) << (i - first);
            }
            words[word] = bits;
            nulls |= Long.bitCount(bits) != end - first;
        }
        return nulls ? Optional.of(words) : Optional.empty();
    }

    /**
     * Returns the memory of this object in bytes, excluding the run itself.
     */
    public long retainedSize()
    {
        return (long) rowOffsets.length * Integer.BYTES;
    }
}
