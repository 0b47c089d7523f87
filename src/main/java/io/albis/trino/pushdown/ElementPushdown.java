package io.albis.trino.pushdown;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.trino.handle.AlbisColumnHandle;
import io.trino.plugin.base.projection.ApplyProjectionUtil.ProjectedColumnRepresentation;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.expression.Call;
import io.trino.spi.expression.ConnectorExpression;
import io.trino.spi.expression.FieldDereference;
import io.trino.spi.expression.Lambda;
import io.trino.spi.expression.Variable;
import io.trino.spi.type.Type;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.plugin.base.projection.ApplyProjectionUtil.createProjectedColumnRepresentation;
import static java.util.Locale.ENGLISH;
import static java.util.Objects.requireNonNull;

/**
 * Replaces calls such as {@code cardinality(a)} and {@code element_at(m, 'k')} in projections by columns of the scan,
 * so that the reader reads only what these calls need of an array or a map. An array or map that the projections also
 * need as a whole stays as it is.
 */
final class ElementPushdown
{
    // each key of a map is searched alone, so with more keys it is cheaper to read the map once
    private static final int MAX_KEYS = 4;

    private final Map<String, ColumnHandle> assignments;
    private final Map<ConnectorExpression, ElementCall> calls = new LinkedHashMap<>();
    private final Set<ConnectorExpression> wholeColumns = new HashSet<>();
    private final Set<String> usedVariables = new HashSet<>();
    private final Map<AlbisColumnHandle, Variable> elements = new LinkedHashMap<>();

    private ElementPushdown(Map<String, ColumnHandle> assignments)
    {
        this.assignments = requireNonNull(assignments, "assignments is null");
    }

    /**
     * Projections in which calls are replaced.
     *
     * @param assignments the columns of the scan and the new ones, by their variables
     */
    record Result(List<ConnectorExpression> projections, Map<String, ColumnHandle> assignments)
    {
        Result
        {
            projections = ImmutableList.copyOf(projections);
            assignments = ImmutableMap.copyOf(assignments);
        }
    }

    /**
     * Replaces calls in projections.
     *
     * @return empty if no call can be replaced
     */
    static Optional<Result> apply(List<ConnectorExpression> projections, Map<String, ColumnHandle> assignments)
    {
        ElementPushdown pushdown = new ElementPushdown(assignments);
        for (ConnectorExpression projection : projections) {
            pushdown.collect(projection, Set.of());
        }
        // The engine does not show a lambda expression that it cannot translate, and plans the query wrongly if such an
        // expression uses a column of a scan that changes. Only then is a column needed and not used in a projection
        if (!pushdown.usedVariables.containsAll(assignments.keySet())) {
            return Optional.empty();
        }
        pushdown.keepWholeColumns();
        if (pushdown.calls.isEmpty()) {
            return Optional.empty();
        }
        List<ConnectorExpression> replaced = projections.stream()
                .map(pushdown::replace)
                .collect(toImmutableList());
        ImmutableMap.Builder<String, ColumnHandle> columns = ImmutableMap.<String, ColumnHandle>builder().putAll(assignments);
        pushdown.elements.forEach((column, variable) -> columns.put(variable.getName(), column));
        return Optional.of(new Result(replaced, columns.buildOrThrow()));
    }

    /**
     * Collects the calls that could be replaced, and the columns and fields that are used in another way.
     *
     * @param arguments the arguments of the lambda expressions around the expression
     */
    private void collect(ConnectorExpression expression, Set<String> arguments)
    {
        Optional<ElementCall> call = ElementCall.of(expression).filter(candidate -> isColumn(candidate.container(), arguments) && candidate.handle(assignments).isPresent());
        if (call.isPresent()) {
            usedVariables.add(column(call.get().container()).getVariable().getName());
            calls.put(expression, call.get());
        }
        else if (isColumn(expression, arguments)) {
            usedVariables.add(column(expression).getVariable().getName());
            wholeColumns.add(expression);
        }
        else {
            Set<String> innerArguments = arguments;
            if (expression instanceof Lambda lambda) {
                innerArguments = new HashSet<>(arguments);
                for (Variable argument : lambda.getArguments()) {
                    innerArguments.add(argument.getName());
                }
            }
            for (ConnectorExpression child : expression.getChildren()) {
                collect(child, innerArguments);
            }
        }
    }

    /**
     * Returns whether an expression is a column or a field of one.
     */
    private static boolean isColumn(ConnectorExpression expression, Set<String> arguments)
    {
        return switch (expression) {
            case Variable variable -> !arguments.contains(variable.getName());
            case FieldDereference field -> isColumn(field.getTarget(), arguments);
            default -> false;
        };
    }

    private static ProjectedColumnRepresentation column(ConnectorExpression expression)
    {
        return createProjectedColumnRepresentation(expression);
    }

    /**
     * Drops the calls on arrays and maps that have to be read as a whole.
     */
    private void keepWholeColumns()
    {
        Map<ConnectorExpression, Set<AlbisColumnHandle>> keys = new HashMap<>();
        for (ElementCall call : calls.values()) {
            if (call.access().key().isPresent()) {
                keys.computeIfAbsent(call.container(), _ -> new HashSet<>()).add(handle(call));
            }
        }
        calls.values().removeIf(call -> wholeColumns.contains(call.container()) || keys.getOrDefault(call.container(), Set.of()).size() > MAX_KEYS);
    }

    private AlbisColumnHandle handle(ElementCall call)
    {
        return call.handle(assignments).orElseThrow();
    }

    private ConnectorExpression replace(ConnectorExpression expression)
    {
        ElementCall call = calls.get(expression);
        if (call != null) {
            Variable element = elements.computeIfAbsent(handle(call), column -> newVariable(call, column.type()));
            return call.replaced() ? element : withContainer((Call) expression, element);
        }
        return switch (expression) {
            case FieldDereference field -> new FieldDereference(field.getType(), replace(field.getTarget()), field.getField());
            case Lambda lambda -> new Lambda(lambda.getType(), lambda.getArguments(), replace(lambda.getBody()));
            case Call other -> new Call(other.getType(), other.getFunctionName(), other.getArguments().stream()
                    .map(this::replace)
                    .collect(toImmutableList()));
            default -> expression;
        };
    }

    private static Call withContainer(Call call, Variable container)
    {
        return new Call(call.getType(), call.getFunctionName(), ImmutableList.of(container, call.getArguments().getLast()));
    }

    private Variable newVariable(ElementCall call, Type type)
    {
        String name = call.containerHandle(assignments).orElseThrow().name() + "_" + call.access().form().name().toLowerCase(ENGLISH);
        Set<String> names = new HashSet<>(assignments.keySet());
        elements.values().forEach(variable -> names.add(variable.getName()));
        while (names.contains(name)) {
            name += "_";
        }
        return new Variable(name, type);
    }
}
