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
 * The file {@code .albis} of a warehouse. It is put when the warehouse first gets a folder outside of itself, and it tells
 * the warehouse from its copies: a copy has the same id and another root. Only the original may write to a folder
 * outside, because nothing that the copy does may change what the original has.
 * <p>
 * A root such as {@code local:///warehouse} does not say on which machine it is: a copy on another machine has the same
 * root. So that warehouse gets no folders on other file systems, which both machines may reach.
 */
public final class WarehouseIdentity
{
    private final TrinoFileSystem fileSystem;
    private final WarehousePaths layout;
    private final JsonFiles json;
    private final ExclusiveFiles exclusiveFiles;

    public WarehouseIdentity(TrinoFileSystem fileSystem, WarehousePaths layout, JsonFiles json, ExclusiveFiles exclusiveFiles)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.layout = requireNonNull(layout, "layout is null");
        this.json = requireNonNull(json, "json is null");
        this.exclusiveFiles = requireNonNull(exclusiveFiles, "exclusiveFiles is null");
    }

    /**
     * @param root of the warehouse that the file was put for
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
     * The id of this warehouse, for a folder outside of it that is to be written to from now on.
     *
     * @throws TableException NOT_SUPPORTED if this is the copy of another warehouse, or could not be told from a copy
     */
    public UUID getOrCreate(Location folder)
            throws IOException
    {
        checkToldApart(folder);
        Optional<Identity> found = read();
        if (found.isEmpty()) {
            Identity created = new Identity(UUID.randomUUID(), layout.root().toString());
            if (exclusiveFiles.create(layout.identity(), json.write(WAREHOUSE, created.id(), created))) {
                return created.id();
            }
            found = read();
        }
        Identity identity = found.orElseThrow(() -> damaged("Damaged Albis file %s: it is missing", layout.identity()));
        checkOriginal(identity);
        // Another process may have put it and not have come to that yet
        exclusiveFiles.forceExisting(layout.identity());
        return identity.id();
    }

    /**
     * As {@link #getOrCreate}, and writes nothing.
     *
     * @throws TableException NOT_SUPPORTED
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
            throw new TableException(NOT_SUPPORTED, "The warehouse at %s is a copy of the one at %s (its file %s says so) and cannot make anything outside of its own folder: take a location inside of it", layout.root(), identity.root(), layout.identity());
        }
    }

    private void checkToldApart(Location folder)
    {
        if (!isToldApart(folder)) {
            throw new TableException(NOT_SUPPORTED, "Location '%s' is on another file system than the warehouse at %s, which has no host in its location and so cannot be told from a copy on another machine: take a location on the file system of the warehouse", folder, layout.root());
        }
    }

    /**
     * Whether whoever reaches the folder and has the same root has the same warehouse.
     */
    private boolean isToldApart(Location folder)
    {
        Location root = layout.root();
        return root.host().isPresent() || (folder.host().isEmpty() && folder.scheme().equals(root.scheme()));
    }

    /**
     * Whether a folder that belongs to the warehouse of this id may be written to from here.
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
     * @param what such as: Table 's.t'
     * @param folder where {@code what} is
     * @throws TableException NOT_SUPPORTED
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
            reason = "%s is missing".formatted(layout.identity());
        }
        else if (!identity.get().id().equals(id)) {
            reason = "%s has another id".formatted(layout.identity());
        }
        else if (isOwn(identity.get())) {
            reason = "this warehouse has no host in its location and cannot be told from a copy on another machine";
        }
        else {
            reason = "this warehouse is a copy of the one at %s".formatted(identity.get().root());
        }
        throw new TableException(NOT_SUPPORTED, "%s at %s belongs to another warehouse than the one at %s (%s), and can only be read from here: write to it from the warehouse that it belongs to, or copy its rows with CREATE TABLE AS", what, folder, layout.root(), reason);
    }

    private boolean isOwn(Identity identity)
    {
        return identity.root().equals(layout.root().toString());
    }

    private Optional<Identity> read()
            throws IOException
    {
        Optional<byte[]> file = SmallFiles.read(fileSystem, layout.identity());
        if (file.isEmpty()) {
            return Optional.empty();
        }
        JsonFiles.Framed<Identity> framed = json.read(layout.identity(), WAREHOUSE, Identity.class, file.get());
        if (!framed.id().equals(framed.body().id())) {
            throw damaged("Damaged Albis file %s: it has two ids", layout.identity());
        }
        return Optional.of(framed.body());
    }
}
