package io.albis.table.catalog;

import io.albis.table.model.TableException;
import io.albis.table.model.TableVersion;
import io.albis.table.name.StoredFolder;
import io.albis.table.name.WarehouseIdentity;
import io.albis.table.path.WarehousePaths;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.Location;

import java.io.IOException;
import java.util.Optional;

import static io.albis.format.io.AlbisDataException.damaged;
import static io.albis.table.model.TableException.Reason.NOT_SUPPORTED;
import static java.util.Objects.requireNonNull;

/**
 * Converts the folders of schemas and tables between locations and the form in which entries store them, and checks
 * which folders this warehouse may write to.
 */
public final class FolderLocations
{
    private final WarehousePaths paths;
    private final WarehouseIdentity identity;

    public FolderLocations(WarehousePaths paths, WarehouseIdentity identity)
    {
        this.paths = requireNonNull(paths, "paths is null");
        this.identity = requireNonNull(identity, "identity is null");
    }

    /**
     * Returns the location of a folder.
     *
     * @param file file that contains the folder, for error messages
     * @throws io.albis.format.io.AlbisDataException if the folder is not a valid location
     */
    Location toLocation(StoredFolder folder, Location file)
            throws IOException
    {
        if (folder.warehouse().isEmpty()) {
            return folder.path().isEmpty() ? paths.root() : paths.root().appendPath(folder.path());
        }
        try {
            return Location.of(folder.path());
        }
        catch (IllegalArgumentException e) {
            throw damaged("Damaged Albis file %s: '%s' is not a valid location", file, folder.path());
        }
    }

    /**
     * Checks the conditions of {@link #toStored} without writing anything.
     *
     * @throws TableException NOT_SUPPORTED if this warehouse cannot use the location
     */
    void checkUsable(Location location)
            throws IOException
    {
        if (paths.relativePath(location).isEmpty()) {
            identity.checkUsable(location);
        }
    }

    /**
     * Returns the form in which entries store a location. For a location outside of the warehouse, this gives the
     * warehouse an identity if it has none.
     *
     * @throws TableException NOT_SUPPORTED if the location is outside of the warehouse and this warehouse is a copy of
     *         another one, or cannot be distinguished from a copy
     */
    public StoredFolder toStored(Location location)
            throws IOException
    {
        Optional<String> relative = paths.relativePath(location);
        if (relative.isPresent()) {
            return new StoredFolder(Optional.empty(), relative.get());
        }
        return new StoredFolder(Optional.of(identity.getOrCreate(location)), location.toString());
    }

    /**
     * Returns whether a folder is outside of this warehouse and belongs to another one. This warehouse can then only
     * read it.
     *
     * @param location location of {@code folder}
     */
    boolean isForeign(StoredFolder folder, Location location)
            throws IOException
    {
        return folder.warehouse().isPresent() && !identity.isOwn(folder.warehouse().get(), location);
    }

    /**
     * Checks that this warehouse may write to a folder.
     *
     * @param what noun phrase for the error message, such as: Table 's.t'
     * @throws TableException NOT_SUPPORTED if the folder belongs to another warehouse
     */
    public void checkWritable(StoredFolder folder, String what)
            throws IOException
    {
        if (folder.warehouse().isPresent()) {
            identity.checkOwn(folder.warehouse().get(), what, Location.of(folder.path()));
        }
    }

    /**
     * Returns whether this warehouse may write to a folder in which a version was found.
     */
    public boolean isOwn(Location folder, TableVersion version)
            throws IOException
    {
        return version.warehouse().isPresent() ? identity.isOwn(version.warehouse().get(), folder) : paths.relativePath(folder).isPresent();
    }

    /**
     * Checks that this warehouse may write to a folder in which a version was found.
     *
     * @throws TableException NOT_SUPPORTED if the folder belongs to another warehouse
     */
    void checkOwner(Location folder, TableVersion version)
            throws IOException
    {
        if (version.warehouse().isPresent()) {
            identity.checkOwn(version.warehouse().get(), "The table", folder);
        }
        else if (paths.relativePath(folder).isEmpty()) {
            throw new TableException(NOT_SUPPORTED, "The table at %s is inside of another warehouse than the one at %s. Use that warehouse, or copy the rows with CREATE TABLE AS", folder, paths.root());
        }
    }

    /**
     * Checks that this warehouse may write to a table.
     *
     * @throws TableException NOT_SUPPORTED if the table belongs to another warehouse
     */
    public void checkWritable(AlbisTable table)
            throws IOException
    {
        if (table.version().warehouse().isPresent()) {
            identity.checkOwn(table.version().warehouse().get(), "Table '%s.%s'".formatted(table.schemaName(), table.tableName()), table.folder());
        }
    }
}
