package io.albis.placement;

import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the row group of an Albis table that a file belongs to. The files of a row group are below a directory
 * {@code rg-<id>}.
 */
final class RowGroupPath
{
    private static final Pattern FOLDER = Pattern.compile("(?:^|/)rg-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/");

    private RowGroupPath() {}

    /**
     * Returns the ID of the row group that the path belongs to.
     *
     * @param path path of a file, or null, because the NameNode makes some requests without a path
     */
    static Optional<UUID> rowGroup(String path)
    {
        if (path == null) {
            return Optional.empty();
        }
        Matcher matcher = FOLDER.matcher(path);
        return matcher.find() ? Optional.of(UUID.fromString(matcher.group(1))) : Optional.empty();
    }
}
