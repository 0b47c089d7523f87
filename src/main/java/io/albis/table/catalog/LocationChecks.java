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
 * Looks at the locations that users give. A location may hold several tables, and files of others.
 */
public final class LocationChecks
{
    private static final Splitter SEGMENTS = Splitter.on('/');

    private final TrinoFileSystem fileSystem;
    private final WarehousePaths layout;
    private final PutIfAbsentSelector putIfAbsent;
    private final List<Location> allowed;

    /**
     * @param allowed folders outside of the warehouse in which locations may be
     */
    public LocationChecks(TrinoFileSystem fileSystem, WarehousePaths layout, PutIfAbsentSelector putIfAbsent, List<Location> allowed)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.layout = requireNonNull(layout, "layout is null");
        this.putIfAbsent = requireNonNull(putIfAbsent, "putIfAbsent is null");
        this.allowed = allowed.stream()
                .map(WarehousePaths::withoutTrailingSlash)
                .collect(toImmutableList());
    }

    /**
     * @throws TableException INVALID_DEFINITION, LOCATION_NOT_ALLOWED, NOT_SUPPORTED
     */
    public Location check(String text)
            throws IOException
    {
        Location location = parse(text);
        checkAllowed(location);
        checkOutsideOfTables(location);
        return location;
    }

    /**
     * @throws TableException LOCATION_NOT_ALLOWED
     */
    void checkAllowed(Location location)
    {
        if (layout.relativePath(location).isPresent()) {
            return;
        }
        for (Location folder : allowed) {
            if (location.equals(folder) || location.toString().startsWith(asDirectory(folder).toString())) {
                return;
            }
        }
        String folders = Stream.concat(Stream.of(layout.root()), allowed.stream())
                .map(Location::toString)
                .collect(joining(", "));
        throw new TableException(LOCATION_NOT_ALLOWED, "Location '%s' is not allowed: it must be in one of the folders %s. The property albis.allowed-locations of the catalog adds folders outside of the warehouse", location, folders);
    }

    private Location parse(String text)
    {
        Location location;
        try {
            location = WarehousePaths.withoutTrailingSlash(Location.of(text));
            // The file system has its own ideas of a location
            fileSystem.newInputFile(location.appendPath("versions"));
        }
        catch (IllegalArgumentException | IllegalStateException e) {
            throw new TableException(INVALID_DEFINITION, "Location '%s' cannot be used: %s. It must be a folder on a file system that the catalog has, such as %s".formatted(text, e.getMessage(), example()), e);
        }
        if (location.path().isEmpty()) {
            throw new TableException(INVALID_DEFINITION, "Location '%s' is a whole file system: it must be a folder, such as %s", text, example());
        }
        for (String segment : SEGMENTS.split(location.path())) {
            // Quotation marks and backslashes are escaped in JSON, and the documented backup takes paths from it
            if (segment.isEmpty() || segment.equals(".") || segment.equals("..") || !segment.equals(segment.strip()) || segment.chars().anyMatch(character -> Character.isISOControl(character) || character == '"' || character == '\\')) {
                throw new TableException(INVALID_DEFINITION, "Location '%s' has the segment '%s': a segment must not be empty, '.', or '..', must not begin or end with a space, and must not contain a quotation mark, a backslash, or a control character", text, segment);
            }
        }
        putIfAbsent.select(location);
        checkInWarehouse(location);
        return location;
    }

    /**
     * The documented backup tells the files of a warehouse apart by the names of their folders.
     */
    private void checkInWarehouse(Location location)
    {
        Optional<String> path = layout.relativePath(location);
        if (path.isEmpty()) {
            return;
        }
        if (path.get().isEmpty()) {
            throw new TableException(INVALID_DEFINITION, "Location '%s' is the warehouse. It must be a folder in the warehouse, such as %s", location, example());
        }
        List<String> segments = SEGMENTS.splitToList(path.get());
        if (WarehousePaths.isReserved(segments)) {
            throw new TableException(INVALID_DEFINITION, "Location '%s' is where the warehouse keeps names: take a folder outside of %s", location, layout.root());
        }
        for (String segment : segments) {
            if (segment.equals(TablePaths.VERSIONS) || segment.equals(TablePaths.MANIFESTS) || segment.startsWith(".")) {
                throw new TableException(INVALID_DEFINITION, "Location '%s' has the segment '%s'. In the warehouse, a segment must not be '%s' or '%s' and must not begin with a dot", location, segment, TablePaths.VERSIONS, TablePaths.MANIFESTS);
            }
        }
    }

    private void checkOutsideOfTables(Location location)
            throws IOException
    {
        Location folder = location;
        while (!folder.path().isEmpty()) {
            // If the hint is missing the table was never written to, or somebody has been at its files
            if (SmallFiles.exists(fileSystem, new TablePaths(folder).hint())) {
                throw new TableException(INVALID_DEFINITION, "Location '%s' is in the folder of the table at %s: take one outside of it", location, folder);
            }
            folder = WarehousePaths.withoutTrailingSlash(folder.parentDirectory());
        }
    }

    private String example()
    {
        return layout.root().appendPath("folder").toString();
    }
}
