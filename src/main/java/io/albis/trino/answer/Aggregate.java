package io.albis.trino.answer;

import com.google.common.collect.ImmutableList;
import io.albis.format.type.OrderKeys;
import io.albis.trino.handle.AlbisColumnHandle;
import io.trino.spi.connector.AggregateFunction;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.expression.ConnectorExpression;
import io.trino.spi.expression.Variable;
import io.trino.spi.type.Type;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import static io.trino.spi.type.BigintType.BIGINT;
import static java.util.Objects.requireNonNull;

/**
 * An aggregate function that metadata may answer.
 *
 * @param column the argument; empty for {@code count(*)}
 */
record Aggregate(Kind kind, Optional<AlbisColumnHandle> column)
{
    enum Kind
    {
        COUNT,
        MIN,
        MAX,
    }

    Aggregate
    {
        requireNonNull(kind, "kind is null");
        requireNonNull(column, "column is null");
    }

    /**
     * Returns the functions of an aggregation.
     *
     * @param assignments columns of the scan by their variables
     * @return empty if metadata answers one of the functions in no case
     */
    static Optional<List<Aggregate>> of(List<AggregateFunction> functions, Map<String, ColumnHandle> assignments)
    {
        ImmutableList.Builder<Aggregate> aggregates = ImmutableList.builder();
        for (AggregateFunction function : functions) {
            Optional<Aggregate> aggregate = of(function, assignments);
            if (aggregate.isEmpty()) {
                return Optional.empty();
            }
            aggregates.add(aggregate.get());
        }
        return Optional.of(aggregates.build());
    }

    private static Optional<Aggregate> of(AggregateFunction function, Map<String, ColumnHandle> assignments)
    {
        if (function.isDistinct() || function.getFilter().isPresent() || !function.getSortItems().isEmpty()) {
            return Optional.empty();
        }
        List<ConnectorExpression> arguments = function.getArguments();
        if (arguments.isEmpty()) {
            return isCount(function) ? Optional.of(new Aggregate(Kind.COUNT, Optional.empty())) : Optional.empty();
        }
        // The bounds of a column say nothing about its parts, and a hidden column has none. min(c, 3) has two arguments
        if (arguments.size() > 1 || !(arguments.getFirst() instanceof Variable variable) || !(assignments.get(variable.getName()) instanceof AlbisColumnHandle column) || column.isPart()) {
            return Optional.empty();
        }
        return kind(function, column.type()).map(kind -> new Aggregate(kind, Optional.of(column)));
    }

    private static Optional<Kind> kind(AggregateFunction function, Type type)
    {
        if (isCount(function)) {
            return Optional.of(Kind.COUNT);
        }
        if (!function.getOutputType().equals(type) || !OrderKeys.of(type).hasOrder()) {
            return Optional.empty();
        }
        return switch (function.getFunctionName()) {
            case "min" -> Optional.of(Kind.MIN);
            case "max" -> Optional.of(Kind.MAX);
            default -> Optional.empty();
        };
    }

    private static boolean isCount(AggregateFunction function)
    {
        return function.getFunctionName().equals("count") && function.getOutputType().equals(BIGINT);
    }

    Type resultType()
    {
        return switch (kind) {
            case COUNT -> BIGINT;
            case MIN, MAX -> column.orElseThrow().type();
        };
    }

    /**
     * Returns the function as in SQL.
     */
    String description()
    {
        String name = switch (kind) {
            case COUNT -> "count";
            case MIN -> "min";
            case MAX -> "max";
        };
        return "%s(%s)".formatted(name, column.map(AlbisColumnHandle::name).orElse("*"));
    }
}
