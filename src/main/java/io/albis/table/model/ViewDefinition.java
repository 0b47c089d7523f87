package io.albis.table.model;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.google.common.collect.ImmutableList;

import java.util.List;
import java.util.Optional;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_EMPTY;
import static com.google.common.base.Preconditions.checkArgument;
import static io.albis.table.model.TableException.Reason.CONFLICT;
import static io.albis.table.model.TableException.Reason.NOT_SUPPORTED;
import static java.util.Objects.requireNonNull;

/**
 * The definition of a view, as the versions of the view store it.
 *
 * @param sql the query of the view, in the SQL of Trino
 * @param catalog catalog in which the query looks for tables that it names without one; empty if there is none
 * @param schema schema in which the query looks for tables that it names without one; empty if there is none
 * @param columns columns in the order of the view, at least one
 * @param owner user with whose privileges the query reads tables; empty if these are the privileges of the user of the
 *         view
 * @param runAsInvoker whether the query reads tables with the privileges of the user of the view
 * @param path schemas in which the query looks for functions
 * @param materialized what makes the view a materialized view; empty for a view that stores no rows
 */
public record ViewDefinition(
        String sql,
        Optional<String> catalog,
        Optional<String> schema,
        List<ViewColumn> columns,
        Optional<String> owner,
        boolean runAsInvoker,
        @JsonInclude(NON_EMPTY) List<PathSchema> path,
        Optional<Materialization> materialized)
{
    public ViewDefinition
    {
        requireNonNull(sql, "sql is null");
        requireNonNull(catalog, "catalog is null");
        requireNonNull(schema, "schema is null");
        checkArgument(schema.isEmpty() || catalog.isPresent(), "the view has the schema %s, but no catalog", schema);
        columns = ImmutableList.copyOf(columns);
        checkArgument(!columns.isEmpty(), "the view has no columns");
        requireNonNull(owner, "owner is null");
        checkArgument(owner.isEmpty() || !runAsInvoker, "the view runs as its invoker, but has an owner");
        path = path == null ? ImmutableList.of() : ImmutableList.copyOf(path);
        requireNonNull(materialized, "materialized is null");
        checkArgument(materialized.isEmpty() || owner.isPresent(), "a materialized view has no owner");
    }

    /**
     * A column of a view.
     *
     * @param type id of the type, which a table need not be able to store
     */
    public record ViewColumn(String name, String type, Optional<String> comment)
    {
        public ViewColumn
        {
            requireNonNull(name, "name is null");
            requireNonNull(type, "type is null");
            requireNonNull(comment, "comment is null");
        }
    }

    public record PathSchema(String catalog, String schema)
    {
        public PathSchema
        {
            requireNonNull(catalog, "catalog is null");
            requireNonNull(schema, "schema is null");
        }
    }

    /**
     * Returns the definition with another comment of a column.
     *
     * @throws TableException CONFLICT if the view has no such column
     */
    public ViewDefinition withColumnComment(String columnName, Optional<String> comment)
    {
        boolean found = false;
        ImmutableList.Builder<ViewColumn> changed = ImmutableList.builder();
        for (ViewColumn column : columns) {
            boolean matches = column.name().equals(columnName);
            found |= matches;
            changed.add(matches ? new ViewColumn(column.name(), column.type(), comment) : column);
        }
        if (!found) {
            throw new TableException(CONFLICT, "The view no longer has a column '%s'", columnName);
        }
        return new ViewDefinition(sql, catalog, schema, changed.build(), owner, runAsInvoker, path, materialized);
    }

    /**
     * Returns the definition with another owner.
     *
     * @throws TableException NOT_SUPPORTED if the view runs as its invoker, which an owner would change
     */
    public ViewDefinition withOwner(String owner)
    {
        if (runAsInvoker) {
            throw new TableException(NOT_SUPPORTED, "A view with SECURITY INVOKER has no owner. CREATE OR REPLACE VIEW can change this");
        }
        return new ViewDefinition(sql, catalog, schema, columns, Optional.of(owner), false, path, materialized);
    }

    /**
     * Returns the definition of a materialized view after a refresh.
     */
    public ViewDefinition withRefresh(Materialization.Refresh refresh)
    {
        return new ViewDefinition(sql, catalog, schema, columns, owner, runAsInvoker, path, Optional.of(materialized.orElseThrow().withRefresh(Optional.of(refresh))));
    }
}
