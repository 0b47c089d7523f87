package io.albis.table.maintenance;

import com.google.common.collect.ImmutableList;
import io.albis.table.catalog.LocationChecks;
import io.albis.table.catalog.NestedWarehouses;
import io.albis.table.catalog.Schemas;
import io.albis.table.path.TablePaths;
import io.albis.table.path.WarehousePaths;
import io.trino.filesystem.Location;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;

import static java.util.Objects.requireNonNull;

/**
 * Finds the folders of a warehouse that have the names of table folders, by listing folders and not files. It does not
 * look into another warehouse whose root is inside of this one, because the tables there do not say to which warehouse
 * they belong.
 */
final class WarehouseFolders
{
    private static final Pattern FAN_OUT = Pattern.compile("[0-9a-f]{2}");

    private final NestedWarehouses nested;
    private final WarehousePaths paths;
    private final Schemas schemas;
    private final LocationChecks locationChecks;

    WarehouseFolders(NestedWarehouses nested, WarehousePaths paths, Schemas schemas, LocationChecks locationChecks)
    {
        this.nested = requireNonNull(nested, "nested is null");
        this.paths = requireNonNull(paths, "paths is null");
        this.schemas = requireNonNull(schemas, "schemas is null");
        this.locationChecks = requireNonNull(locationChecks, "locationChecks is null");
    }

    /**
     * Returns the folders in the warehouse, and those in locations of schemas outside of it that are still allowed.
     *
     * @param location a folder in which to look instead; empty for the warehouse
     */
    List<TableFolder> find(Optional<Location> location)
            throws IOException
    {
        if (location.isPresent()) {
            return nested.isIn(location.get()) ? ImmutableList.of() : findIn(location.get());
        }
        ImmutableList.Builder<TableFolder> folders = ImmutableList.builder();
        for (String name : nested.children(paths.root())) {
            Optional<String> schemaName = WarehousePaths.schemaNameOf(name);
            folders.addAll(scan(paths.root().appendPath(name), schemaName, 1).folders());
        }
        for (Location outside : schemas.outsideLocations()) {
            // An entry may name any folder, such as one with the failed loads of another warehouse
            if (locationChecks.isAllowed(outside)) {
                folders.addAll(findIn(outside));
            }
        }
        return folders.build();
    }

    /**
     * Returns the keys of the schemas that exist or have existed, because the entries of their tables remain, and their
     * names, because the logs of these remain.
     */
    List<String> schemaKeys()
            throws IOException
    {
        ImmutableList.Builder<String> names = ImmutableList.builder();
        for (String name : nested.children(paths.root())) {
            WarehousePaths.schemaNameOf(name).ifPresent(names::add);
        }
        return names.build();
    }

    /**
     * Looks only at the direct children, because a location may contain anything else.
     */
    private List<TableFolder> findIn(Location location)
            throws IOException
    {
        ImmutableList.Builder<TableFolder> folders = ImmutableList.builder();
        for (String name : nested.children(location)) {
            Location folder = location.appendPath(name);
            WarehousePaths.tableId(folder).ifPresent(uuid -> folders.add(new TableFolder(folder, Optional.empty(), uuid)));
        }
        return folders.build();
    }

    /**
     * @param foreignSchema whether the folder is a schema of another warehouse, whose root is the folder that contains
     *         it
     * @param folders the folders below; none in a schema of another warehouse
     */
    private record Scanned(boolean foreignSchema, List<TableFolder> folders) {}

    /**
     * Finds the folders below a folder.
     *
     * @param depth number of segments below the root
     */
    private Scanned scan(Location folder, Optional<String> schemaName, int depth)
            throws IOException
    {
        Set<String> children = nested.children(folder);
        if (depth > 1 && NestedWarehouses.isSchema(children)) {
            return new Scanned(true, ImmutableList.of());
        }
        ImmutableList.Builder<TableFolder> folders = ImmutableList.builder();
        for (String name : children) {
            Location child = folder.appendPath(name);
            if (isContent(folder, name, depth)) {
                continue;
            }
            Optional<UUID> uuid = WarehousePaths.tableId(child);
            uuid.ifPresent(id -> folders.add(new TableFolder(child, depth == 1 ? schemaName : Optional.empty(), id)));
            Scanned below = scan(child, schemaName, depth + 1);
            if (below.foreignSchema()) {
                return new Scanned(false, ImmutableList.of());
            }
            folders.addAll(below.folders());
        }
        return new Scanned(false, folders.build());
    }

    /**
     * Returns whether a folder contains no table folders, because it belongs to a table or to the names.
     */
    private static boolean isContent(Location folder, String name, int depth)
    {
        if (WarehousePaths.isReservedName(name, depth)) {
            return true;
        }
        return TablePaths.CONTENTS.contains(name) || (WarehousePaths.tableId(folder).isPresent() && FAN_OUT.matcher(name).matches());
    }
}
