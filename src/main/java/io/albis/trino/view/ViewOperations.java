package io.albis.trino.view;

import io.albis.table.Warehouse;
import io.albis.table.WarehouseViews.Kind;
import io.albis.table.alter.Change;
import io.albis.table.model.TableException;
import io.albis.table.model.ViewDefinition;
import io.albis.table.name.NameEntry;
import io.albis.table.version.AlbisTable;
import io.albis.trino.relation.TableLoader;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorViewDefinition;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.connector.ViewNotFoundException;

import java.util.Optional;

import static io.albis.table.model.TableException.Reason.CONFLICT;
import static io.albis.trino.error.AlbisErrors.translate;
import static io.albis.trino.error.AlbisErrors.unreadableEntry;
import static java.util.Objects.requireNonNull;

/**
 * Finds, creates, and changes views.
 */
public class ViewOperations
{
    private final Warehouse warehouse;
    private final TableLoader tables;
    private final ExpandedViews expanded;
    private final ViewChanges changes;

    public ViewOperations(Warehouse warehouse, TableLoader tables, ExpandedViews expanded)
    {
        this.warehouse = requireNonNull(warehouse, "warehouse is null");
        this.tables = requireNonNull(tables, "tables is null");
        this.expanded = requireNonNull(expanded, "expanded is null");
        this.changes = new ViewChanges(warehouse, tables, this::load);
    }

    /**
     * Returns the definition of a view; empty if there is no such view, or if the name refers to a table, even to one
     * that cannot be loaded.
     *
     * @throws TrinoException if the view cannot be loaded
     */
    public Optional<ConnectorViewDefinition> find(SchemaTableName name)
    {
        try {
            Optional<AlbisTable> view = tables.findView(name);
            view.ifPresent(expanded::add);
            return view.map(ViewDefinitions::toConnector);
        }
        catch (TrinoException e) {
            if (isUnreadableView(name, e)) {
                throw e;
            }
            return Optional.empty();
        }
    }

    /**
     * Returns whether a name refers to a view, even to one that cannot be loaded, so that it can be dropped.
     */
    public boolean isView(SchemaTableName name)
    {
        try {
            return tables.findView(name).isPresent();
        }
        catch (TrinoException e) {
            return isUnreadableView(name, e);
        }
    }

    /**
     * Returns whether a name that could not be loaded refers to a view, or throws the failure if that is unknown.
     */
    private boolean isUnreadableView(SchemaTableName name, TrinoException failure)
    {
        Optional<NameEntry> entry = unreadableEntry(failure);
        if (entry.isEmpty()) {
            throw failure;
        }
        return translate(() -> warehouse.views().kind(name.getTableName(), entry.get())) == Kind.VIEW;
    }

    /**
     * Creates a view.
     *
     * @param replace whether to replace a view of the same name, which keeps its history
     */
    public void create(SchemaTableName name, ConnectorViewDefinition definition, boolean replace)
    {
        new RelationCreation(name, ViewDefinitions.toStored(definition), definition.getComment(), Optional.empty())
                .run(warehouse, tables, replace, false);
    }

    /**
     * Sets the columns of a view to those that its query has now.
     *
     * @throws TrinoException with code TRANSACTION_CONFLICT if others have changed the view since this transaction has
     *         read it, because the new definition would take their change back
     */
    public void refresh(SchemaTableName name, ConnectorViewDefinition definition)
    {
        ViewDefinition read = load(name).version().view().orElseThrow();
        ViewDefinition refreshed = ViewDefinitions.toStored(definition);
        changes.alter(name, new Change.AlteredView(current -> {
            if (!current.equals(read)) {
                throw new TableException(CONFLICT, "Another transaction has changed the view '%s'. Retry the statement", name);
            }
            return refreshed;
        }));
    }

    public void rename(SchemaTableName source, SchemaTableName target)
    {
        changes.rename(source, target);
    }

    public void drop(SchemaTableName name)
    {
        changes.drop(name);
    }

    public void setComment(SchemaTableName name, Optional<String> comment)
    {
        changes.alter(name, new Change.TableComment(comment));
    }

    public void setColumnComment(SchemaTableName name, String columnName, Optional<String> comment)
    {
        changes.setColumnComment(name, columnName, comment);
    }

    /**
     * Sets the user with whose privileges the view reads tables.
     */
    public void setOwner(SchemaTableName name, String user)
    {
        changes.setOwner(name, user);
    }

    private AlbisTable load(SchemaTableName name)
    {
        return tables.findView(name)
                .orElseThrow(() -> new ViewNotFoundException(name));
    }
}
