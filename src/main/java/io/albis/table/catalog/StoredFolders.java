package io.albis.table.catalog;

import io.albis.table.name.StoredFolder;
import io.albis.table.name.WarehouseIdentity;
import io.albis.table.path.WarehousePaths;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.Location;

import java.io.IOException;
import java.util.Optional;

import static io.albis.format.io.AlbisDataException.damaged;
import static java.util.Objects.requireNonNull;

/**
 * Folders of schemas and tables, as entries keep them and as locations.
 */
public final class StoredFolders
{
    private final WarehousePaths layout;
    private final WarehouseIdentity identity;

    public StoredFolders(WarehousePaths layout, WarehouseIdentity identity)
    {
        this.layout = requireNonNull(layout, "layout is null");
        this.identity = requireNonNull(identity, "identity is null");
    }

    /**
     * @param file that names the folder
     */
    Location toLocation(StoredFolder folder, Location file)
            throws IOException
    {
        if (folder.warehouse().isEmpty()) {
            return folder.path().isEmpty() ? layout.root() : layout.root().appendPath(folder.path());
        }
        try {
            return Location.of(folder.path());
        }
        catch (IllegalArgumentException e) {
            throw damaged("Damaged Albis file %s: %s is no folder", file, folder.path());
        }
    }

    /**
     * As {@link #toStored}, and writes nothing.
     *
     * @throws TableException NOT_SUPPORTED
     */
    void checkUsable(Location location)
            throws IOException
    {
        if (layout.relativePath(location).isEmpty()) {
            identity.checkUsable(location);
        }
    }

    /**
     * @throws TableException NOT_SUPPORTED if the folder is outside and this warehouse is the copy of another one, or could
     *         not be told from a copy
     */
    StoredFolder toStored(Location location)
            throws IOException
    {
        Optional<String> relative = layout.relativePath(location);
        if (relative.isPresent()) {
            return new StoredFolder(Optional.empty(), relative.get());
        }
        return new StoredFolder(Optional.of(identity.getOrCreate(location)), location.toString());
    }

    /**
     * Whether a folder is outside and belongs to another warehouse. It may be read and not written to.
     *
     * @param location of {@code folder}
     */
    boolean isForeign(StoredFolder folder, Location location)
            throws IOException
    {
        return folder.warehouse().isPresent() && !identity.isOwn(folder.warehouse().get(), location);
    }

    /**
     * @throws TableException NOT_SUPPORTED
     */
    public void checkWritable(StoredFolder folder, String what)
            throws IOException
    {
        if (folder.warehouse().isPresent()) {
            identity.checkOwn(folder.warehouse().get(), what, Location.of(folder.path()));
        }
    }

    /**
     * @throws TableException NOT_SUPPORTED
     */
    public void checkWritable(AlbisTable table)
            throws IOException
    {
        if (table.version().warehouse().isPresent()) {
            identity.checkOwn(table.version().warehouse().get(), "Table '%s.%s'".formatted(table.schemaName(), table.tableName()), table.folder());
        }
    }
}
