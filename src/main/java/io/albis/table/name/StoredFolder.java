package io.albis.table.name;

import com.google.common.base.Splitter;
import io.trino.filesystem.Location;

import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * A folder as the entries of schemas and tables store it. The path of a folder inside the warehouse is relative, so
 * that the warehouse can be moved. A folder outside of the warehouse is stored with the id of the warehouse that may
 * write to it, because a copy of the warehouse refers to the same folder.
 *
 * @param warehouse id of the warehouse that may write to the folder; empty if {@code path} is relative to the warehouse
 * @param path relative path, which is empty for the root of the warehouse, or else an absolute location
 */
public record StoredFolder(Optional<UUID> warehouse, String path)
{
    private static final Splitter SEGMENTS = Splitter.on('/');
    private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*");

    public StoredFolder
    {
        requireNonNull(warehouse, "warehouse is null");
        requireNonNull(path, "path is null");
        if (warehouse.isPresent()) {
            // fails if the location is not valid
            Location location = Location.of(path);
            checkArgument(location.scheme().isPresent() && SCHEME.matcher(location.scheme().get()).matches(), "the location is not absolute: %s", path);
            checkSegments(location.path(), path);
        }
        else if (!path.isEmpty()) {
            checkSegments(path, path);
        }
    }

    /**
     * Checks that no file system resolves the path to another folder than the one that it names, such as one outside of
     * the warehouse.
     */
    private static void checkSegments(String segments, String path)
    {
        for (String segment : SEGMENTS.split(segments)) {
            checkArgument(!segment.isEmpty() && !segment.equals(".") && !segment.equals(".."), "the path of a folder has an invalid segment: %s", path);
        }
    }
}
