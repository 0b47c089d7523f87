package io.albis.table.name;

import java.util.Optional;
import java.util.UUID;

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
    public StoredFolder
    {
        requireNonNull(warehouse, "warehouse is null");
        requireNonNull(path, "path is null");
        checkArgument(warehouse.isEmpty() || !path.isEmpty(), "path is empty");
        checkArgument(warehouse.isPresent() || !(path.startsWith("/") || ("/" + path + "/").contains("/../")), "the relative path is outside of the warehouse: %s", path);
    }
}
