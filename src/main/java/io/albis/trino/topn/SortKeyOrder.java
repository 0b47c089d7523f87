package io.albis.trino.topn;

import io.albis.format.type.OrderKeys;
import io.trino.spi.block.Block;
import io.trino.spi.connector.SortOrder;
import io.trino.spi.type.RealType;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeOperators;

import java.lang.invoke.MethodHandle;

import static com.google.common.base.Throwables.throwIfUnchecked;
import static io.trino.spi.function.InvocationConvention.InvocationArgumentConvention.BLOCK_POSITION;
import static io.trino.spi.function.InvocationConvention.InvocationArgumentConvention.NEVER_NULL;
import static io.trino.spi.function.InvocationConvention.InvocationReturnConvention.FAIL_ON_NULL;
import static io.trino.spi.function.InvocationConvention.simpleConvention;
import static io.trino.spi.type.TypeUtils.readNativeValue;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static java.lang.Float.floatToIntBits;
import static java.lang.invoke.MethodType.methodType;
import static java.util.Objects.requireNonNull;

/**
 * The order of the values of a sort key, which is that of the engine.
 */
public final class SortKeyOrder
{
    private static final TypeOperators OPERATORS = new TypeOperators();

    private final Type type;
    private final SortOrder order;
    private final MethodHandle comparison;
    private final MethodHandle valueComparison;

    public SortKeyOrder(Type type, SortOrder order)
    {
        this.type = requireNonNull(type, "type is null");
        this.order = requireNonNull(order, "order is null");
        comparison = OPERATORS.getOrderingOperator(type, order, simpleConvention(FAIL_ON_NULL, BLOCK_POSITION, BLOCK_POSITION));
        valueComparison = OPERATORS.getComparisonUnorderedLastOperator(type, simpleConvention(FAIL_ON_NULL, NEVER_NULL, NEVER_NULL))
                .asType(methodType(long.class, Object.class, Object.class));
    }

    /**
     * Compares two values, which can be null. The lesser one comes first.
     */
    public int compare(Block left, int leftPosition, Block right, int rightPosition)
    {
        try {
            return (int) comparison.invokeExact(left, leftPosition, right, rightPosition);
        }
        catch (Throwable e) {
            throwIfUnchecked(e);
            throw new IllegalStateException(e);
        }
    }

    /**
     * Compares two native values that are neither null nor NaN, without blocks.
     */
    int compareValues(Object left, Object right)
    {
        try {
            int ascending = Long.signum((long) valueComparison.invokeExact(left, right));
            return order.isAscending() ? ascending : -ascending;
        }
        catch (Throwable e) {
            throwIfUnchecked(e);
            throw new IllegalStateException(e);
        }
    }

    Type type()
    {
        return type;
    }

    boolean isAscending()
    {
        return order.isAscending();
    }

    boolean isNullsFirst()
    {
        return order.isNullsFirst();
    }

    boolean hasNaN()
    {
        return OrderKeys.of(type).isFloatingPoint();
    }

    /**
     * Returns whether NaN comes before all numbers.
     */
    boolean isNaNFirst()
    {
        return hasNaN() && compare(toBlock(Double.NaN), 0, toBlock(isAscending() ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY), 0) < 0;
    }

    boolean isNaN(Block block, int position)
    {
        return hasNaN() && !block.isNull(position) && Double.isNaN(toDouble(readNativeValue(type, block, position)));
    }

    /**
     * Returns the native value of a number.
     */
    Object floatingPoint(double value)
    {
        return type instanceof RealType ? (Object) (long) floatToIntBits((float) value) : (Object) value;
    }

    private Block toBlock(double value)
    {
        return writeNativeValue(type, floatingPoint(value));
    }

    private double toDouble(Object value)
    {
        return type instanceof RealType ? Float.intBitsToFloat((int) (long) value) : (double) value;
    }
}
