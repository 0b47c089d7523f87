package io.albis.table;

import java.util.Optional;
import java.util.UUID;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * What a name stands for: the file {@code <table name>.table}.
 *
 * @param schemaName repeats the name, so that a copied file is found out
 * @param reference what a version of the table says if this is the pointer that counts
 * @param uuid of the table
 * @param folder of the table: relative to the warehouse, or absolute
 * @param renamedFrom name of the pointer that this one replaces
 */
record Pointer(String schemaName, String tableName, PointerReference reference, UUID uuid, Folder folder, Optional<OldName> renamedFrom)
{
    Pointer
    {
        requireNonNull(schemaName, "schemaName is null");
        requireNonNull(tableName, "tableName is null");
        requireNonNull(reference, "reference is null");
        requireNonNull(uuid, "uuid is null");
        requireNonNull(folder, "folder is null");
        requireNonNull(renamedFrom, "renamedFrom is null");
    }

    record OldName(String schemaName, String tableName)
    {
        OldName
        {
            requireNonNull(schemaName, "schemaName is null");
            requireNonNull(tableName, "tableName is null");
        }
    }

    record Folder(boolean relative, String path)
    {
        Folder
        {
            requireNonNull(path, "path is null");
            checkArgument(!path.isEmpty(), "path is empty");
            checkArgument(!relative || !(path.startsWith("/") || ("/" + path + "/").contains("/../")), "relative path leads out of the warehouse: %s", path);
        }
    }

    /**
     * @param generation one more than that of the newest version
     */
    Pointer renamed(String newSchemaName, String newTableName, long generation)
    {
        PointerReference next = new PointerReference(UUID.randomUUID(), generation);
        return new Pointer(newSchemaName, newTableName, next, uuid, folder, Optional.of(new OldName(schemaName, tableName)));
    }
}
