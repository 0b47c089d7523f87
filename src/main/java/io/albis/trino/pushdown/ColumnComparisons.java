package io.albis.trino.pushdown;

import com.google.common.collect.ImmutableMap;
import io.albis.format.filter.RowFilters;
import io.albis.trino.handle.AlbisColumnHandle;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.expression.Call;
import io.trino.spi.expression.ConnectorExpression;
import io.trino.spi.expression.Constant;
import io.trino.spi.expression.FunctionName;
import io.trino.spi.expression.Variable;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.predicate.ValueSet;
import io.trino.spi.type.Type;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

import static io.trino.spi.expression.StandardFunctions.ARRAY_CONSTRUCTOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.EQUAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.GREATER_THAN_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.GREATER_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.IDENTICAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.IN_PREDICATE_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.IS_NULL_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.LESS_THAN_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.LESS_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.NOT_EQUAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.type.BooleanType.BOOLEAN;
import static io.trino.spi.type.TypeUtils.isFloatingPointNaN;
import static io.trino.spi.type.TypeUtils.typeHasNaN;
import static java.util.Objects.requireNonNull;

/**
 * Finds the values of a column for which a comparison with constants is true or false. For other values it is null.
 * The engine finds domains itself, but not those of the parts of an OR over several columns.
 */
final class ColumnComparisons
{
    private static final Map<FunctionName, BiFunction<Type, Object, Range>> RANGES = ImmutableMap.of(
            EQUAL_OPERATOR_FUNCTION_NAME, Range::equal,
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

    private final Map<String, ColumnHandle> assignments;

    ColumnComparisons(Map<String, ColumnHandle> assignments)
    {
        this.assignments = requireNonNull(assignments, "assignments is null");
    }

    /**
     * Returns a predicate that matches all rows for which an expression has a result, and perhaps others.
     *
     * @param result true or false
     */
    TupleDomain<AlbisColumnHandle> rows(ConnectorExpression expression, boolean result)
    {
        if (expression instanceof Variable && expression.getType().equals(BOOLEAN)) {
            return values(expression, ValueSet.of(BOOLEAN, result));
        }
        if (!(expression instanceof Call call)) {
            return TupleDomain.all();
        }
        FunctionName function = call.getFunctionName();
        List<ConnectorExpression> arguments = call.getArguments();
        if (function.equals(IS_NULL_FUNCTION_NAME)) {
            Type type = arguments.getFirst().getType();
            return domain(arguments.getFirst(), result ? Domain.onlyNull(type) : Domain.notNull(type));
        }
        if (function.equals(IN_PREDICATE_FUNCTION_NAME)) {
            return in(arguments.get(0), arguments.get(1), result);
        }
        if (!FLIPPED.containsKey(function)) {
            return TupleDomain.all();
        }
        if (arguments.get(1) instanceof Constant constant) {
            return compare(function, arguments.get(0), constant, result);
        }
        return arguments.get(0) instanceof Constant constant ? compare(FLIPPED.get(function), arguments.get(1), constant, result) : TupleDomain.all();
    }

    private TupleDomain<AlbisColumnHandle> compare(FunctionName function, ConnectorExpression value, Constant constant, boolean result)
    {
        Type type = value.getType();
        if (!constant.getType().equals(type) || !type.isOrderable()) {
            return TupleDomain.all();
        }
        if (function.equals(IDENTICAL_OPERATOR_FUNCTION_NAME)) {
            return identical(value, constant, result);
        }
        if (constant.getValue() == null) {
            return TupleDomain.none();
        }
        if (function.equals(NOT_EQUAL_OPERATOR_FUNCTION_NAME)) {
            return compare(EQUAL_OPERATOR_FUNCTION_NAME, value, constant, !result);
        }
        if (isFloatingPointNaN(type, constant.getValue())) {
            // no value equals NaN, or is less or greater
            return result ? TupleDomain.none() : values(value, ValueSet.all(type));
        }
        ValueSet values = ValueSet.ofRanges(RANGES.get(function).apply(type, constant.getValue()));
        return values(value, result ? values : complement(values));
    }

    /**
     * Returns the values that are not in a set of values without NaN, and perhaps others. No set but that of all values
     * contains NaN.
     */
    private static ValueSet complement(ValueSet values)
    {
        return typeHasNaN(values.getType()) ? ValueSet.all(values.getType()) : values.complement();
    }

    /**
     * IS NOT DISTINCT FROM is true for two nulls and for two NaN, and never null.
     */
    private TupleDomain<AlbisColumnHandle> identical(ConnectorExpression value, Constant constant, boolean result)
    {
        Type type = value.getType();
        if (constant.getValue() == null) {
            return domain(value, result ? Domain.onlyNull(type) : Domain.notNull(type));
        }
        if (isFloatingPointNaN(type, constant.getValue())) {
            return result ? values(value, ValueSet.all(type)) : TupleDomain.all();
        }
        ValueSet values = ValueSet.of(type, constant.getValue());
        return result ? values(value, values) : domain(value, Domain.create(complement(values), true));
    }

    private TupleDomain<AlbisColumnHandle> in(ConnectorExpression value, ConnectorExpression list, boolean result)
    {
        Type type = value.getType();
        if (!type.isOrderable() || !(list instanceof Call array) || !array.getFunctionName().equals(ARRAY_CONSTRUCTOR_FUNCTION_NAME)) {
            return TupleDomain.all();
        }
        List<Object> values = new ArrayList<>();
        boolean hasNull = false;
        for (ConnectorExpression element : array.getArguments()) {
            if (!(element instanceof Constant constant) || !constant.getType().equals(type)) {
                return TupleDomain.all();
            }
            if (constant.getValue() == null) {
                hasNull = true;
            }
            else if (!isFloatingPointNaN(type, constant.getValue())) {
                values.add(constant.getValue());
            }
        }
        if (result) {
            return values(value, ValueSet.copyOf(type, values));
        }
        // a value that is not in the list may equal the null
        return hasNull ? TupleDomain.none() : values(value, complement(ValueSet.copyOf(type, values)));
    }

    private TupleDomain<AlbisColumnHandle> values(ConnectorExpression value, ValueSet values)
    {
        return domain(value, Domain.create(values, false));
    }

    private TupleDomain<AlbisColumnHandle> domain(ConnectorExpression value, Domain domain)
    {
        return column(value)
                .filter(column -> column.type().equals(domain.getType()) && RowFilters.isEnforceable(column.type(), domain))
                .map(column -> TupleDomain.withColumnDomains(ImmutableMap.of(column, domain)))
                .orElse(TupleDomain.all());
    }

    private Optional<AlbisColumnHandle> column(ConnectorExpression expression)
    {
        if (expression instanceof Variable variable && assignments.get(variable.getName()) instanceof AlbisColumnHandle column) {
            return Optional.of(column);
        }
        return Optional.empty();
    }
}
