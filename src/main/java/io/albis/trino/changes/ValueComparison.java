package io.albis.trino.changes;

import io.albis.format.type.EqualValues;
import io.trino.spi.block.Block;
import io.trino.spi.block.SqlMap;
import io.trino.spi.block.SqlRow;
import io.trino.spi.type.ArrayType;
import io.trino.spi.type.DoubleType;
import io.trino.spi.type.MapType;
import io.trino.spi.type.RealType;
import io.trino.spi.type.RowType;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeOperators;

import java.lang.invoke.MethodHandle;
import java.util.List;

import static com.google.common.base.Throwables.throwIfUnchecked;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.spi.function.InvocationConvention.InvocationArgumentConvention.BLOCK_POSITION;
import static io.trino.spi.function.InvocationConvention.InvocationReturnConvention.FAIL_ON_NULL;
import static io.trino.spi.function.InvocationConvention.simpleConvention;
import static java.lang.Double.doubleToLongBits;
import static java.lang.Float.floatToRawIntBits;

/**
 * Decides whether two values of a type are the same to a user who looks at them. Values that SQL takes as equal can be
 * different, as {@link EqualValues} says. So the bits of numbers are compared, the time zones of times and instants,
 * and the entries of maps in their order. All NaN of {@code double} are the same, because the engine writes them with
 * the same bits, but not those of {@code real}.
 */
@FunctionalInterface
interface ValueComparison
{
    boolean isSame(Block left, int leftPosition, Block right, int rightPosition);

    static ValueComparison of(Type type, TypeOperators typeOperators)
    {
        if (!EqualValues.canDiffer(type)) {
            return identical(type, typeOperators);
        }
        return nullable(switch (type) {
            case DoubleType doubles -> (left, leftPosition, right, rightPosition) ->
                    doubleToLongBits(doubles.getDouble(left, leftPosition)) == doubleToLongBits(doubles.getDouble(right, rightPosition));
            case RealType reals -> (left, leftPosition, right, rightPosition) ->
                    floatToRawIntBits(reals.getFloat(left, leftPosition)) == floatToRawIntBits(reals.getFloat(right, rightPosition));
            case RowType rows -> rows(rows, typeOperators);
            case ArrayType arrays -> arrays(arrays, typeOperators);
            case MapType maps -> maps(maps, typeOperators);
            default -> type.getJavaType() == long.class ?
                    (left, leftPosition, right, rightPosition) -> type.getLong(left, leftPosition) == type.getLong(right, rightPosition) :
                    // these compare the time zone, too
                    (left, leftPosition, right, rightPosition) -> type.getObject(left, leftPosition).equals(type.getObject(right, rightPosition));
        });
    }

    private static ValueComparison nullable(ValueComparison values)
    {
        return (left, leftPosition, right, rightPosition) -> {
            boolean isNull = left.isNull(leftPosition);
            if (isNull || right.isNull(rightPosition)) {
                return isNull == right.isNull(rightPosition);
            }
            return values.isSame(left, leftPosition, right, rightPosition);
        };
    }

    private static ValueComparison rows(RowType type, TypeOperators typeOperators)
    {
        List<ValueComparison> fields = type.getFieldTypes().stream()
                .map(field -> of(field, typeOperators))
                .collect(toImmutableList());
        return (left, leftPosition, right, rightPosition) -> {
            SqlRow leftRow = type.getObject(left, leftPosition);
            SqlRow rightRow = type.getObject(right, rightPosition);
            for (int field = 0; field < fields.size(); field++) {
                if (!fields.get(field).isSame(leftRow.getRawFieldBlock(field), leftRow.getRawIndex(), rightRow.getRawFieldBlock(field), rightRow.getRawIndex())) {
                    return false;
                }
            }
            return true;
        };
    }

    private static ValueComparison arrays(ArrayType type, TypeOperators typeOperators)
    {
        ValueComparison elements = of(type.getElementType(), typeOperators);
        return (left, leftPosition, right, rightPosition) -> {
            Block leftArray = type.getObject(left, leftPosition);
            Block rightArray = type.getObject(right, rightPosition);
            return leftArray.getPositionCount() == rightArray.getPositionCount() &&
                    elements.areSame(leftArray, 0, rightArray, 0, leftArray.getPositionCount());
        };
    }

    private static ValueComparison maps(MapType type, TypeOperators typeOperators)
    {
        ValueComparison keys = of(type.getKeyType(), typeOperators);
        ValueComparison values = of(type.getValueType(), typeOperators);
        return (left, leftPosition, right, rightPosition) -> {
            SqlMap leftMap = type.getObject(left, leftPosition);
            SqlMap rightMap = type.getObject(right, rightPosition);
            return leftMap.getSize() == rightMap.getSize() &&
                    keys.areSame(leftMap.getRawKeyBlock(), leftMap.getRawOffset(), rightMap.getRawKeyBlock(), rightMap.getRawOffset(), leftMap.getSize()) &&
                    values.areSame(leftMap.getRawValueBlock(), leftMap.getRawOffset(), rightMap.getRawValueBlock(), rightMap.getRawOffset(), leftMap.getSize());
        };
    }

    private boolean areSame(Block left, int leftOffset, Block right, int rightOffset, int count)
    {
        for (int position = 0; position < count; position++) {
            if (!isSame(left, leftOffset + position, right, rightOffset + position)) {
                return false;
            }
        }
        return true;
    }

    private static ValueComparison identical(Type type, TypeOperators typeOperators)
    {
        MethodHandle operator = typeOperators.getIdenticalOperator(type, simpleConvention(FAIL_ON_NULL, BLOCK_POSITION, BLOCK_POSITION));
        return (left, leftPosition, right, rightPosition) -> {
            try {
                return (boolean) operator.invokeExact(left, leftPosition, right, rightPosition);
            }
            catch (Throwable e) {
                throwIfUnchecked(e);
                throw new RuntimeException(e);
            }
        };
    }
}
