package io.albis.trino.pushdown;

import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.ValueSet;
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
 * Finds values that do not equal themselves: arrays, maps, and rows with a null or NaN in them.
 */
final class NestedValues
{
    private static final TypeOperators TYPE_OPERATORS = new TypeOperators();

    private NestedValues() {}

    /**
     * Returns whether each value that a domain names equals itself.
     */
    static boolean equalThemselves(Domain domain)
    {
        Type type = domain.getType();
        if (!(type instanceof ArrayType || type instanceof MapType || type instanceof RowType)) {
            return true;
        }
        MethodHandle equal = TYPE_OPERATORS.getEqualOperator(type, simpleConvention(NULLABLE_RETURN, NEVER_NULL, NEVER_NULL));
        return values(domain.getValues()).allMatch(value -> equalsItself(equal, value));
    }

    private static Stream<Object> values(ValueSet values)
    {
        return values.getValuesProcessor().transform(
                ranges -> ranges.getOrderedRanges().stream()
                        .flatMap(range -> Stream.of(range.getLowValue(), range.getHighValue()))
                        .flatMap(Optional::stream),
                discreteValues -> discreteValues.getValues().stream(),
                _ -> Stream.empty());
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
