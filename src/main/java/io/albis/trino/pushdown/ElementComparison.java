package io.albis.trino.pushdown;

import io.trino.spi.expression.Call;
import io.trino.spi.expression.ConnectorExpression;
import io.trino.spi.expression.Constant;
import io.trino.spi.expression.FunctionName;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.ValueSet;
import io.trino.spi.type.Type;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.spi.expression.StandardFunctions.ARRAY_CONSTRUCTOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.BETWEEN_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.EQUAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.GREATER_THAN_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.GREATER_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.IN_PREDICATE_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.LESS_THAN_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.LESS_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.NOT_EQUAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.NOT_FUNCTION_NAME;
import static io.trino.spi.type.BooleanType.BOOLEAN;
import static io.trino.spi.type.TypeUtils.isFloatingPointNaN;
import static io.trino.spi.type.TypeUtils.typeHasNaN;
import static java.util.Objects.requireNonNull;

/**
 * A comparison of an element of an array or a map with constants, which is not true if the element is null.
 *
 * @param element the call that returns the element
 * @param values the values of the element for which the comparison is true
 */
record ElementComparison(ElementCall element, ValueSet values)
{
    private static final Map<FunctionName, FunctionName> FLIPPED = Map.of(
            EQUAL_OPERATOR_FUNCTION_NAME, EQUAL_OPERATOR_FUNCTION_NAME,
            NOT_EQUAL_OPERATOR_FUNCTION_NAME, NOT_EQUAL_OPERATOR_FUNCTION_NAME,
            LESS_THAN_OPERATOR_FUNCTION_NAME, GREATER_THAN_OPERATOR_FUNCTION_NAME,
            LESS_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME, GREATER_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME,
            GREATER_THAN_OPERATOR_FUNCTION_NAME, LESS_THAN_OPERATOR_FUNCTION_NAME,
            GREATER_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME, LESS_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME);

    ElementComparison
    {
        requireNonNull(element, "element is null");
        requireNonNull(values, "values is null");
    }

    /**
     * @return empty if the expression is none, or if no set of values expresses it
     */
    static Optional<ElementComparison> of(ConnectorExpression expression)
    {
        if (expression.getType().equals(BOOLEAN)) {
            Optional<ElementCall> element = ElementCall.of(expression);
            if (element.isPresent()) {
                return Optional.of(new ElementComparison(element.get(), ValueSet.of(BOOLEAN, true)));
            }
        }
        if (!(expression instanceof Call call)) {
            return Optional.empty();
        }
        FunctionName function = call.getFunctionName();
        List<ConnectorExpression> arguments = call.getArguments();
        if (function.equals(NOT_FUNCTION_NAME)) {
            return of(arguments.getFirst()).flatMap(ElementComparison::negated);
        }
        if (function.equals(IN_PREDICATE_FUNCTION_NAME)) {
            return in(arguments.get(0), arguments.get(1));
        }
        if (function.equals(BETWEEN_FUNCTION_NAME)) {
            Optional<ElementComparison> low = compare(GREATER_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME, arguments.get(0), arguments.get(1));
            Optional<ElementComparison> high = compare(LESS_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME, arguments.get(0), arguments.get(2));
            return low.flatMap(left -> high.map(right -> new ElementComparison(left.element(), left.values().intersect(right.values()))));
        }
        if (FLIPPED.containsKey(function)) {
            return compare(function, arguments.get(0), arguments.get(1))
                    .or(() -> compare(FLIPPED.get(function), arguments.get(1), arguments.get(0)));
        }
        return Optional.empty();
    }

    /**
     * Returns the comparison that is true where this one is false. Neither is true for a null.
     */
    private Optional<ElementComparison> negated()
    {
        // NaN is in no set, and differs from all values
        return typeHasNaN(values.getType()) ? Optional.empty() : Optional.of(new ElementComparison(element, values.complement()));
    }

    private static Optional<ElementComparison> in(ConnectorExpression value, ConnectorExpression list)
    {
        Optional<ElementCall> element = ElementCall.of(value);
        if (element.isEmpty() || !(list instanceof Call array) || !array.getFunctionName().equals(ARRAY_CONSTRUCTOR_FUNCTION_NAME) || !value.getType().isComparable()) {
            return Optional.empty();
        }
        List<Object> values = array.getArguments().stream()
                .map(constant -> constant(constant, value.getType()))
                .flatMap(Optional::stream)
                .collect(toImmutableList());
        if (values.size() < array.getArguments().size()) {
            return Optional.empty();
        }
        return Optional.of(new ElementComparison(element.get(), ValueSet.copyOf(value.getType(), values)));
    }

    /**
     * Returns a native value; empty if it is null or NaN, if it is not a constant, or if it has another type.
     */
    private static Optional<Object> constant(ConnectorExpression expression, Type type)
    {
        if (!(expression instanceof Constant constant) || !constant.getType().equals(type) || constant.getValue() == null || isFloatingPointNaN(type, constant.getValue())) {
            return Optional.empty();
        }
        return Optional.of(constant.getValue());
    }

    private static Optional<ElementComparison> compare(FunctionName function, ConnectorExpression value, ConnectorExpression other)
    {
        Type type = value.getType();
        Optional<ElementCall> element = ElementCall.of(value);
        Optional<Object> constant = constant(other, type);
        if (element.isEmpty() || constant.isEmpty() || !type.isComparable()) {
            return Optional.empty();
        }
        if (function.equals(EQUAL_OPERATOR_FUNCTION_NAME)) {
            return Optional.of(new ElementComparison(element.get(), ValueSet.of(type, constant.get())));
        }
        if (function.equals(NOT_EQUAL_OPERATOR_FUNCTION_NAME)) {
            return new ElementComparison(element.get(), ValueSet.of(type, constant.get())).negated();
        }
        if (!type.isOrderable()) {
            return Optional.empty();
        }
        return Optional.of(new ElementComparison(element.get(), ValueSet.ofRanges(range(function).apply(type, constant.get()))));
    }

    private static BiFunction<Type, Object, Range> range(FunctionName comparison)
    {
        if (comparison.equals(LESS_THAN_OPERATOR_FUNCTION_NAME)) {
            return Range::lessThan;
        }
        if (comparison.equals(LESS_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME)) {
            return Range::lessThanOrEqual;
        }
        return comparison.equals(GREATER_THAN_OPERATOR_FUNCTION_NAME) ? Range::greaterThan : Range::greaterThanOrEqual;
    }
}
