package io.albis.table.catalog;

import com.google.common.base.Splitter;
import io.albis.table.model.TableException;
import io.albis.table.path.TablePaths;
import io.albis.table.path.WarehousePaths;
import io.albis.table.put.PutIfAbsentSelector;
import io.albis.table.put.SmallFiles;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.table.model.TableException.Reason.INVALID_DEFINITION;
import static io.albis.table.model.TableException.Reason.LOCATION_NOT_ALLOWED;
import static io.albis.table.path.WarehousePaths.asDirectory;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/**
 * Validates the locations that users specify for schemas and tables. A location may contain several tables, and files
 * that do not belong to Albis.
 */
public final class LocationChecks
{
    private static final Splitter SEGMENTS = Splitter.on('/');

    private final TrinoFileSystem fileSystem;
    private final WarehousePaths paths;
    private final PutIfAbsentSelector putIfAbsent;
    private final List<Location> allowed;

    /**
     * Creates the checks for the locations of one warehouse.
     *
     * @param allowed folders outside of the warehouse in which locations are allowed
     */
    public LocationChecks(TrinoFileSystem fileSystem, WarehousePaths paths, PutIfAbsentSelector putIfAbsent, List<Location> allowed)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.paths = requireNonNull(paths, "paths is null");
        this.putIfAbsent = requireNonNull(putIfAbsent, "putIfAbsent is null");
        this.allowed = allowed.stream()
                .map(WarehousePaths::withoutTrailingSlash)
                .collect(toImmutableList());
    }

    /**
     * Parses and validates a location.
     *
     * @return the location without a trailing slash
     * @throws TableException INVALID_DEFINITION if it is not valid, is reserved, or is inside the folder of a table;
     *         LOCATION_NOT_ALLOWED; NOT_SUPPORTED if its file system cannot hold tables
     */
    public Location check(String text)
            throws IOException
    {
        Location location = parse(text, 0);
        checkAllowed(location);
        checkOutsideOfTables(location);
        return location;
    }

    /**
     * Parses and validates a folder that exists, which may be that of a table.
     *
     * @return the location without a trailing slash
     * @throws TableException as for {@link #check}
     */
    public Location checkFolder(String text)
    {
        Location location = parse(text, 1);
        checkAllowed(location);
        return location;
    }

    /**
     * Checks that a location is inside the warehouse or an allowed folder.
     *
     * @throws TableException LOCATION_NOT_ALLOWED if it is not
     */
    void checkAllowed(Location location)
    {
        if (isAllowed(location)) {
            return;
        }
        String folders = Stream.concat(Stream.of(paths.root()), allowed.stream())
                .map(Location::toString)
                .collect(joining(", "));
        throw new TableException(LOCATION_NOT_ALLOWED, "Location '%s' is not allowed: it must be in one of the folders %s. The catalog property albis.allowed-locations adds folders outside of the warehouse", location, folders);
    }

    /**
     * Returns whether a location is inside the warehouse or an allowed folder.
     */
    public boolean isAllowed(Location location)
    {
        if (paths.relativePath(location).isPresent()) {
            return true;
        }
        return allowed.stream().anyMatch(folder -> location.equals(folder) || location.toString().startsWith(asDirectory(folder).toString()));
    }

    private Location parse(String text, int unchecked)
    {
        Location location;
        try {
            location = WarehousePaths.withoutTrailingSlash(Location.of(text));
            if (location.path().isEmpty()) {
                throw new TableException(INVALID_DEFINITION, "Location '%s' is the root of a file system. It must be a folder, such as %s", text, example());
            }
            // The file system may reject locations that Location accepts, and its message names the location. So it
            // gets the one that the user knows, and not that of a file in it
            fileSystem.newInputFile(location);
        }
        catch (IllegalArgumentException | IllegalStateException e) {
            throw new TableException(INVALID_DEFINITION, "Location '%s' is not valid: %s. It must be a folder on a file system of the catalog, such as %s".formatted(text, e.getMessage(), example()), e);
        }
        for (String segment : SEGMENTS.split(location.path())) {
            // Quotation marks and backslashes are escaped in JSON, and the documented backup takes paths from it
            if (segment.isEmpty() || segment.equals(".") || segment.equals("..") || !segment.equals(segment.strip()) || segment.chars().anyMatch(character -> Character.isISOControl(character) || character == '"' || character == '\\')) {
                throw new TableException(INVALID_DEFINITION, "Location '%s' has the invalid segment '%s'. Segments must be separated by a single slash and cannot be '.' or '..', start or end with whitespace, or contain quotation marks, backslashes, or control characters", text, segment);
            }
        }
        putIfAbsent.select(location);
        checkInWarehouse(location, unchecked);
        return location;
    }

    /**
     * Checks a location that is in the warehouse. It must not contain names of folders that Albis uses, because the
     * documented backup tells the files of a warehouse apart by the names of their folders, and vacuum does not look
     * for tables in these folders.
     *
     * @param unchecked number of segments that may have any name, because the first one can be that of a schema
     */
    private void checkInWarehouse(Location location, int unchecked)
    {
        Optional<String> path = paths.relativePath(location);
        if (path.isEmpty()) {
            return;
        }
        if (path.get().isEmpty()) {
            throw new TableException(INVALID_DEFINITION, "Location '%s' is the root of the warehouse. It must be a folder in the warehouse, such as %s", location, example());
        }
        List<String> segments = SEGMENTS.splitToList(path.get());
        if (WarehousePaths.isReserved(segments)) {
            throw new TableException(INVALID_DEFINITION, "Location '%s' is reserved for files of the warehouse. Choose a folder outside of %s", location, paths.root());
        }
        for (String segment : segments.subList(unchecked, segments.size())) {
            if (TablePaths.CONTENTS.contains(segment) || segment.startsWith(".")) {
                throw new TableException(INVALID_DEFINITION, "Location '%s' has the segment '%s'. In the warehouse, a segment must not be one of %s and must not begin with a dot", location, segment, TablePaths.CONTENTS);
            }
        }
        if (segments.lastIndexOf(WarehousePaths.TABLE_NAMES) > 0) {
            throw new TableException(INVALID_DEFINITION, "Location '%s' has the segment '%s'. In the warehouse, only the first segment can have this name", location, WarehousePaths.TABLE_NAMES);
        }
    }

    private void checkOutsideOfTables(Location location)
            throws IOException
    {
        Location folder = location;
        while (!folder.path().isEmpty()) {
            // The hint is missing only if the table has no version yet, or if its files were changed by other means
            if (SmallFiles.exists(fileSystem, new TablePaths(folder).hint())) {
                throw new TableException(INVALID_DEFINITION, "Location '%s' is in the folder of the table at %s. Choose a location outside of it", location, folder);
            }
            folder = WarehousePaths.withoutTrailingSlash(folder.parentDirectory());
        }
    }

    private String example()
    {
        return paths.root().appendPath("folder").toString();
    }
}
