package io.albis.table.version;

import io.albis.format.metadata.RowGroup;
import io.albis.table.manifest.Manifests;
import io.albis.table.model.TableRows;
import io.albis.table.model.TableVersion;
import io.albis.table.path.WarehousePaths;
import io.albis.table.put.StorageCalls;
import io.albis.table.sketch.ColumnSketches;
import io.trino.filesystem.Location;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * A snapshot of a table, which later commits do not change. This class is thread-safe.
 */
public final class AlbisTable
{
    private final String schemaName;
    private final String tableName;
    private final Location folder;
    private final TableVersion version;
    private final Manifests manifests;

    private volatile List<TableRows> contents;
    private volatile List<RowGroup> rowGroups;
    private volatile ColumnSketches sketches;

    AlbisTable(String schemaName, String tableName, Location folder, TableVersion version, Manifests manifests)
    {
        this.schemaName = requireNonNull(schemaName, "schemaName is null");
        this.tableName = requireNonNull(tableName, "tableName is null");
        this.folder = requireNonNull(folder, "folder is null");
        this.version = requireNonNull(version, "version is null");
        this.manifests = requireNonNull(manifests, "manifests is null");
    }

    /**
     * Returns the id of the table.
     */
    public UUID uuid()
    {
        return version.uuid();
    }

    public String schemaName()
    {
        return schemaName;
    }

    public String tableName()
    {
        return tableName;
    }

    /**
     * Returns the folder with the files of the table.
     */
    public Location folder()
    {
        return folder;
    }

    /**
     * Returns the location that the user specified for the table, which contains the folder of the table; empty if the
     * table is at the location of its schema.
     */
    public Optional<Location> explicitLocation()
    {
        return version.explicitLocation() ? Optional.of(WarehousePaths.withoutTrailingSlash(folder.parentDirectory())) : Optional.empty();
    }

    public TableVersion version()
    {
        return version;
    }

    /**
     * Returns the row groups of the table. The first call reads the manifests from storage, and the result is retained.
     * The order is that of the manifests, which merging changes, so it need not be the order of the commits.
     *
     * @throws java.io.UncheckedIOException with an {@link io.albis.format.io.AlbisDataException} as its cause if a
     *         manifest is damaged, or with another IOException if the storage fails
     */
    public List<RowGroup> rowGroups()
    {
        if (rowGroups == null) {
            rowGroups = contents().stream()
                    .flatMap(content -> content.rowGroups().stream())
                    .collect(toImmutableList());
        }
        return rowGroups;
    }

    /**
     * Returns the sketches of the columns over all row groups. Reads the manifests as {@link #rowGroups} does, with the
     * same errors.
     */
    public ColumnSketches sketches()
    {
        if (sketches == null) {
            sketches = manifests.sketches(version, contents());
        }
        return sketches;
    }

    private List<TableRows> contents()
    {
        if (contents == null) {
            contents = StorageCalls.unchecked(() -> manifests.readAll(version.manifests()));
        }
        return contents;
    }

    /**
     * Returns the number of rows of the table without reading from storage.
     */
    public long rowCount()
    {
        return version.rowCount();
    }

    @Override
    public String toString()
    {
        return schemaName + "." + tableName + "@" + version.version();
    }
}
