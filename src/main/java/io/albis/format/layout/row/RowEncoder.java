package io.albis.format.layout.row;

import io.albis.format.run.RowTooLargeException;
import io.albis.format.type.StorageType;
import io.trino.spi.block.ByteArrayBlock;
import io.trino.spi.block.Fixed12Block;
import io.trino.spi.block.Int128ArrayBlock;
import io.trino.spi.block.IntArrayBlock;
import io.trino.spi.block.LongArrayBlock;
import io.trino.spi.block.ShortArrayBlock;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.block.VariableWidthBlock;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Encodes blocks as rows, column by column, so that the type of a column is tested once for many rows.
 */
public final class RowEncoder
{
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final RowStructure structure;
    private final byte[] fullBitmap;
    // for each row, the offset of the row and the offset of the unused part of its variable area
    private int[] rowOffsets = new int[0];
    private int[] variableOffsets = new int[0];

    public RowEncoder(RowStructure structure)
    {
        this.structure = structure;
        this.fullBitmap = new byte[structure.bitmapSize()];
        for (int column = 0; column < structure.columns().size(); column++) {
            fullBitmap[column / Byte.SIZE] |= (byte) RowStructure.bitmapMask(column);
        }
    }

    /**
     * Computes the size of each row in bytes. Not required if no column has a variable width.
     *
     * @param blocks one block for each column of the rows
     * @param count number of rows
     * @param sizes receives the size of each row
     * @throws RowTooLargeException if a row is larger than {@link RowTooLargeException#MAX_SIZE}
     */
    public void sizes(ValueBlock[] blocks, int count, int[] sizes)
    {
        for (int row = 0; row < count; row++) {
            sizes[row] = structure.fixedSize();
        }
        for (int column = 0; column < blocks.length; column++) {
            if (structure.columns().get(column).isVariableWidth()) {
                VariableWidthBlock block = (VariableWidthBlock) blocks[column];
                boolean nullable = block.mayHaveNull();
                for (int row = 0; row < count; row++) {
                    if (nullable && block.isNull(row)) {
                        continue;
                    }
                    int length = block.getSliceLength(row);
                    if (length > RowTooLargeException.MAX_SIZE - sizes[row]) {
                        throw new RowTooLargeException((long) sizes[row] + length);
                    }
                    sizes[row] += length;
                }
            }
        }
    }

    /**
     * Writes contiguous rows.
     *
     * @param blocks one block for each column of the rows
     * @param offset position of the first row in the blocks
     * @param count number of rows
     * @param sizes result of {@link #sizes}, by position in the blocks; not used if no column has a variable width
     * @return offset after the last row in the output
     */
    public int encode(ValueBlock[] blocks, int offset, int count, int[] sizes, byte[] output, int outputOffset)
    {
        int end = startRows(offset, count, sizes, output, outputOffset);
        for (int column = 0; column < blocks.length; column++) {
            ValueBlock block = blocks[column];
            if (block.mayHaveNull()) {
                clearNulls(column, block, offset, count, output);
            }
            int slot = structure.slotOffset(column);
            switch (structure.columns().get(column)) {
                case BYTE -> {
                    ByteArrayBlock values = (ByteArrayBlock) block;
                    for (int row = 0; row < count; row++) {
                        output[rowOffsets[row] + slot] = values.getByte(offset + row);
                    }
                }
                case SHORT -> {
                    ShortArrayBlock values = (ShortArrayBlock) block;
                    for (int row = 0; row < count; row++) {
                        SHORT.set(output, rowOffsets[row] + slot, values.getShort(offset + row));
                    }
                }
                case INT -> {
                    IntArrayBlock values = (IntArrayBlock) block;
                    for (int row = 0; row < count; row++) {
                        INT.set(output, rowOffsets[row] + slot, values.getInt(offset + row));
                    }
                }
                case LONG -> {
                    LongArrayBlock values = (LongArrayBlock) block;
                    for (int row = 0; row < count; row++) {
                        LONG.set(output, rowOffsets[row] + slot, values.getLong(offset + row));
                    }
                }
                case FIXED12 -> {
                    Fixed12Block values = (Fixed12Block) block;
                    for (int row = 0; row < count; row++) {
                        LONG.set(output, rowOffsets[row] + slot, values.getFixed12First(offset + row));
                        INT.set(output, rowOffsets[row] + slot + Long.BYTES, values.getFixed12Second(offset + row));
                    }
                }
                case INT128 -> {
                    Int128ArrayBlock values = (Int128ArrayBlock) block;
                    for (int row = 0; row < count; row++) {
                        LONG.set(output, rowOffsets[row] + slot, values.getInt128High(offset + row));
                        LONG.set(output, rowOffsets[row] + slot + Long.BYTES, values.getInt128Low(offset + row));
                    }
                }
                case VARIABLE -> encodeVariable((VariableWidthBlock) block, slot, offset, count, output);
            }
            if (block.mayHaveNull()) {
                zeroNulls(structure.columns().get(column), slot, block, offset, count, output);
            }
        }
        return end;
    }

    private int startRows(int offset, int count, int[] sizes, byte[] output, int outputOffset)
    {
        if (rowOffsets.length < count) {
            rowOffsets = new int[count];
            variableOffsets = new int[count];
        }
        int rowOffset = outputOffset;
        for (int row = 0; row < count; row++) {
            rowOffsets[row] = rowOffset;
            int size = structure.fixedSize();
            if (structure.isVariable()) {
                size = sizes[offset + row];
                INT.set(output, rowOffset, size);
                variableOffsets[row] = structure.fixedSize();
            }
            System.arraycopy(fullBitmap, 0, output, rowOffset + structure.bitmapOffset(), fullBitmap.length);
            rowOffset += size;
        }
        return rowOffset;
    }

    private void encodeVariable(VariableWidthBlock values, int slot, int offset, int count, byte[] output)
    {
        byte[] bytes = values.getRawSlice().byteArray();
        int base = values.getRawSlice().byteArrayOffset();
        boolean nullable = values.mayHaveNull();
        for (int row = 0; row < count; row++) {
            if (nullable && values.isNull(offset + row)) {
                continue;
            }
            int length = values.getSliceLength(offset + row);
            int rowOffset = rowOffsets[row];
            int variableOffset = variableOffsets[row];
            INT.set(output, rowOffset + slot, variableOffset);
            INT.set(output, rowOffset + slot + Integer.BYTES, length);
            System.arraycopy(bytes, base + values.getRawSliceOffset(offset + row), output, rowOffset + variableOffset, length);
            variableOffsets[row] = variableOffset + length;
        }
    }

    private void clearNulls(int column, ValueBlock block, int offset, int count, byte[] output)
    {
        int bitmapByte = structure.bitmapByte(column);
        int mask = RowStructure.bitmapMask(column);
        for (int row = 0; row < count; row++) {
            if (block.isNull(offset + row)) {
                output[rowOffsets[row] + bitmapByte] &= (byte) ~mask;
            }
        }
    }

    // The content of a block at a null position is undefined. Zeros ensure that equal rows have equal bytes.
    private void zeroNulls(StorageType storageType, int slot, ValueBlock block, int offset, int count, byte[] output)
    {
        for (int row = 0; row < count; row++) {
            if (block.isNull(offset + row)) {
                int begin = rowOffsets[row] + slot;
                for (int i = begin; i < begin + storageType.slotSize(); i++) {
                    output[i] = 0;
                }
            }
        }
    }
}
