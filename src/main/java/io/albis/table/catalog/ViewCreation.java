package io.albis.table.catalog;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.airlift.log.Logger;
import io.albis.table.model.NewTable;
import io.albis.table.model.TableColumn;
import io.albis.table.model.TableDefinition;
import io.albis.table.model.TableException;
import io.albis.table.model.TableName;
import io.albis.table.model.TableVersion;
import io.albis.table.model.ViewDefinition;
import io.albis.table.name.StoredFolder;
import io.albis.table.name.TableEntry;
import io.albis.table.path.WarehousePaths;
import io.albis.table.version.AlbisTable;
import io.albis.table.version.Commits;
import io.albis.table.version.TableStorage;
import io.trino.filesystem.Location;

import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import static com.google.common.base.Preconditions.checkState;
import static io.albis.table.model.TableException.Reason.ALREADY_EXISTS;
import static io.albis.table.model.TableException.Reason.OUTCOME_UNKNOWN;
import static io.albis.table.model.TableOperation.CREATE;
import static io.albis.table.model.TableVersion.FIRST_SCHEMA_ID;
import static io.albis.table.model.TableVersion.FIRST_VERSION;
import static io.albis.table.model.TableVersion.MATERIALIZED_VIEW;
import static io.albis.table.model.TableVersion.VIEW;
import static java.util.Objects.requireNonNull;

/**
 * Creates views. A view is a table whose versions have a definition instead of columns and rows, so it is found,
 * renamed, dropped, and registered as a table is, and a name cannot refer to both. Its folder is always in the
 * warehouse, because it contains nothing but versions. A materialized view is a table with a definition, columns, and
 * rows.
 */
public final class ViewCreation
{
    private static final Logger log = Logger.get(ViewCreation.class);

    private final WarehousePaths paths;
    private final SchemaKeys keys;
    private final Tables tables;
    private final TableCreation creation;
    private final NewEntries newEntries;
    private final FolderLocations folders;
    private final Commits commits;

    public ViewCreation(WarehousePaths paths, SchemaKeys keys, Tables tables, TableCreation creation, NewEntries newEntries, FolderLocations folders, Commits commits)
    {
        this.paths = requireNonNull(paths, "paths is null");
        this.keys = requireNonNull(keys, "keys is null");
        this.tables = requireNonNull(tables, "tables is null");
        this.creation = requireNonNull(creation, "creation is null");
        this.newEntries = requireNonNull(newEntries, "newEntries is null");
        this.folders = requireNonNull(folders, "folders is null");
        this.commits = requireNonNull(commits, "commits is null");
    }

    /**
     * Creates a view: its first version, and then the entry of its name, which makes the view visible.
     *
     * @param storage columns, properties, and location of a materialized view; empty for a view that stores no rows
     * @throws TableException SCHEMA_NOT_FOUND, OUTCOME_UNKNOWN; ALREADY_EXISTS if a table or a view has the name;
     *         INVALID_DEFINITION, LOCATION_NOT_ALLOWED, or NOT_SUPPORTED for the location
     */
    public AlbisTable create(String schemaName, String viewName, ViewDefinition view, Optional<String> comment, Optional<TableDefinition> storage)
            throws IOException
    {
        return commits.commitFirst(() -> makeView(schemaName, viewName, view, comment, storage));
    }

    private AlbisTable makeView(String schemaName, String viewName, ViewDefinition view, Optional<String> comment, Optional<TableDefinition> definition)
            throws IOException
    {
        String key = keys.resolve(schemaName).orElseThrow(() -> Schemas.notFound(schemaName)).key();
        // Checked before anything is written
        if (tables.isTaken(key, viewName)) {
            throw new TableException(ALREADY_EXISTS, "A table or view '%s.%s' already exists", schemaName, viewName);
        }
        UUID uuid = UUID.randomUUID();
        Location folder = WarehousePaths.newTableFolder(paths.schemaFolder(schemaName), viewName, uuid);
        if (definition.isPresent()) {
            NewTable newTable = creation.prepare(schemaName, viewName, definition.get());
            uuid = newTable.uuid();
            folder = newTable.folder();
        }
        StoredFolder stored = folders.toStored(folder);
        TableStorage storage = tables.open(folder, uuid);
        TableVersion version = firstVersion(new TableName(key, viewName, UUID.randomUUID(), 1), uuid, stored, view, comment, definition).withSummary(commits.summary());
        putVersion(storage, version);
        TableName name = version.name().orElseThrow();
        TableEntry entry = new TableEntry(0, name.entry(), key, viewName, uuid, stored, name.generation(), Optional.empty(), TableEntry.kind(version));
        try {
            newEntries.create(schemaName, storage, version, entry);
        }
        catch (TableException e) {
            if (e.reason() == ALREADY_EXISTS) {
                abandon(storage, version);
            }
            throw e;
        }
        catch (IOException e) {
            abandon(storage, version);
            throw e;
        }
        return storage.table(schemaName, viewName, version);
    }

    private void putVersion(TableStorage storage, TableVersion version)
            throws IOException
    {
        try {
            checkState(storage.versions().create(version), "another client has created a version in the new folder %s", storage.folder());
        }
        catch (TableException e) {
            if (e.reason() != OUTCOME_UNKNOWN) {
                throw e;
            }
            // No entry refers to the version, so the view certainly does not exist
            abandon(storage, version);
            throw new IOException(e.getMessage(), e);
        }
    }

    /**
     * Drops a view that has no entry, so that vacuum frees it and nobody takes it for a lost one. If this fails, it
     * does no harm.
     */
    private void abandon(TableStorage storage, TableVersion version)
    {
        try {
            commits.commit(storage.versions(), version.version(), next -> NewEntries.dropAfter(version, next));
        }
        catch (IOException | RuntimeException e) {
            log.debug(e, "Cannot drop the view at %s, which has no name", storage.folder());
        }
    }

    private static TableVersion firstVersion(TableName name, UUID uuid, StoredFolder folder, ViewDefinition view, Optional<String> comment, Optional<TableDefinition> definition)
    {
        List<TableColumn> columns = definition.map(TableDefinition::columns).orElse(ImmutableList.of());
        return new TableVersion(
                uuid,
                FIRST_VERSION,
                UUID.randomUUID(),
                Optional.empty(),
                Instant.now().truncatedTo(ChronoUnit.MILLIS),
                CREATE.label(),
                ImmutableMap.of(),
                Optional.of(name),
                folder.warehouse(),
                definition.flatMap(TableDefinition::location).isPresent(),
                FIRST_SCHEMA_ID,
                columns,
                definition.map(TableDefinition::columnGroups).orElse(ImmutableList.of()),
                definition.map(TableDefinition::properties).orElse(ImmutableMap.of()),
                comment,
                ImmutableList.of(),
                definition.isPresent() ? ImmutableList.of(VIEW, MATERIALIZED_VIEW) : ImmutableList.of(VIEW),
                ImmutableList.of(),
                columns.stream().mapToInt(TableColumn::id).max().orElse(0),
                ImmutableMap.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(view));
    }
}
