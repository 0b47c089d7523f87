package io.albis.format.metadata;

import com.google.common.collect.ImmutableList;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * The files of one column group of one row group, which are the immutable unit of storage.
 *
 * @param id id that names the folder {@code cg-<id>} and is repeated in the header of the files
 * @param columnIds ids of the columns, in the order of their slots in a row
 * @param dataBytes size of the file {@code data} in bytes
 * @param metadataBytes size of the file {@code metadata} in bytes
 */
public record ColumnGroupInstance(UUID id, List<Integer> columnIds, long dataBytes, int metadataBytes)
{
    public static final String DATA_FILE = "data";
    public static final String METADATA_FILE = "metadata";

    private static final String FOLDER_PREFIX = "cg-";

    public ColumnGroupInstance
    {
        requireNonNull(id, "id is null");
        columnIds = ImmutableList.copyOf(columnIds);
        checkArgument(!columnIds.isEmpty(), "columnIds is empty");
        checkArgument(dataBytes >= 0, "dataBytes is negative: %s", dataBytes);
        checkArgument(metadataBytes >= 0, "metadataBytes is negative: %s", metadataBytes);
    }

    /**
     * Returns the name of the folder of a column group.
     */
    public static String folderName(UUID id)
    {
        return FOLDER_PREFIX + id;
    }

    /**
     * Returns the id of the column group whose folder has the given name.
     *
     * @return empty if this is not the folder name of a column group
     */
    public static Optional<UUID> folderId(String folderName)
    {
        if (!folderName.startsWith(FOLDER_PREFIX)) {
            return Optional.empty();
        }
        try {
            UUID id = UUID.fromString(folderName.substring(FOLDER_PREFIX.length()));
            return folderName(id).equals(folderName) ? Optional.of(id) : Optional.empty();
        }
        catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
