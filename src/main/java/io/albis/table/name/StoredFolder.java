package io.albis.table.name;

import java.util.Optional;
import java.util.UUID;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * A folder as entries of schemas and tables keep it. A folder inside of the warehouse is kept relative and moves along with
 * the warehouse. A folder outside of it is kept with the id of the warehouse that may write there, because a copy of the
 * warehouse names the same folder.
 *
 * @param warehouse empty if {@code path} is relative to the warehouse
 */
public record StoredFolder(Optional<UUID> warehouse, String path)
{
    public StoredFolder
    {
        requireNonNull(warehouse, "warehouse is null");
        requireNonNull(path, "path is null");
        checkArgument(warehouse.isEmpty() || !path.isEmpty(), "path is empty");
        checkArgument(warehouse.isPresent() || !(path.startsWith("/") || ("/" + path + "/").contains("/../")), "relative path leads out of the warehouse: %s", path);
    }
}
