package io.albis.trino.view;

import io.albis.table.Warehouse;
import io.albis.table.alter.Change;
import io.albis.table.version.AlbisTable;
import io.albis.trino.relation.TableLoader;
import io.trino.spi.connector.SchemaTableName;

import java.util.Optional;
import java.util.function.Function;

import static io.albis.trino.error.AlbisErrors.translate;
import static io.albis.trino.error.AlbisErrors.translateAction;
import static java.util.Objects.requireNonNull;

/**
 * The changes that views and materialized views have in common.
 */
final class ViewChanges
{
    private final Warehouse warehouse;
    private final TableLoader tables;
    private final Function<SchemaTableName, AlbisTable> loader;

    /**
     * @param loader loads a view, or throws an exception that says that there is none
     */
    ViewChanges(Warehouse warehouse, TableLoader tables, Function<SchemaTableName, AlbisTable> loader)
    {
        this.warehouse = requireNonNull(warehouse, "warehouse is null");
        this.tables = requireNonNull(tables, "tables is null");
        this.loader = requireNonNull(loader, "loader is null");
    }

    void drop(SchemaTableName name)
    {
        AlbisTable view = loader.apply(name);
        translateAction(() -> warehouse.dropTable(view));
        tables.forget(name);
    }

    void rename(SchemaTableName source, SchemaTableName target)
    {
        AlbisTable view = loader.apply(source);
        translate(() -> warehouse.renameTable(view, target.getSchemaName(), target.getTableName()));
        tables.forget(source);
        tables.forget(target);
    }

    void setColumnComment(SchemaTableName name, String columnName, Optional<String> comment)
    {
        alter(name, new Change.AlteredView(view -> view.withColumnComment(columnName, comment)));
    }

    void setOwner(SchemaTableName name, String user)
    {
        alter(name, new Change.AlteredView(view -> view.withOwner(user)));
    }

    void alter(SchemaTableName name, Change change)
    {
        AlbisTable view = loader.apply(name);
        translate(() -> warehouse.alter(view, change));
        tables.forget(name);
    }
}
