package io.albis.format.layout.row;

import com.google.common.collect.ImmutableList;
import io.albis.format.type.StorageType;

import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * The structure of a row (Albis paper, section 3.1 and Figure 4):
 * {@code [size, only if there are variable-width columns][null bitmap][fixed area][variable area]}. Offsets are
 * relative to the first byte of the row, and the size includes its own bytes; see {@code docs/format.md}.
 */
public final class RowStructure
{
    static final int SIZE_BYTES = Integer.BYTES;

    private final List<StorageType> columns;
    private final int[] slotOffsets;
    private final int bitmapOffset;
    private final int fixedSize;
    private final boolean variable;
    // cached, because all runs without variable-width columns have the same offsets
    private int[] fixedRowOffsets = new int[0];

    /**
     * Computes where the parts of a row with these columns begin.
     *
     * @param columns storage types of the columns; at least one
     */
    public RowStructure(List<StorageType> columns)
    {
        this.columns = ImmutableList.copyOf(columns);
        checkArgument(!columns.isEmpty(), "columns is empty");
        this.variable = columns.stream().anyMatch(StorageType::isVariableWidth);
        this.bitmapOffset = variable ? SIZE_BYTES : 0;
        this.slotOffsets = new int[columns.size()];
        int offset = bitmapOffset + bitmapSize();
        for (int column = 0; column < slotOffsets.length; column++) {
            slotOffsets[column] = offset;
            offset += columns.get(column).slotSize();
        }
        this.fixedSize = offset;
    }

    public List<StorageType> columns()
    {
        return columns;
    }

    /**
     * Returns whether rows have a size prefix and a variable area.
     */
    public boolean isVariable()
    {
        return variable;
    }

    /**
     * Returns the size of a row in bytes, excluding its variable area.
     */
    public int fixedSize()
    {
        return fixedSize;
    }

    /**
     * Returns the offsets of at least {@code rows} rows relative to the first one, for rows without variable-width
     * columns. Callers must not modify the array. Not thread safe.
     */
    int[] fixedRowOffsets(int rows)
    {
        if (fixedRowOffsets.length < rows) {
            int[] offsets = new int[rows];
            for (int row = 0; row < rows; row++) {
                offsets[row] = row * fixedSize;
            }
            fixedRowOffsets = offsets;
        }
        return fixedRowOffsets;
    }

    int bitmapOffset()
    {
        return bitmapOffset;
    }

    int bitmapSize()
    {
        return (columns.size() + Byte.SIZE - 1) / Byte.SIZE;
    }

    int slotOffset(int column)
    {
        return slotOffsets[column];
    }

    /**
     * Returns the offset within the row of the bitmap byte that contains the bit of {@code column}.
     */
    int bitmapByte(int column)
    {
        return bitmapOffset + column / Byte.SIZE;
    }

    /**
     * Returns the bit of {@code column} in its bitmap byte. The bit is set if there is a value.
     */
    static int bitmapMask(int column)
    {
        return 1 << (column % Byte.SIZE);
    }
}
