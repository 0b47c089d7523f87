package io.albis.placement;

import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which row group of an Albis table a file belongs to: all that is below a folder {@code rg-<id>}.
 */
final class RowGroupPath
{
    private static final Pattern FOLDER = Pattern.compile("(?:^|/)rg-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/");

    private RowGroupPath() {}

    /**
     * @param path may be null: the NameNode has no path for some of its questions
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
