package io.albis.trino.security;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.trino.relation.StorageTables;
import io.albis.trino.system.SystemTableType;
import io.trino.plugin.base.security.ForwardingConnectorAccessControl;
import io.trino.spi.connector.ColumnSchema;
import io.trino.spi.connector.ConnectorAccessControl;
import io.trino.spi.connector.ConnectorSecurityContext;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.security.AccessDeniedException;
import io.trino.spi.security.ViewExpression;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static io.albis.trino.system.SystemTableType.FILES;
import static io.albis.trino.system.SystemTableType.PARTITIONS;
import static io.trino.spi.security.AccessDeniedException.denyExecuteTableProcedure;
import static io.trino.spi.security.AccessDeniedException.denySelectTable;
import static java.util.Objects.requireNonNull;

/**
 * Applies the rules of a table to its system tables, such as {@code "t$files"}, and to its procedures, and those of a
 * materialized view to its storage table. Without it, a rule for {@code t} would not apply to them.
 */
public class SystemTableAccessControl
        extends ForwardingConnectorAccessControl
{
    private final ConnectorAccessControl delegate;

    public SystemTableAccessControl(ConnectorAccessControl delegate)
    {
        this.delegate = requireNonNull(delegate, "delegate is null");
    }

    @Override
    protected ConnectorAccessControl delegate()
    {
        return delegate;
    }

    @Override
    public void checkCanSelectFromColumns(ConnectorSecurityContext context, SchemaTableName tableName, Optional<String> branch, Set<String> columnNames)
    {
        Optional<SystemTableType> type = SystemTableType.of(tableName.getTableName());
        if (type.isEmpty()) {
            delegate.checkCanSelectFromColumns(context, StorageTables.baseOf(tableName), branch, columnNames);
            return;
        }
        SchemaTableName table = SystemTableType.baseTable(tableName);
        delegate.checkCanSelectFromColumns(context, table, branch, ImmutableSet.of());
        if ((type.get() == FILES || type.get() == PARTITIONS) && !delegate.getRowFilters(context, table).isEmpty()) {
            // the bounds are values of rows that the user may not see
            denySelectTable(tableName.toString(), "Rows of table %s are filtered".formatted(table));
        }
    }

    @Override
    public void checkCanCreateViewWithSelectFromColumns(ConnectorSecurityContext context, SchemaTableName tableName, Optional<String> branch, Set<String> columnNames)
    {
        if (isSystemTable(tableName)) {
            checkCanSelectFromColumns(context, tableName, branch, columnNames);
            delegate.checkCanCreateViewWithSelectFromColumns(context, SystemTableType.baseTable(tableName), branch, ImmutableSet.of());
            return;
        }
        delegate.checkCanCreateViewWithSelectFromColumns(context, StorageTables.baseOf(tableName), branch, columnNames);
    }

    @Override
    public void checkCanShowColumns(ConnectorSecurityContext context, SchemaTableName tableName)
    {
        delegate.checkCanShowColumns(context, ruled(tableName));
    }

    @Override
    public void checkCanShowCreateTable(ConnectorSecurityContext context, SchemaTableName tableName)
    {
        delegate.checkCanShowCreateTable(context, ruled(tableName));
    }

    /**
     * Returns the table or the materialized view whose rules apply.
     */
    private static SchemaTableName ruled(SchemaTableName tableName)
    {
        return isSystemTable(tableName) ? SystemTableType.baseTable(tableName) : StorageTables.baseOf(tableName);
    }

    @Override
    public Map<SchemaTableName, Set<String>> filterColumns(ConnectorSecurityContext context, Map<SchemaTableName, Set<String>> tableColumns)
    {
        ImmutableMap.Builder<SchemaTableName, Set<String>> tables = ImmutableMap.builder();
        ImmutableMap.Builder<SchemaTableName, Set<String>> others = ImmutableMap.builder();
        tableColumns.forEach((table, columns) -> {
            if (isSystemTable(table)) {
                // checkCanShowColumns has decided about it, and its columns are not those of the table
                others.put(table, columns);
            }
            else if (StorageTables.isStorage(table)) {
                SchemaTableName view = StorageTables.baseOf(table);
                others.put(table, delegate.filterColumns(context, ImmutableMap.of(view, columns)).getOrDefault(view, ImmutableSet.of()));
            }
            else {
                tables.put(table, columns);
            }
        });
        return others
                .putAll(delegate.filterColumns(context, tables.buildOrThrow()))
                .buildOrThrow();
    }

    @Override
    public List<ViewExpression> getRowFilters(ConnectorSecurityContext context, SchemaTableName tableName)
    {
        return isSystemTable(tableName) ? ImmutableList.of() : delegate.getRowFilters(context, StorageTables.baseOf(tableName));
    }

    @Override
    public Map<ColumnSchema, ViewExpression> getColumnMasks(ConnectorSecurityContext context, SchemaTableName tableName, List<ColumnSchema> columns)
    {
        return isSystemTable(tableName) ? ImmutableMap.of() : delegate.getColumnMasks(context, StorageTables.baseOf(tableName), columns);
    }

    /**
     * Allows the procedures of a table to its owners, because a procedure can change all rows of a table, and can
     * delete its versions. Rules in a file deny no procedure.
     */
    @Override
    public void checkCanExecuteTableProcedure(ConnectorSecurityContext context, SchemaTableName tableName, String procedure)
    {
        delegate.checkCanExecuteTableProcedure(context, tableName, procedure);
        try {
            // owners may do this, and nobody else
            delegate.checkCanSetTableProperties(context, StorageTables.baseOf(tableName), ImmutableMap.of());
        }
        catch (AccessDeniedException _) {
            denyExecuteTableProcedure(tableName.toString(), procedure);
        }
    }

    private static boolean isSystemTable(SchemaTableName tableName)
    {
        return SystemTableType.of(tableName.getTableName()).isPresent();
    }
}
