package io.albis.format.type;

import io.trino.spi.block.ArrayBlock;
import io.trino.spi.block.Block;
import io.trino.spi.block.ByteArrayBlock;
import io.trino.spi.block.Fixed12Block;
import io.trino.spi.block.Int128ArrayBlock;
import io.trino.spi.block.IntArrayBlock;
import io.trino.spi.block.LongArrayBlock;
import io.trino.spi.block.MapBlock;
import io.trino.spi.block.RowBlock;
import io.trino.spi.block.ShortArrayBlock;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.block.VariableWidthBlock;
import io.trino.spi.type.Type;

import java.util.List;

/**
 * The size of nested values in memory, without dictionaries and run-length encoding: the sum of the sizes of all values
 * in the tree of nodes.
 */
public final class NestedSizes
{
    private NestedSizes() {}

    /**
     * Returns the size of a value in bytes.
     */
    public static long size(Type type, Block block, int position)
    {
        ValueBlock values = block.getUnderlyingValueBlock();
        int index = block.getUnderlyingValuePosition(position);
        boolean isNull = values.isNull(index);
        List<Type> children = NestedTypes.children(type);
        return switch (values) {
            case RowBlock rows -> {
                long size = NestedKind.ROW.storageType().slotSize();
                for (int field = 0; field < children.size(); field++) {
                    size += isNull ? nullSize(children.get(field)) : size(children.get(field), rows.getRawFieldBlock(field), rows.getOffsetBase() + index);
                }
                yield size;
            }
            case ArrayBlock arrays -> {
                int base = arrays.getOffsetBase() + index;
                int[] offsets = arrays.getRawOffsets();
                yield NestedKind.ARRAY.storageType().slotSize() + (isNull ? 0 : rangeSize(children.getFirst(), arrays.getRawElementBlock(), offsets[base], offsets[base + 1]));
            }
            case MapBlock maps -> {
                int base = maps.getOffsetBase() + index;
                int[] offsets = maps.getRawOffsets();
                long size = NestedKind.MAP.storageType().slotSize();
                if (!isNull) {
                    size += rangeSize(children.getFirst(), maps.getRawKeyBlock(), offsets[base], offsets[base + 1]);
                    size += rangeSize(children.getLast(), maps.getRawValueBlock(), offsets[base], offsets[base + 1]);
                }
                yield size;
            }
            case VariableWidthBlock texts -> Integer.BYTES + (isNull ? 0 : texts.getSliceLength(index));
            case ByteArrayBlock _, Fixed12Block _, Int128ArrayBlock _, IntArrayBlock _, LongArrayBlock _, ShortArrayBlock _ -> StorageType.of(type).slotSize();
            // ValueBlock is not sealed, so the compiler does not point out a new block
            default -> throw new IllegalArgumentException("Unsupported block: " + values);
        };
    }

    private static long rangeSize(Type type, Block block, int begin, int end)
    {
        if (!NestedTypes.isNested(type) && !StorageType.of(type).isVariableWidth()) {
            return (long) (end - begin) * StorageType.of(type).slotSize();
        }
        long size = 0;
        for (int position = begin; position < end; position++) {
            size += size(type, block, position);
        }
        return size;
    }

    private static long nullSize(Type type)
    {
        long size = memorySize(NestedTypes.storageType(type));
        if (NestedKind.of(type).orElse(null) == NestedKind.ROW) {
            for (Type child : NestedTypes.children(type)) {
                size += nullSize(child);
            }
        }
        return size;
    }

    /**
     * Returns the size of a value of a node in bytes, without the bytes of a text and without children.
     */
    public static int memorySize(StorageType storageType)
    {
        return switch (storageType) {
            case BYTE, SHORT, INT, LONG, FIXED12, INT128 -> storageType.slotSize();
            case VARIABLE -> Integer.BYTES;
        };
    }
}
