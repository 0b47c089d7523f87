package io.albis.trino.pushdown;

import com.google.common.collect.ImmutableList;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.handle.AlbisTableHandle;
import io.trino.plugin.base.projection.ApplyProjectionUtil;
import io.trino.plugin.base.projection.ApplyProjectionUtil.ProjectedColumnRepresentation;
import io.trino.spi.connector.Assignment;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.ProjectionApplicationResult;
import io.trino.spi.expression.ConnectorExpression;
import io.trino.spi.expression.Variable;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.plugin.base.projection.ApplyProjectionUtil.createProjectedColumnRepresentation;
import static io.trino.plugin.base.projection.ApplyProjectionUtil.replaceWithNewVariables;

/**
 * Replaces fields of rows in projections by columns of the scan, so that the reader reads only these fields, and
 * predicates on them can be pushed down as those on columns. {@link ElementPushdown} replaces elements of arrays and
 * maps.
 */
public final class FieldPushdown
{
    // the columns of the scan that the projections need, by their variables
    private final Map<String, Assignment> needed = new LinkedHashMap<>();
    private final Map<ConnectorExpression, Variable> replacements = new HashMap<>();
    private final Map<String, ColumnHandle> assignments;
    private final Map<ColumnHandle, String> variables = new HashMap<>();

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
        Optional<ElementPushdown.Result> elements = ElementPushdown.apply(projections, assignments);
        List<ConnectorExpression> expressions = elements.map(ElementPushdown.Result::projections).orElse(projections);
        FieldPushdown pushdown = new FieldPushdown(elements.map(ElementPushdown.Result::assignments).orElse(assignments));
        expressions.stream()
                .map(ApplyProjectionUtil::extractSupportedProjectedColumns)
                .flatMap(List::stream)
                .forEach(pushdown::add);
        if (pushdown.replacements.isEmpty() && elements.isEmpty()) {
            return ScannedColumns.note(table, projections, assignments);
        }
        List<ConnectorExpression> replaced = expressions.stream()
                .map(projection -> replaceWithNewVariables(projection, pushdown.replacements))
                .collect(toImmutableList());
        List<Assignment> columns = ImmutableList.copyOf(pushdown.needed.values());
        AlbisTableHandle newTable = table.withColumns(ScannedColumns.columns(columns.stream()
                .map(Assignment::getColumn)
                .collect(toImmutableList())));
        return Optional.of(new ProjectionApplicationResult<>(newTable, replaced, columns, false));
    }

    /**
     * @param expression a variable, or a field of a variable or of such a field
     */
    private void add(ConnectorExpression expression)
    {
        ProjectedColumnRepresentation part = createProjectedColumnRepresentation(expression);
        Variable variable = part.getVariable();
        ColumnHandle column = assignments.get(variable.getName());
        // hidden columns and elements have no fields that can be read alone
        if (part.isVariable() || !(column instanceof AlbisColumnHandle field) || field.container().isPresent()) {
            needed.put(variable.getName(), new Assignment(variable.getName(), column, variable.getType()));
            return;
        }
        for (int index : part.getDereferenceIndices()) {
            field = field.field(index);
        }
        String name = name(field);
        needed.put(name, new Assignment(name, field, field.type()));
        replacements.put(expression, new Variable(name, field.type()));
    }

    private String name(AlbisColumnHandle field)
    {
        return variables.computeIfAbsent(field, _ -> {
            String candidate = field.name();
            while (assignments.containsKey(candidate) || needed.containsKey(candidate)) {
                candidate += "_";
            }
            return candidate;
        });
    }
}
