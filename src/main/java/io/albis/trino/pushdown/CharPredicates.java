package io.albis.trino.pushdown;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.albis.trino.handle.AlbisColumnHandle;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.expression.Call;
import io.trino.spi.expression.ConnectorExpression;
import io.trino.spi.expression.Constant;
import io.trino.spi.expression.FunctionName;
import io.trino.spi.expression.Variable;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.predicate.ValueSet;
import io.trino.spi.type.CharType;
import io.trino.spi.type.VarcharType;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.spi.expression.StandardFunctions.AND_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.ARRAY_CONSTRUCTOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.BETWEEN_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.CAST_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.EQUAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.GREATER_THAN_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.GREATER_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.IN_PREDICATE_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.IS_NULL_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.LESS_THAN_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.LESS_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.LIKE_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.OR_FUNCTION_NAME;

/**
 * Extracts domains of CHAR columns from an expression that the engine evaluates. The engine compares CHAR columns as
 * varchar. Where other columns have a domain, the connector gets {@code CAST(column AS varchar) IN ('a', 'b')}.
 */
final class CharPredicates
{
    private final Map<String, ColumnHandle> assignments;

    private CharPredicates(Map<String, ColumnHandle> assignments)
    {
        this.assignments = assignments;
    }

    /**
     * Returns a predicate that matches all rows for which the expression is true, and perhaps others.
     */
    public static TupleDomain<AlbisColumnHandle> extract(ConnectorExpression expression, Map<String, ColumnHandle> assignments)
    {
        return new CharPredicates(assignments).extract(expression);
    }

    private TupleDomain<AlbisColumnHandle> extract(ConnectorExpression expression)
    {
        if (!(expression instanceof Call call)) {
            return TupleDomain.all();
        }
        FunctionName function = call.getFunctionName();
        List<ConnectorExpression> arguments = call.getArguments();
        if (function.equals(AND_FUNCTION_NAME)) {
            return TupleDomain.intersect(extractAll(arguments));
        }
        if (function.equals(OR_FUNCTION_NAME)) {
            return TupleDomain.columnWiseUnion(extractAll(arguments));
        }
        if (function.equals(IS_NULL_FUNCTION_NAME)) {
            return charColumn(arguments.getFirst())
                    .map(column -> TupleDomain.withColumnDomains(Map.of(column, Domain.onlyNull(column.type()))))
                    .orElse(TupleDomain.all());
        }
        if (function.equals(IN_PREDICATE_FUNCTION_NAME)) {
            return in(arguments.get(0), arguments.get(1));
        }
        if (function.equals(LIKE_FUNCTION_NAME)) {
            return like(arguments);
        }
        if (function.equals(BETWEEN_FUNCTION_NAME)) {
            return TupleDomain.intersect(List.of(
                    compare(arguments.get(0), arguments.get(1), CharRanges::atLeast),
                    compare(arguments.get(0), arguments.get(2), CharRanges::atMost)));
        }
        if (function.equals(EQUAL_OPERATOR_FUNCTION_NAME)) {
            return compare(arguments, CharRanges::equalTo, CharRanges::equalTo);
        }
        if (function.equals(LESS_THAN_OPERATOR_FUNCTION_NAME) || function.equals(LESS_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME)) {
            return compare(arguments, CharRanges::atMost, CharRanges::atLeast);
        }
        if (function.equals(GREATER_THAN_OPERATOR_FUNCTION_NAME) || function.equals(GREATER_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME)) {
            return compare(arguments, CharRanges::atLeast, CharRanges::atMost);
        }
        return TupleDomain.all();
    }

    private List<TupleDomain<AlbisColumnHandle>> extractAll(List<ConnectorExpression> expressions)
    {
        return expressions.stream()
                .map(this::extract)
                .collect(toImmutableList());
    }

    private interface Comparison
            extends BiFunction<CharType, Slice, ValueSet> {}

    /**
     * Returns the domain that a comparison of a column with a constant implies.
     *
     * @param comparison for a column on the left side and a constant on the right
     * @param flipped for a constant on the left side and a column on the right
     */
    private TupleDomain<AlbisColumnHandle> compare(List<ConnectorExpression> arguments, Comparison comparison, Comparison flipped)
    {
        return TupleDomain.intersect(List.of(
                compare(arguments.get(0), arguments.get(1), comparison),
                compare(arguments.get(1), arguments.get(0), flipped)));
    }

    private TupleDomain<AlbisColumnHandle> compare(ConnectorExpression value, ConnectorExpression constant, Comparison comparison)
    {
        Optional<AlbisColumnHandle> column = castColumn(value);
        Optional<Slice> text = text(constant);
        if (column.isEmpty() || text.isEmpty()) {
            return TupleDomain.all();
        }
        return domain(column.get(), comparison.apply((CharType) column.get().type(), text.get()));
    }

    private TupleDomain<AlbisColumnHandle> in(ConnectorExpression value, ConnectorExpression list)
    {
        Optional<AlbisColumnHandle> column = castColumn(value);
        if (column.isEmpty() || !(list instanceof Call array) || !array.getFunctionName().equals(ARRAY_CONSTRUCTOR_FUNCTION_NAME)) {
            return TupleDomain.all();
        }
        CharType type = (CharType) column.get().type();
        ImmutableList.Builder<ValueSet> values = ImmutableList.builder();
        for (ConnectorExpression element : array.getArguments()) {
            Optional<Slice> text = text(element);
            if (text.isEmpty()) {
                return TupleDomain.all();
            }
            values.add(CharRanges.equalTo(type, text.get()));
        }
        return domain(column.get(), ValueSet.none(type).union(values.build()));
    }

    private TupleDomain<AlbisColumnHandle> like(List<ConnectorExpression> arguments)
    {
        // LIKE is also defined for CHAR itself, including its trailing spaces
        Optional<AlbisColumnHandle> column = castColumn(arguments.get(0)).or(() -> charColumn(arguments.get(0)));
        Optional<Slice> pattern = text(arguments.get(1));
        Optional<Slice> escape = arguments.size() > 2 ? text(arguments.get(2)) : Optional.of(Slices.EMPTY_SLICE);
        if (column.isEmpty() || pattern.isEmpty() || escape.isEmpty()) {
            return TupleDomain.all();
        }
        Slice prefix = Slices.utf8Slice(constantPrefix(pattern.get().toStringUtf8(), escape.get().toStringUtf8()));
        if (prefix.length() == 0) {
            return TupleDomain.all();
        }
        return domain(column.get(), CharRanges.startingWith((CharType) column.get().type(), prefix));
    }

    private static String constantPrefix(String pattern, String escape)
    {
        StringBuilder prefix = new StringBuilder();
        int position = 0;
        while (position < pattern.length()) {
            char character = pattern.charAt(position);
            if (escape.indexOf(character) >= 0 && position + 1 < pattern.length()) {
                position++;
                character = pattern.charAt(position);
            }
            else if (character == '%' || character == '_') {
                break;
            }
            prefix.append(character);
            position++;
        }
        return prefix.toString();
    }

    private static TupleDomain<AlbisColumnHandle> domain(AlbisColumnHandle column, ValueSet values)
    {
        return TupleDomain.withColumnDomains(Map.of(column, Domain.create(values, false)));
    }

    /**
     * Returns the column in a cast to varchar that keeps all characters.
     */
    private Optional<AlbisColumnHandle> castColumn(ConnectorExpression expression)
    {
        if (!(expression instanceof Call cast) || !cast.getFunctionName().equals(CAST_FUNCTION_NAME) || !(cast.getType() instanceof VarcharType varchar)) {
            return Optional.empty();
        }
        return charColumn(cast.getArguments().getFirst())
                .filter(column -> varchar.isUnbounded() || varchar.getBoundedLength() >= ((CharType) column.type()).getLength());
    }

    private Optional<AlbisColumnHandle> charColumn(ConnectorExpression expression)
    {
        if (expression instanceof Variable variable && variable.getType() instanceof CharType && assignments.get(variable.getName()) instanceof AlbisColumnHandle column) {
            return Optional.of(column);
        }
        return Optional.empty();
    }

    private static Optional<Slice> text(ConnectorExpression expression)
    {
        if (expression instanceof Constant constant && constant.getType() instanceof VarcharType) {
            return Optional.ofNullable((Slice) constant.getValue());
        }
        return Optional.empty();
    }
}
