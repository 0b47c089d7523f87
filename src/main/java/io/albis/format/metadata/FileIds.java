package io.albis.format.metadata;

import java.util.Optional;
import java.util.UUID;

/**
 * Parses the ids in the names of files and folders.
 */
public final class FileIds
{
    private FileIds() {}

    /**
     * Parses a name that is an id in its only form.
     *
     * @return empty if the name is not an id
     */
    public static Optional<UUID> parse(String name)
    {
        try {
            UUID id = UUID.fromString(name);
            return id.toString().equals(name) ? Optional.of(id) : Optional.empty();
        }
        catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /**
     * Parses a name that is an id after a prefix.
     *
     * @return empty if the name is a different one
     */
    static Optional<UUID> parse(String prefix, String name)
    {
        return name.startsWith(prefix) ? parse(name.substring(prefix.length())) : Optional.empty();
    }
}
