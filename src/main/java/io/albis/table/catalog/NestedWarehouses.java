package io.albis.table.catalog;

import com.google.common.base.Splitter;
import io.albis.table.path.WarehousePaths;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.util.Set;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.albis.table.path.WarehousePaths.asDirectory;
import static java.util.Objects.requireNonNull;

/**
 * Recognizes folders that belong to another warehouse whose root is inside of this one. The tables there do not say to
 * which warehouse they belong. A warehouse is recognized by its schemas.
 */
public final class NestedWarehouses
{
    private static final Splitter SEGMENTS = Splitter.on('/').omitEmptyStrings();

    private final TrinoFileSystem fileSystem;
    private final WarehousePaths paths;

    public NestedWarehouses(TrinoFileSystem fileSystem, WarehousePaths paths)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.paths = requireNonNull(paths, "paths is null");
    }

    /**
     * Returns whether a folder is in another warehouse that is inside of this one.
     */
    public boolean contains(Location folder)
            throws IOException
    {
        return !paths.relativePath(folder).orElse("").isEmpty() && isIn(folder.parentDirectory());
    }

    /**
     * Returns whether a folder is the root of another warehouse that is inside of this one, or is in one.
     */
    public boolean isIn(Location folder)
            throws IOException
    {
        String path = paths.relativePath(folder).orElse("");
        Location ancestor = paths.root();
        int depth = 0;
        for (String segment : SEGMENTS.split(path)) {
            ancestor = ancestor.appendPath(segment);
            depth++;
            if (isRoot(ancestor, depth)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns whether a folder inside of this warehouse is the root of another one.
     *
     * @param depth number of segments of its path from the root, at least 1
     */
    private boolean isRoot(Location folder, int depth)
            throws IOException
    {
        for (String child : children(folder)) {
            Location location = folder.appendPath(child);
            if (!WarehousePaths.isReservedName(child, depth) && WarehousePaths.tableId(location).isEmpty() && isSchema(children(location))) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns whether a folder is that of a schema.
     *
     * @param children names of the folders in it
     */
    public static boolean isSchema(Set<String> children)
    {
        return children.stream().anyMatch(WarehousePaths::isSchemaLog);
    }

    /**
     * Returns the names of the folders in a folder. File systems may list locations with another scheme and host.
     */
    public Set<String> children(Location folder)
            throws IOException
    {
        return fileSystem.listDirectories(asDirectory(folder)).stream()
                .map(child -> WarehousePaths.withoutTrailingSlash(child).fileName())
                .collect(toImmutableSet());
    }
}
