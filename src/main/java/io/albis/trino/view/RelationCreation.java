package io.albis.trino.view;

import io.albis.table.Warehouse;
import io.albis.table.model.TableDefinition;
import io.albis.table.model.TableException;
import io.albis.table.model.TableVersion;
import io.albis.table.model.ViewDefinition;
import io.albis.table.version.AlbisTable;
import io.albis.trino.relation.TableLoader;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.SchemaNotFoundException;
import io.trino.spi.connector.SchemaTableName;

import java.io.UncheckedIOException;
import java.util.Optional;

import static io.albis.table.model.TableException.Reason.SCHEMA_NOT_FOUND;
import static io.albis.trino.error.AlbisErrors.isTableNotFound;
import static io.albis.trino.error.AlbisErrors.toTrinoException;
import static io.albis.trino.error.AlbisErrors.translate;
import static io.trino.spi.StandardErrorCode.ALREADY_EXISTS;
import static io.trino.spi.StandardErrorCode.TRANSACTION_CONFLICT;
import static java.util.Objects.requireNonNull;

/**
 * Creates or replaces a view or a materialized view.
 *
 * @param definition the definition, which says which kind it is
 * @param storage columns and properties of a materialized view; empty for a view
 */
record RelationCreation(SchemaTableName name, ViewDefinition definition, Optional<String> comment, Optional<TableDefinition> storage)
{
    // each attempt follows a statement of another client that has created or dropped the view
    private static final int MAX_ATTEMPTS = 10;

    RelationCreation
    {
        requireNonNull(name, "name is null");
        requireNonNull(definition, "definition is null");
        requireNonNull(comment, "comment is null");
        requireNonNull(storage, "storage is null");
    }

    /**
     * Creates it.
     *
     * @param replace whether to replace one of the same kind, which keeps its history
     * @param ignoreExisting whether to keep one of the same kind
     * @throws TrinoException with code ALREADY_EXISTS if the name is taken otherwise
     */
    void run(Warehouse warehouse, TableLoader tables, boolean replace, boolean ignoreExisting)
    {
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            Optional<AlbisTable> existing = tables.findRelation(name);
            if (existing.isEmpty()) {
                if (tryCreate(warehouse, tables, replace || ignoreExisting)) {
                    return;
                }
                continue;
            }
            boolean sameKind = existing.get().version().isView() && existing.get().version().isMaterializedView() == storage.isPresent();
            if (sameKind && ignoreExisting) {
                return;
            }
            if (!(sameKind && replace)) {
                throw new TrinoException(ALREADY_EXISTS, "%s '%s' already exists".formatted(kind(existing.get().version()), name));
            }
            if (tryReplace(warehouse, tables, existing.get())) {
                return;
            }
        }
        throw new TrinoException(TRANSACTION_CONFLICT, "Other transactions have created and dropped '%s' during %s attempts to replace it. Retry the statement".formatted(name, MAX_ATTEMPTS));
    }

    private static String kind(TableVersion version)
    {
        if (version.isMaterializedView()) {
            return "Materialized view";
        }
        return version.isView() ? "View" : "Table";
    }

    /**
     * @return false if another transaction has created a relation of this name, and {@code acceptExisting}
     */
    private boolean tryCreate(Warehouse warehouse, TableLoader tables, boolean acceptExisting)
    {
        try {
            warehouse.views().create(name.getSchemaName(), name.getTableName(), definition, comment, storage);
            return true;
        }
        catch (TableException e) {
            if (e.reason() == SCHEMA_NOT_FOUND) {
                // the exception that the engine uses
                throw new SchemaNotFoundException(name.getSchemaName(), e);
            }
            if (acceptExisting && e.reason() == TableException.Reason.ALREADY_EXISTS) {
                return false;
            }
            throw toTrinoException(e);
        }
        catch (UncheckedIOException e) {
            throw toTrinoException(e);
        }
        finally {
            tables.forget(name);
        }
    }

    /**
     * @return false if another transaction has dropped or renamed the view
     */
    private boolean tryReplace(Warehouse warehouse, TableLoader tables, AlbisTable existing)
    {
        try {
            translate(() -> warehouse.views().replace(existing, definition, comment, storage));
            return true;
        }
        catch (TrinoException e) {
            if (isTableNotFound(e)) {
                return false;
            }
            throw e;
        }
        finally {
            tables.forget(name);
        }
    }
}
