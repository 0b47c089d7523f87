package io.albis.format.type;

import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.trino.spi.block.ByteArrayBlock;
import io.trino.spi.block.Fixed12Block;
import io.trino.spi.block.Int128ArrayBlock;
import io.trino.spi.block.IntArrayBlock;
import io.trino.spi.block.LongArrayBlock;
import io.trino.spi.block.ShortArrayBlock;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.block.VariableWidthBlock;

import java.util.Arrays;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Converts single values to and from the bytes that represent them on storage. Used for bounds and constants, not for
 * rows.
 */
public final class StoredValues
{
    private StoredValues() {}

    /**
     * Returns the bytes of a value that is not null.
     *
     * @throws IllegalArgumentException if the value is null
     */
    public static byte[] toBytes(ValueBlock block, int position)
    {
        checkArgument(!block.isNull(position), "position %s is null", position);
        return switch (block) {
            case ByteArrayBlock values -> new byte[] {values.getByte(position)};
            case ShortArrayBlock values -> {
                Slice bytes = Slices.allocate(Short.BYTES);
                bytes.setShort(0, values.getShort(position));
                yield bytes.byteArray();
            }
            case IntArrayBlock values -> {
                Slice bytes = Slices.allocate(Integer.BYTES);
                bytes.setInt(0, values.getInt(position));
                yield bytes.byteArray();
            }
            case LongArrayBlock values -> {
                Slice bytes = Slices.allocate(Long.BYTES);
                bytes.setLong(0, values.getLong(position));
                yield bytes.byteArray();
            }
            case Fixed12Block values -> {
                Slice bytes = Slices.allocate(Long.BYTES + Integer.BYTES);
                bytes.setLong(0, values.getFixed12First(position));
                bytes.setInt(Long.BYTES, values.getFixed12Second(position));
                yield bytes.byteArray();
            }
            case Int128ArrayBlock values -> {
                Slice bytes = Slices.allocate(2 * Long.BYTES);
                bytes.setLong(0, values.getInt128High(position));
                bytes.setLong(Long.BYTES, values.getInt128Low(position));
                yield bytes.byteArray();
            }
            case VariableWidthBlock values -> values.getSlice(position).getBytes();
            default -> throw new IllegalArgumentException("Unsupported block: " + block);
        };
    }

    /**
     * Creates a block with a single value of up to 8 bytes.
     */
    public static ValueBlock ofInteger(StorageType storageType, long value)
    {
        Slice bytes = Slices.allocate(Long.BYTES);
        bytes.setLong(0, value);
        return toBlock(storageType, Arrays.copyOf(bytes.byteArray(), storageType.slotSize()));
    }

    /**
     * Creates a block with the single value that {@link #toBytes} returned.
     *
     * @throws IllegalArgumentException if the number of bytes does not match the storage type
     */
    public static ValueBlock toBlock(StorageType storageType, byte[] bytes)
    {
        checkArgument(storageType.isVariableWidth() || storageType.slotSize() == bytes.length, "a value of %s bytes is not valid for storage type %s", bytes.length, storageType);
        Slice slice = Slices.wrappedBuffer(bytes);
        return switch (storageType) {
            case BYTE -> new ByteArrayBlock(1, Optional.empty(), bytes);
            case SHORT -> new ShortArrayBlock(1, Optional.empty(), new short[] {slice.getShort(0)});
            case INT -> new IntArrayBlock(1, Optional.empty(), new int[] {slice.getInt(0)});
            case LONG -> new LongArrayBlock(1, Optional.empty(), new long[] {slice.getLong(0)});
            case FIXED12 -> new Fixed12Block(1, Optional.empty(), new int[] {slice.getInt(0), slice.getInt(4), slice.getInt(8)});
            case INT128 -> new Int128ArrayBlock(1, Optional.empty(), new long[] {slice.getLong(0), slice.getLong(8)});
            case VARIABLE -> new VariableWidthBlock(1, slice, new int[] {0, bytes.length}, Optional.empty());
        };
    }
}
