package io.albis.trino.pushdown;

import com.google.common.collect.ImmutableList;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.handle.AlbisTableHandle;
import io.trino.spi.connector.Assignment;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.ProjectionApplicationResult;
import io.trino.spi.expression.Call;
import io.trino.spi.expression.ConnectorExpression;
import io.trino.spi.expression.FieldDereference;
import io.trino.spi.expression.Lambda;
import io.trino.spi.expression.Variable;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * Replaces fields of rows in projections by columns of the scan, so that the reader reads only these fields, and
 * predicates on them can be pushed down as those on columns.
 */
public final class FieldPushdown
{
    // the columns of the scan that the projections need
    private final Map<String, Assignment> needed = new LinkedHashMap<>();
    private final Map<String, ColumnHandle> assignments;
    private final Map<ColumnHandle, String> variables = new HashMap<>();
    private boolean replaced;

    private FieldPushdown(Map<String, ColumnHandle> assignments)
    {
        this.assignments = assignments;
        assignments.forEach((variable, column) -> variables.put(column, variable));
    }

    /**
     * Applies projections to a table handle, which also notes the columns that the scan reads.
     *
     * @param projections expressions on the variables
     * @param assignments columns of the scan by their variables
     * @return empty if this changes neither the projections nor the handle
     */
    public static Optional<ProjectionApplicationResult<ConnectorTableHandle>> apply(AlbisTableHandle table, List<ConnectorExpression> projections, Map<String, ColumnHandle> assignments)
    {
        FieldPushdown pushdown = new FieldPushdown(assignments);
        List<ConnectorExpression> replaced = projections.stream()
                .map(pushdown::replace)
                .collect(toImmutableList());
        if (!pushdown.replaced) {
            return ScannedColumns.note(table, projections, assignments);
        }
        List<Assignment> columns = ImmutableList.copyOf(pushdown.needed.values());
        AlbisTableHandle newTable = table.withColumns(ScannedColumns.columns(columns.stream()
                .map(Assignment::getColumn)
                .collect(toImmutableList())));
        return Optional.of(new ProjectionApplicationResult<>(newTable, replaced, columns, false));
    }

    private ConnectorExpression replace(ConnectorExpression expression)
    {
        return switch (expression) {
            case FieldDereference dereference -> field(dereference)
                    .map(this::variable)
                    .orElseGet(() -> new FieldDereference(dereference.getType(), replace(dereference.getTarget()), dereference.getField()));
            // an argument of a lambda expression
            case Variable variable when !assignments.containsKey(variable.getName()) -> variable;
            case Variable variable -> {
                ColumnHandle column = assignments.get(variable.getName());
                needed.put(variable.getName(), new Assignment(variable.getName(), column, variable.getType()));
                yield variable;
            }
            case Call call -> new Call(call.getType(), call.getFunctionName(), call.getArguments().stream()
                    .map(this::replace)
                    .collect(toImmutableList()));
            case Lambda lambda -> new Lambda(lambda.getType(), lambda.getArguments(), replace(lambda.getBody()));
            default -> expression;
        };
    }

    /**
     * Returns the field of a column, or of a field of it.
     */
    private Optional<AlbisColumnHandle> field(FieldDereference dereference)
    {
        Optional<AlbisColumnHandle> target = switch (dereference.getTarget()) {
            // not a hidden column
            case Variable variable -> assignments.get(variable.getName()) instanceof AlbisColumnHandle column ? Optional.of(column) : Optional.empty();
            case FieldDereference parent -> field(parent);
            default -> Optional.empty();
        };
        return target.map(column -> column.field(dereference.getField()));
    }

    private ConnectorExpression variable(AlbisColumnHandle field)
    {
        replaced = true;
        String name = variables.computeIfAbsent(field, _ -> {
            String candidate = field.name();
            while (assignments.containsKey(candidate) || needed.containsKey(candidate)) {
                candidate += "_";
            }
            return candidate;
        });
        needed.put(name, new Assignment(name, field, field.type()));
        return new Variable(name, field.type());
    }
}
