package io.albis.format;

import io.trino.spi.block.ArrayBlock;
import io.trino.spi.block.Block;
import io.trino.spi.block.MapBlock;
import io.trino.spi.block.RowBlock;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeUtils;

import java.util.List;
import java.util.Objects;

/**
 * Compares nested values. Unlike the operators of the types, it distinguishes zeros with different signs.
 */
public final class BlockEquality
{
    private BlockEquality() {}

    public static boolean isEqual(Type type, Block left, int leftPosition, Block right, int rightPosition)
    {
        if (left.isNull(leftPosition) || right.isNull(rightPosition)) {
            return left.isNull(leftPosition) && right.isNull(rightPosition);
        }
        ValueBlock leftValues = left.getUnderlyingValueBlock();
        ValueBlock rightValues = right.getUnderlyingValueBlock();
        int leftIndex = left.getUnderlyingValuePosition(leftPosition);
        int rightIndex = right.getUnderlyingValuePosition(rightPosition);
        List<Type> children = type.getTypeParameters();
        return switch (leftValues) {
            case RowBlock rows -> {
                for (int field = 0; field < children.size(); field++) {
                    if (!isEqual(children.get(field), rows.getFieldBlock(field), leftIndex, ((RowBlock) rightValues).getFieldBlock(field), rightIndex)) {
                        yield false;
                    }
                }
                yield true;
            }
            case ArrayBlock arrays -> areEqual(children.getFirst(), arrays.getArray(leftIndex), ((ArrayBlock) rightValues).getArray(rightIndex));
            case MapBlock maps -> {
                MapBlock others = (MapBlock) rightValues;
                // the order of the entries is kept
                yield areEqual(children.getFirst(), keys(maps, leftIndex), keys(others, rightIndex)) && areEqual(children.getLast(), values(maps, leftIndex), values(others, rightIndex));
            }
            default -> Objects.equals(TypeUtils.readNativeValue(type, left, leftPosition), TypeUtils.readNativeValue(type, right, rightPosition));
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

    private static boolean areEqual(Type type, Block left, Block right)
    {
        if (left.getPositionCount() != right.getPositionCount()) {
            return false;
        }
        for (int position = 0; position < left.getPositionCount(); position++) {
            if (!isEqual(type, left, position, right, position)) {
                return false;
            }
        }
        return true;
    }
}
