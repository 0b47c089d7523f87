package io.albis.format;

import io.albis.format.type.NestedTypes;
import io.trino.spi.block.ArrayBlock;
import io.trino.spi.block.Block;
import io.trino.spi.block.MapBlock;
import io.trino.spi.block.RowBlock;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeUtils;

import java.util.List;
import java.util.Objects;
import java.util.function.IntPredicate;

/**
 * Compares nested values with those that were written. Unlike the operators of the types, it distinguishes zeros with
 * different signs.
 */
public final class BlockEquality
{
    private final IntPredicate selected;

    /**
     * @param selected the nodes that were read, by their number in pre-order; the values of the others must be null
     */
    public BlockEquality(IntPredicate selected)
    {
        this.selected = selected;
    }

    public boolean isEqual(Type type, Block read, int readPosition, Block written, int writtenPosition)
    {
        return isEqual(type, 0, read, readPosition, written, writtenPosition);
    }

    private boolean isEqual(Type type, int node, Block read, int readPosition, Block written, int writtenPosition)
    {
        if (!selected.test(node)) {
            return read.isNull(readPosition);
        }
        if (read.isNull(readPosition) || written.isNull(writtenPosition)) {
            return read.isNull(readPosition) && written.isNull(writtenPosition);
        }
        ValueBlock readValues = read.getUnderlyingValueBlock();
        ValueBlock writtenValues = written.getUnderlyingValueBlock();
        int readIndex = read.getUnderlyingValuePosition(readPosition);
        int writtenIndex = written.getUnderlyingValuePosition(writtenPosition);
        List<Type> children = type.getTypeParameters();
        return switch (readValues) {
            case RowBlock rows -> {
                RowBlock others = (RowBlock) writtenValues;
                int child = node + 1;
                for (int field = 0; field < children.size(); field++) {
                    if (!isEqual(children.get(field), child, rows.getRawFieldBlock(field), rows.getOffsetBase() + readIndex, others.getRawFieldBlock(field), others.getOffsetBase() + writtenIndex)) {
                        yield false;
                    }
                    child += NestedTypes.nodes(children.get(field));
                }
                yield true;
            }
            case ArrayBlock arrays -> areEqual(children.getFirst(), node + 1, arrays.getArray(readIndex), ((ArrayBlock) writtenValues).getArray(writtenIndex));
            case MapBlock maps -> {
                MapBlock others = (MapBlock) writtenValues;
                // the order of the entries is kept
                yield areEqual(children.getFirst(), node + 1, keys(maps, readIndex), keys(others, writtenIndex)) &&
                        areEqual(children.getLast(), node + 1 + NestedTypes.nodes(children.getFirst()), values(maps, readIndex), values(others, writtenIndex));
            }
            default -> Objects.equals(TypeUtils.readNativeValue(type, read, readPosition), TypeUtils.readNativeValue(type, written, writtenPosition));
        };
    }

    private static Block keys(MapBlock maps, int index)
    {
        return maps.getMap(index).getRawKeyBlock().getRegion(maps.getMap(index).getRawOffset(), maps.getMap(index).getSize());
    }

    private static Block values(MapBlock maps, int index)
    {
        return maps.getMap(index).getRawValueBlock().getRegion(maps.getMap(index).getRawOffset(), maps.getMap(index).getSize());
    }

    private boolean areEqual(Type type, int node, Block read, Block written)
    {
        if (read.getPositionCount() != written.getPositionCount()) {
            return false;
        }
        for (int position = 0; position < read.getPositionCount(); position++) {
            if (!isEqual(type, node, read, position, written, position)) {
                return false;
            }
        }
        return true;
    }
}
