package io.albis.trino.changes;

import io.albis.format.type.EqualValues;
import io.trino.spi.block.Block;
import io.trino.spi.type.DoubleType;
import io.trino.spi.type.RealType;
import io.trino.spi.type.TimestampWithTimeZoneType;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeOperators;

import java.lang.invoke.MethodHandle;
import java.util.Objects;

import static com.google.common.base.Throwables.throwIfUnchecked;
import static io.trino.spi.function.InvocationConvention.InvocationArgumentConvention.BLOCK_POSITION;
import static io.trino.spi.function.InvocationConvention.InvocationReturnConvention.FAIL_ON_NULL;
import static io.trino.spi.function.InvocationConvention.simpleConvention;
import static java.lang.Double.doubleToLongBits;
import static java.lang.Float.floatToIntBits;

/**
 * Decides whether two values of a type are the same to a user who looks at them. Values that SQL takes as equal can be
 * different: 0.0 and -0.0, or the same instant in two time zones.
 */
@FunctionalInterface
interface ValueComparison
{
    boolean isSame(Block left, int leftPosition, Block right, int rightPosition);

    static ValueComparison of(Type type, TypeOperators typeOperators)
    {
        return switch (type) {
            case DoubleType doubles -> nullable((left, leftPosition, right, rightPosition) ->
                    doubleToLongBits(doubles.getDouble(left, leftPosition)) == doubleToLongBits(doubles.getDouble(right, rightPosition)));
            case RealType reals -> nullable((left, leftPosition, right, rightPosition) ->
                    floatToIntBits(reals.getFloat(left, leftPosition)) == floatToIntBits(reals.getFloat(right, rightPosition)));
            case TimestampWithTimeZoneType timestamps when timestamps.isShort() -> nullable((left, leftPosition, right, rightPosition) ->
                    timestamps.getLong(left, leftPosition) == timestamps.getLong(right, rightPosition));
            default -> EqualValues.canDiffer(type) ? objects(type) : identical(type, typeOperators);
        };
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

    private static ValueComparison objects(Type type)
    {
        return (left, leftPosition, right, rightPosition) -> Objects.equals(type.getObjectValue(left, leftPosition), type.getObjectValue(right, rightPosition));
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
