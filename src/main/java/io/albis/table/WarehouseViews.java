package io.albis.table;

import com.google.common.collect.ImmutableList;
import io.albis.table.model.TableException;
import io.albis.table.model.ViewDefinition;
import io.albis.table.name.TableNameStorage.LiveName;
import io.albis.table.path.Names;
import io.albis.table.put.Interruptions;
import io.albis.table.version.AlbisTable;
import io.albis.table.version.Change;

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

    /**
     * A name that leads to a table or a view.
     *
     * @param entryNumber number of the entry of the name
     * @param mayBeView whether it may lead to a view, which {@link #isView} decides; otherwise, it leads to a table
     */
    public record ListedName(String name, long entryNumber, boolean mayBeView) {}

    /**
     * Creates a view.
     *
     * @throws TableException INVALID_NAME, SCHEMA_NOT_FOUND, OUTCOME_UNKNOWN; ALREADY_EXISTS if a table or a view has
     *         the name
     */
    public AlbisTable create(String schemaName, String viewName, ViewDefinition view, Optional<String> comment)
    {
        Names.checkTableName(viewName);
        if (!Names.isPossible(schemaName)) {
            throw new TableException(SCHEMA_NOT_FOUND, "Schema '%s' does not exist", schemaName);
        }
        return unchecked(() -> parts.viewCreation().create(schemaName, viewName, view, comment));
    }

    /**
     * Replaces the definition and the comment of a view.
     *
     * @throws TableException TABLE_NOT_FOUND if the view was dropped or renamed; CONFLICT, OUTCOME_UNKNOWN
     */
    public AlbisTable replace(AlbisTable base, ViewDefinition view, Optional<String> comment)
    {
        return unchecked(() -> parts.changes().alter(base, new Change.View(base.version().name(), view, comment)));
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
            if (!parts.schemas().exists(schemaName)) {
                return ImmutableList.of();
            }
            ImmutableList.Builder<ListedName> listed = ImmutableList.builder();
            for (LiveName name : parts.names().liveNames(schemaName)) {
                listed.add(new ListedName(name.name(), name.number(), name.mayBeView()));
            }
            return listed.build();
        });
    }

    /**
     * Returns whether an entry leads to a view, even if the view cannot be loaded. Reads the entry.
     *
     * @return false also if the entry is damaged or cannot be read
     */
    public boolean isView(String schemaName, String name, long entryNumber)
    {
        return unchecked(() -> {
            try {
                return parts.names().isView(schemaName, name, entryNumber);
            }
            catch (IOException e) {
                if (Interruptions.isInterrupted(e)) {
                    throw e;
                }
                return false;
            }
        });
    }
}
