package io.albis.trino.pushdown;

import com.google.common.collect.ImmutableMap;
import io.trino.spi.expression.Call;
import io.trino.spi.expression.ConnectorExpression;
import io.trino.spi.expression.Constant;
import io.trino.spi.expression.FunctionName;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.ValueSet;
import io.trino.spi.type.Type;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

import static io.trino.spi.expression.StandardFunctions.ARRAY_CONSTRUCTOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.BETWEEN_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.EQUAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.GREATER_THAN_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.GREATER_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.IDENTICAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.IN_PREDICATE_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.IS_NULL_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.LESS_THAN_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.LESS_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.NOT_EQUAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.NOT_FUNCTION_NAME;
import static io.trino.spi.type.BooleanType.BOOLEAN;
import static io.trino.spi.type.TypeUtils.isFloatingPointNaN;
import static io.trino.spi.type.TypeUtils.typeHasNaN;
import static java.util.Objects.requireNonNull;

/**
 * Finds the values for which a comparison with constants is true or false. For other values it is null. The engine
 * finds domains itself, but neither those of the parts of an OR over several columns nor those of calls.
 *
 * @param <T> what is compared
 */
final class ConstantComparisons<T>
{
    private static final Map<FunctionName, BiFunction<Type, Object, Range>> RANGES = ImmutableMap.of(
            LESS_THAN_OPERATOR_FUNCTION_NAME, Range::lessThan,
            LESS_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME, Range::lessThanOrEqual,
            GREATER_THAN_OPERATOR_FUNCTION_NAME, Range::greaterThan,
            GREATER_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME, Range::greaterThanOrEqual);

    private static final Map<FunctionName, FunctionName> FLIPPED = ImmutableMap.of(
            EQUAL_OPERATOR_FUNCTION_NAME, EQUAL_OPERATOR_FUNCTION_NAME,
            NOT_EQUAL_OPERATOR_FUNCTION_NAME, NOT_EQUAL_OPERATOR_FUNCTION_NAME,
            IDENTICAL_OPERATOR_FUNCTION_NAME, IDENTICAL_OPERATOR_FUNCTION_NAME,
            LESS_THAN_OPERATOR_FUNCTION_NAME, GREATER_THAN_OPERATOR_FUNCTION_NAME,
            LESS_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME, GREATER_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME,
            GREATER_THAN_OPERATOR_FUNCTION_NAME, LESS_THAN_OPERATOR_FUNCTION_NAME,
            GREATER_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME, LESS_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME);

    private final Function<ConnectorExpression, Optional<T>> targets;

    /**
     * @param targets returns what an expression stands for; empty if comparisons with it do not matter
     */
    ConstantComparisons(Function<ConnectorExpression, Optional<T>> targets)
    {
        this.targets = requireNonNull(targets, "targets is null");
    }

    /**
     * The values for which an expression has a result.
     *
     * @param domain contains all of these values
     * @param isExact whether it contains no others
     */
    record Comparison<T>(T target, Domain domain, boolean isExact)
    {
        Comparison
        {
            requireNonNull(target, "target is null");
            requireNonNull(domain, "domain is null");
        }
    }

    /**
     * Finds the values for which an expression has a result.
     *
     * @param result true or false
     * @return empty if the expression is no comparison of a target with constants of the same type
     */
    Optional<Comparison<T>> find(ConnectorExpression expression, boolean result)
    {
        if (expression instanceof Call call) {
            FunctionName function = call.getFunctionName();
            List<ConnectorExpression> arguments = call.getArguments();
            if (function.equals(NOT_FUNCTION_NAME)) {
                return find(arguments.getFirst(), !result);
            }
            if (function.equals(IS_NULL_FUNCTION_NAME)) {
                return target(arguments.getFirst()).map(target -> isNull(target, arguments.getFirst().getType(), result));
            }
            if (function.equals(IN_PREDICATE_FUNCTION_NAME)) {
                return target(arguments.get(0)).flatMap(target -> in(target, arguments.get(0).getType(), arguments.get(1), result));
            }
            if (function.equals(BETWEEN_FUNCTION_NAME)) {
                return between(arguments.get(0), arguments.get(1), arguments.get(2), result);
            }
            if (FLIPPED.containsKey(function)) {
                return compare(function, arguments.get(0), arguments.get(1), result)
                        .or(() -> compare(FLIPPED.get(function), arguments.get(1), arguments.get(0), result));
            }
        }
        // a boolean is a comparison with true
        return expression.getType().equals(BOOLEAN) ? target(expression).map(target -> new Comparison<>(target, Domain.singleValue(BOOLEAN, result), true)) : Optional.empty();
    }

    private Optional<T> target(ConnectorExpression expression)
    {
        return targets.apply(expression);
    }

    private Optional<Comparison<T>> between(ConnectorExpression value, ConnectorExpression low, ConnectorExpression high, boolean result)
    {
        Optional<Comparison<T>> atLeast = compare(GREATER_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME, value, low, result);
        Optional<Comparison<T>> atMost = compare(LESS_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME, value, high, result);
        return atLeast.flatMap(left -> atMost.map(right -> new Comparison<>(
                left.target(),
                result ? left.domain().intersect(right.domain()) : left.domain().union(right.domain()),
                left.isExact() && right.isExact())));
    }

    private Optional<Comparison<T>> compare(FunctionName function, ConnectorExpression value, ConnectorExpression other, boolean result)
    {
        Type type = value.getType();
        if (!(other instanceof Constant constant) || !constant.getType().equals(type) || !(RANGES.containsKey(function) ? type.isOrderable() : type.isComparable())) {
            return Optional.empty();
        }
        return target(value).map(target -> {
            if (function.equals(NOT_EQUAL_OPERATOR_FUNCTION_NAME)) {
                return values(EQUAL_OPERATOR_FUNCTION_NAME, target, constant, !result);
            }
            return function.equals(IDENTICAL_OPERATOR_FUNCTION_NAME) ? identical(target, constant, result) : values(function, target, constant, result);
        });
    }

    private static <T> Comparison<T> values(FunctionName function, T target, Constant constant, boolean result)
    {
        Type type = constant.getType();
        if (constant.getValue() == null) {
            return never(target, type);
        }
        if (isFloatingPointNaN(type, constant.getValue())) {
            // no value equals NaN, or is less or greater
            return result ? never(target, type) : new Comparison<>(target, Domain.notNull(type), true);
        }
        ValueSet values = function.equals(EQUAL_OPERATOR_FUNCTION_NAME) ?
                ValueSet.of(type, constant.getValue()) :
                ValueSet.ofRanges(RANGES.get(function).apply(type, constant.getValue()));
        return result ? new Comparison<>(target, Domain.create(values, false), true) : others(target, values, false);
    }

    /**
     * IS NOT DISTINCT FROM is true for two nulls and for two NaN, and never null.
     */
    private static <T> Comparison<T> identical(T target, Constant constant, boolean result)
    {
        Type type = constant.getType();
        if (constant.getValue() == null) {
            return isNull(target, type, result);
        }
        if (isFloatingPointNaN(type, constant.getValue())) {
            // no set but that of all values contains NaN
            return new Comparison<>(target, result ? Domain.notNull(type) : Domain.all(type), false);
        }
        ValueSet values = ValueSet.of(type, constant.getValue());
        return result ? new Comparison<>(target, Domain.create(values, false), true) : others(target, values, true);
    }

    private static <T> Optional<Comparison<T>> in(T target, Type type, ConnectorExpression list, boolean result)
    {
        if (!type.isComparable() || !(list instanceof Call array) || !array.getFunctionName().equals(ARRAY_CONSTRUCTOR_FUNCTION_NAME)) {
            return Optional.empty();
        }
        List<Object> values = new ArrayList<>();
        boolean hasNull = false;
        for (ConnectorExpression element : array.getArguments()) {
            if (!(element instanceof Constant constant) || !constant.getType().equals(type)) {
                return Optional.empty();
            }
            if (constant.getValue() == null) {
                hasNull = true;
            }
            else if (!isFloatingPointNaN(type, constant.getValue())) {
                values.add(constant.getValue());
            }
        }
        ValueSet listed = ValueSet.copyOf(type, values);
        if (result) {
            return Optional.of(new Comparison<>(target, Domain.create(listed, false), true));
        }
        // a value that is not in the list may equal the null
        return Optional.of(hasNull ? never(target, type) : others(target, listed, false));
    }

    private static <T> Comparison<T> isNull(T target, Type type, boolean result)
    {
        return new Comparison<>(target, result ? Domain.onlyNull(type) : Domain.notNull(type), true);
    }

    private static <T> Comparison<T> never(T target, Type type)
    {
        return new Comparison<>(target, Domain.none(type), true);
    }

    /**
     * Returns the values that are not in a set of values without NaN. If the type has NaN, these are all values,
     * because no other set contains NaN.
     */
    private static <T> Comparison<T> others(T target, ValueSet values, boolean nullAllowed)
    {
        boolean hasNaN = typeHasNaN(values.getType());
        ValueSet others = hasNaN ? ValueSet.all(values.getType()) : values.complement();
        return new Comparison<>(target, Domain.create(others, nullAllowed), !hasNaN);
    }
}
