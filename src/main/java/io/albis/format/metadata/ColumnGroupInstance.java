package io.albis.format.metadata;

import com.google.common.collect.ImmutableList;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Collections.disjoint;
import static java.util.Objects.requireNonNull;

/**
 * The files of one column group of one row group, which are the immutable unit of storage.
 *
 * @param id id that names the folder {@code cg-<id>} and is repeated in the header of the files
 * @param columnIds ids of the columns that are read from these files, in the order of their slots in a row
 * @param supersededIds ids of the other columns in these files; the row group has newer values of them elsewhere
 * @param dataBytes size of the file {@code data} in bytes
 * @param metadataBytes size of the file {@code metadata} in bytes
 */
public record ColumnGroupInstance(UUID id, List<Integer> columnIds, List<Integer> supersededIds, long dataBytes, int metadataBytes)
{
    public static final String DATA_FILE = "data";
    public static final String METADATA_FILE = "metadata";

    private static final String FOLDER_PREFIX = "cg-";

    public ColumnGroupInstance
    {
        requireNonNull(id, "id is null");
        columnIds = ImmutableList.copyOf(columnIds);
        supersededIds = ImmutableList.copyOf(supersededIds);
        checkArgument(!columnIds.isEmpty(), "columnIds is empty");
        checkArgument(dataBytes >= 0, "dataBytes is negative: %s", dataBytes);
        checkArgument(metadataBytes >= 0, "metadataBytes is negative: %s", metadataBytes);
    }

    /**
     * Creates a column group of which all columns are read.
     */
    public ColumnGroupInstance(UUID id, List<Integer> columnIds, long dataBytes, int metadataBytes)
    {
        this(id, columnIds, ImmutableList.of(), dataBytes, metadataBytes);
    }

    /**
     * Returns the size of both files in bytes.
     */
    public long bytes()
    {
        return dataBytes + metadataBytes;
    }

    /**
     * Returns the estimated size of the columns that are read in bytes. All columns count alike.
     */
    public double currentBytes()
    {
        return (double) bytes() * columnIds.size() / (columnIds.size() + supersededIds.size());
    }

    /**
     * Returns the same files without some columns, which are superseded.
     *
     * @return empty if no column remains
     */
    Optional<ColumnGroupInstance> without(Set<Integer> replacedIds)
    {
        if (disjoint(columnIds, replacedIds)) {
            return Optional.of(this);
        }
        if (replacedIds.containsAll(columnIds)) {
            return Optional.empty();
        }
        ImmutableList.Builder<Integer> remaining = ImmutableList.builder();
        ImmutableList.Builder<Integer> superseded = ImmutableList.builder();
        superseded.addAll(supersededIds);
        for (int columnId : columnIds) {
            (replacedIds.contains(columnId) ? superseded : remaining).add(columnId);
        }
        return Optional.of(new ColumnGroupInstance(id, remaining.build(), superseded.build(), dataBytes, metadataBytes));
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
        return FileIds.parse(FOLDER_PREFIX, folderName);
    }
}
