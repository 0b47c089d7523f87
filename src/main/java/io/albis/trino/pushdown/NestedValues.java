package io.albis.trino.pushdown;

import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.Ranges;
import io.trino.spi.type.ArrayType;
import io.trino.spi.type.MapType;
import io.trino.spi.type.RowType;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeOperators;

import java.lang.invoke.MethodHandle;
import java.util.Optional;
import java.util.stream.Stream;

import static com.google.common.base.Throwables.throwIfUnchecked;
import static io.trino.spi.function.InvocationConvention.InvocationArgumentConvention.NEVER_NULL;
import static io.trino.spi.function.InvocationConvention.InvocationReturnConvention.NULLABLE_RETURN;
import static io.trino.spi.function.InvocationConvention.simpleConvention;

/**
 * Finds domains of arrays, maps, and rows that the engine does not turn into the condition from which it has got them.
 * It always compares with {@code =} and {@code <>}, also if the query has {@code IS NOT DISTINCT FROM} or
 * {@code IS DISTINCT FROM}. These give other results for a value with a null or NaN in it, which does not equal itself,
 * and for two values of which one has a null where they differ.
 */
final class NestedValues
{
    private static final TypeOperators TYPE_OPERATORS = new TypeOperators();

    private NestedValues() {}

    /**
     * Returns whether the engine turns a domain into a condition that the same values of a column meet.
     */
    static boolean isCondition(Domain domain)
    {
        Type type = domain.getType();
        if (!(type instanceof ArrayType || type instanceof MapType || type instanceof RowType)) {
            return true;
        }
        return domain.getValues().getValuesProcessor().<Boolean>transform(
                ranges -> !excludesValues(ranges) && equalThemselves(type, bounds(ranges)),
                values -> (values.isInclusive() || values.getValues().isEmpty()) && equalThemselves(type, values.getValues().stream()),
                _ -> true);
    }

    private static boolean excludesValues(Ranges ranges)
    {
        return ranges.getRangeCount() > 1 && !ranges.getOrderedRanges().stream().allMatch(Range::isSingleValue);
    }

    private static Stream<Object> bounds(Ranges ranges)
    {
        return ranges.getOrderedRanges().stream()
                .flatMap(range -> Stream.of(range.getLowValue(), range.getHighValue()))
                .flatMap(Optional::stream);
    }

    private static boolean equalThemselves(Type type, Stream<Object> values)
    {
        MethodHandle equal = TYPE_OPERATORS.getEqualOperator(type, simpleConvention(NULLABLE_RETURN, NEVER_NULL, NEVER_NULL));
        return values.allMatch(value -> equalsItself(equal, value));
    }

    private static boolean equalsItself(MethodHandle equal, Object value)
    {
        try {
            return Boolean.TRUE.equals(equal.invoke(value, value));
        }
        catch (Throwable failure) {
            throwIfUnchecked(failure);
            throw new RuntimeException(failure);
        }
    }
}
