package io.albis.trino.pushdown;

import com.google.common.collect.ImmutableSet;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.handle.HiddenColumnHandle;
import io.trino.spi.connector.Assignment;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.Constraint;
import io.trino.spi.connector.ProjectionApplicationResult;
import io.trino.spi.expression.ConnectorExpression;
import io.trino.spi.type.Type;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.trino.handle.HiddenColumn.FILE_MODIFIED_TIME;
import static io.trino.plugin.base.expression.ConnectorExpressions.extractVariables;

/**
 * Notes in the handle of a table which columns the scan reads. A statement that changes rows does not conflict with an
 * update of other columns, and columns that queries read together can be grouped.
 */
public final class ScannedColumns
{
    private ScannedColumns() {}

    /**
     * Accepts projections as they are.
     *
     * @return empty if the handle already has these columns
     */
    public static Optional<ProjectionApplicationResult<ConnectorTableHandle>> note(AlbisTableHandle table, List<ConnectorExpression> projections, Map<String, ColumnHandle> assignments)
    {
        Optional<Set<Integer>> columns = columns(assignments.values());
        if (table.columns().equals(columns)) {
            return Optional.empty();
        }
        List<Assignment> unchanged = assignments.entrySet().stream()
                .map(assignment -> new Assignment(assignment.getKey(), assignment.getValue(), type(assignment.getValue())))
                .collect(toImmutableList());
        return Optional.of(new ProjectionApplicationResult<>(table.withColumns(columns), projections, unchanged, false));
    }

    /**
     * Returns the ids of columns. They are unknown if the scan reads the time of the files, because an update in place
     * of any column changes it.
     */
    static Optional<Set<Integer>> columns(Collection<ColumnHandle> columns)
    {
        ImmutableSet.Builder<Integer> ids = ImmutableSet.builder();
        for (ColumnHandle column : columns) {
            switch (column) {
                case AlbisColumnHandle stored -> ids.add(stored.id());
                case HiddenColumnHandle hidden -> {
                    if (hidden.column() == FILE_MODIFIED_TIME) {
                        return Optional.empty();
                    }
                }
                default -> throw new IllegalArgumentException("Unknown column: " + column);
            }
        }
        return Optional.of(ids.build());
    }

    private static Type type(ColumnHandle column)
    {
        return switch (column) {
            case AlbisColumnHandle stored -> stored.type();
            case HiddenColumnHandle hidden -> hidden.column().type();
            default -> throw new IllegalArgumentException("Unknown column: " + column);
        };
    }

    /**
     * Returns the ids of the columns by which the rows of a scan are filtered, by the scan or by the engine.
     *
     * @param constraint what the engine evaluates
     * @param dynamicFilterColumns columns with dynamic filters
     */
    public static Set<Integer> filtered(AlbisTableHandle table, Constraint constraint, Set<ColumnHandle> dynamicFilterColumns)
    {
        Set<ColumnHandle> columns = ImmutableSet.<ColumnHandle>builder()
                .addAll(table.predicate().getDomains().map(Map::keySet).orElse(ImmutableSet.of()))
                .addAll(extractVariables(constraint.getExpression()).stream()
                        .map(variable -> constraint.getAssignments().get(variable.getName()))
                        // arguments of lambda expressions are variables, too
                        .filter(Objects::nonNull)
                        .iterator())
                .addAll(dynamicFilterColumns)
                .build();
        return columns(columns).orElse(ImmutableSet.of());
    }

    /**
     * Returns the ids of all columns that a scan reads; empty if they are not known.
     */
    public static Optional<Set<Integer>> of(AlbisTableHandle table)
    {
        Set<AlbisColumnHandle> filtered = table.predicate().getDomains().map(Map::keySet).orElse(ImmutableSet.of());
        return table.columns().map(columns -> ImmutableSet.<Integer>builder()
                .addAll(columns)
                .addAll(filtered.stream().map(AlbisColumnHandle::id).iterator())
                .addAll(table.tests().columns().stream().map(AlbisColumnHandle::id).iterator())
                .build());
    }
}
