package io.albis.table.name;

import io.albis.table.json.JsonFiles;
import io.albis.table.model.TableException;
import io.albis.table.path.WarehousePaths;
import io.albis.table.put.ExclusiveFiles;
import io.albis.table.put.SmallFiles;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.util.Optional;
import java.util.UUID;

import static io.albis.format.io.AlbisDataException.damaged;
import static io.albis.table.json.JsonKind.WAREHOUSE;
import static io.albis.table.model.TableException.Reason.NOT_SUPPORTED;
import static java.util.Objects.requireNonNull;

/**
 * The identity of a warehouse in its file {@code .albis}. The file is created when the warehouse first gets a folder
 * outside of its root. It distinguishes the warehouse from its copies, because a copy has the same id but another root.
 * Only the original may write to folders outside of its root, so that a copy never changes the data of the original.
 * <p>
 * A root such as {@code local:///warehouse} does not identify its machine: a copy on another machine has the same root.
 * Such a warehouse cannot have folders on other file systems, because both machines might be able to access them.
 */
public final class WarehouseIdentity
{
    private final TrinoFileSystem fileSystem;
    private final WarehousePaths paths;
    private final JsonFiles json;
    private final ExclusiveFiles exclusiveFiles;

    public WarehouseIdentity(TrinoFileSystem fileSystem, WarehousePaths paths, JsonFiles json, ExclusiveFiles exclusiveFiles)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.paths = requireNonNull(paths, "paths is null");
        this.json = requireNonNull(json, "json is null");
        this.exclusiveFiles = requireNonNull(exclusiveFiles, "exclusiveFiles is null");
    }

    /**
     * The content of the file {@code .albis}.
     *
     * @param id id of the warehouse
     * @param root root of the warehouse for which the file was created
     */
    public record Identity(UUID id, String root)
    {
        public Identity
        {
            requireNonNull(id, "id is null");
            requireNonNull(root, "root is null");
        }
    }

    /**
     * Returns the id of this warehouse, and creates the identity file if necessary. Required before a schema or table
     * gets a folder outside of the warehouse.
     *
     * @param folder folder outside of the warehouse
     * @throws TableException NOT_SUPPORTED if this is a copy of another warehouse, or cannot be distinguished from a
     *         copy; OUTCOME_UNKNOWN
     */
    public UUID getOrCreate(Location folder)
            throws IOException
    {
        checkToldApart(folder);
        Optional<Identity> found = read();
        if (found.isEmpty()) {
            Identity created = new Identity(UUID.randomUUID(), paths.root().toString());
            if (exclusiveFiles.create(paths.identity(), json.write(WAREHOUSE, created.id(), created))) {
                return created.id();
            }
            found = read();
        }
        Identity identity = found.orElseThrow(() -> damaged("Damaged Albis file %s: it is missing", paths.identity()));
        checkOriginal(identity);
        // Another process may have created the file without having made it durable yet
        exclusiveFiles.forceExisting(paths.identity());
        return identity.id();
    }

    /**
     * Checks the conditions of {@link #getOrCreate} without writing anything.
     *
     * @throws TableException NOT_SUPPORTED if this warehouse cannot have the folder
     */
    public void checkUsable(Location folder)
            throws IOException
    {
        checkToldApart(folder);
        Optional<Identity> identity = read();
        if (identity.isPresent()) {
            checkOriginal(identity.get());
        }
    }

    private void checkOriginal(Identity identity)
    {
        if (!isOwn(identity)) {
            throw new TableException(NOT_SUPPORTED, "The warehouse at %s is a copy of the warehouse at %s according to file %s, and a copy cannot use locations outside of its own folder. Choose a location inside it", paths.root(), identity.root(), paths.identity());
        }
    }

    private void checkToldApart(Location folder)
    {
        if (!isToldApart(folder)) {
            throw new TableException(NOT_SUPPORTED, "Location '%s' is not on the file system of the warehouse at %s. The location of this warehouse has no host, so the warehouse cannot be distinguished from a copy on another machine. Choose a location on the file system of the warehouse", folder, paths.root());
        }
    }

    /**
     * Returns whether any two processes that can access the folder and have the same root also have the same warehouse.
     */
    private boolean isToldApart(Location folder)
    {
        Location root = paths.root();
        return root.host().isPresent() || (folder.host().isEmpty() && folder.scheme().equals(root.scheme()));
    }

    /**
     * Returns whether this warehouse may write to a folder outside of it.
     *
     * @param id id of the warehouse to which the folder belongs
     */
    public boolean isOwn(UUID id, Location folder)
            throws IOException
    {
        if (!isToldApart(folder)) {
            return false;
        }
        Optional<Identity> identity = read();
        return identity.isPresent() && identity.get().id().equals(id) && isOwn(identity.get());
    }

    /**
     * Checks that this warehouse may write to a folder outside of it.
     *
     * @param id id of the warehouse to which the folder belongs
     * @param what noun phrase for the error message, such as: Table 's.t'
     * @param folder folder of {@code what}
     * @throws TableException NOT_SUPPORTED if the folder belongs to another warehouse
     */
    public void checkOwn(UUID id, String what, Location folder)
            throws IOException
    {
        if (isOwn(id, folder)) {
            return;
        }
        Optional<Identity> identity = read();
        String reason;
        if (identity.isEmpty()) {
            reason = "%s is missing".formatted(paths.identity());
        }
        else if (!identity.get().id().equals(id)) {
            reason = "%s has another id".formatted(paths.identity());
        }
        else if (isOwn(identity.get())) {
            reason = "the location of this warehouse has no host, so it cannot be distinguished from a copy on another machine";
        }
        else {
            reason = "this warehouse is a copy of the warehouse at %s".formatted(identity.get().root());
        }
        throw new TableException(NOT_SUPPORTED, "%s at %s does not belong to the warehouse at %s, which can only read it: %s. Write from the warehouse to which it belongs, or copy the rows with CREATE TABLE AS", what, folder, paths.root(), reason);
    }

    private boolean isOwn(Identity identity)
    {
        return identity.root().equals(paths.root().toString());
    }

    private Optional<Identity> read()
            throws IOException
    {
        Optional<byte[]> file = SmallFiles.read(fileSystem, paths.identity());
        if (file.isEmpty()) {
            return Optional.empty();
        }
        JsonFiles.Framed<Identity> framed = json.read(paths.identity(), WAREHOUSE, Identity.class, file.get());
        if (!framed.id().equals(framed.body().id())) {
            throw damaged("Damaged Albis file %s: the ids in its header and its body differ", paths.identity());
        }
        return Optional.of(framed.body());
    }
}
