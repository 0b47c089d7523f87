package io.albis.table;

import com.google.common.collect.ImmutableList;
import io.albis.table.alter.Change;
import io.albis.table.catalog.ResolvedSchema;
import io.albis.table.model.Materialization.Refresh;
import io.albis.table.model.TableDefinition;
import io.albis.table.model.TableException;
import io.albis.table.model.TableRows;
import io.albis.table.model.ViewDefinition;
import io.albis.table.name.NameEntry;
import io.albis.table.name.TableEntry;
import io.albis.table.name.TableNameStorage.LiveName;
import io.albis.table.path.Names;
import io.albis.table.put.Interruptions;
import io.albis.table.version.AlbisTable;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

import static io.albis.table.model.TableException.Reason.SCHEMA_NOT_FOUND;
import static io.albis.table.put.StorageCalls.unchecked;
import static java.util.Objects.requireNonNull;

/**
 * The views of a warehouse. {@link Warehouse} has the operations that are the same for tables and views: a view is
 * loaded, renamed, and dropped as a table is.
 * <p>
 * All methods throw the exceptions of {@link Warehouse}.
 */
public final class WarehouseViews
{
    private final WarehouseParts parts;

    WarehouseViews(WarehouseParts parts)
    {
        this.parts = requireNonNull(parts, "parts is null");
    }

    public enum Kind
    {
        TABLE, VIEW, MATERIALIZED_VIEW;

        private static Kind of(Optional<String> kind)
        {
            return switch (kind.orElse("")) {
                case TableEntry.VIEW -> VIEW;
                case TableEntry.MATERIALIZED_VIEW -> MATERIALIZED_VIEW;
                default -> TABLE;
            };
        }
    }

    /**
     * A name that refers to a table or a view.
     *
     * @param entry the entry of the name
     * @param mayBeView whether it may refer to a view, which {@link #kind} decides; otherwise, it refers to a table
     */
    public record ListedName(String name, NameEntry entry, boolean mayBeView) {}

    /**
     * Creates a view.
     *
     * @param storage columns, properties, and location of a materialized view; empty for a view that stores no rows
     * @throws TableException INVALID_NAME, SCHEMA_NOT_FOUND, OUTCOME_UNKNOWN; ALREADY_EXISTS if a table or a view has
     *         the name; INVALID_DEFINITION, LOCATION_NOT_ALLOWED, or NOT_SUPPORTED for the location
     */
    public AlbisTable create(String schemaName, String viewName, ViewDefinition view, Optional<String> comment, Optional<TableDefinition> storage)
    {
        Names.checkTableName(viewName);
        if (!Names.isPossible(schemaName)) {
            throw new TableException(SCHEMA_NOT_FOUND, "Schema '%s' does not exist", schemaName);
        }
        return unchecked(() -> parts.viewCreation().create(schemaName, viewName, view, comment, storage));
    }

    /**
     * Replaces a view by one of the same kind.
     *
     * @param storage columns with the ids 1, 2, and so on, and properties of a materialized view, which has no rows
     *         afterwards; empty for a view that stores no rows
     * @throws TableException TABLE_NOT_FOUND if the view was dropped or renamed; CONFLICT, OUTCOME_UNKNOWN
     */
    public AlbisTable replace(AlbisTable base, ViewDefinition view, Optional<String> comment, Optional<TableDefinition> storage)
    {
        return unchecked(() -> parts.changes().alter(base, new Change.View(base.version().name(), view, comment, storage)));
    }

    /**
     * Commits a refresh of a materialized view, with rows that are already in its folder.
     *
     * @param base the materialized view as it was when the statement started, before it wrote its first file
     * @param append whether the rows are added to those of {@code base}; otherwise, they replace them
     * @throws TableException TABLE_NOT_FOUND, OUTCOME_UNKNOWN; CONFLICT if others have replaced or refreshed it
     */
    public AlbisTable refresh(AlbisTable base, TableRows rows, Refresh refresh, boolean append)
    {
        return unchecked(() -> parts.changes().refresh(base, rows, refresh, append));
    }

    /**
     * Returns the names of the tables and views of a schema in no particular order; empty if the schema does not exist.
     */
    public List<ListedName> list(String schemaName)
    {
        if (!Names.isPossible(schemaName)) {
            return ImmutableList.of();
        }
        return unchecked(() -> {
            Optional<ResolvedSchema> schema = parts.keys().resolve(schemaName);
            if (schema.isEmpty()) {
                return ImmutableList.of();
            }
            String key = schema.get().key();
            ImmutableList.Builder<ListedName> listed = ImmutableList.builder();
            for (LiveName name : parts.names().liveNames(key)) {
                listed.add(new ListedName(name.name(), new NameEntry(key, name.number()), name.mayBeView()));
            }
            return listed.build();
        });
    }

    /**
     * Returns what an entry refers to, even if that cannot be loaded. Reads the entry.
     *
     * @return TABLE if the entry is damaged or cannot be read
     */
    public Kind kind(String name, NameEntry entry)
    {
        return unchecked(() -> {
            try {
                return Kind.of(parts.names().kind(entry.schemaKey(), name, entry.number()));
            }
            catch (IOException e) {
                if (Interruptions.isInterrupted(e)) {
                    throw e;
                }
                return Kind.TABLE;
            }
        });
    }
}
