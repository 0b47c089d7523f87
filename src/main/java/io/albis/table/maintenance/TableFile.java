package io.albis.table.maintenance;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.DeletedRows;
import io.albis.format.metadata.FileIds;
import io.albis.format.metadata.RowGroup;
import io.albis.table.path.TablePaths;
import io.trino.filesystem.Location;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

import static java.util.Objects.requireNonNull;

/**
 * The kind of a file, according to its path. Only files with such paths are ever removed. A version or a stub is not
 * one of them, and neither is a file that Albis does not know.
 *
 * @param rowGroup id of the row group; empty if the file does not belong to one
 * @param id id of the column group, deletes file, or manifest
 */
record TableFile(Kind kind, Optional<UUID> rowGroup, UUID id)
{
    private static final Splitter SEGMENTS = Splitter.on('/');

    TableFile
    {
        requireNonNull(kind, "kind is null");
        requireNonNull(rowGroup, "rowGroup is null");
        requireNonNull(id, "id is null");
    }

    enum Kind
    {
        COLUMN_GROUP, DELETES, MANIFEST
    }

    /**
     * Returns the path of a file below the folder of a table. File systems may list locations with another scheme and
     * host, so this compares only paths.
     *
     * @return the segments; empty if the file is not below the folder
     */
    static List<String> segments(Location tableFolder, Location file)
    {
        String prefix = tableFolder.path() + "/";
        return file.path().startsWith(prefix) ? SEGMENTS.splitToList(file.path().substring(prefix.length())) : ImmutableList.of();
    }

    /**
     * @param segments path of the file below the folder of the table
     * @return empty if the file is not one of a table, or not one that can be removed
     */
    static Optional<TableFile> parse(List<String> segments)
    {
        return switch (segments.size()) {
            case 2 -> parseManifest(segments);
            case 3 -> parseDeletes(segments);
            case 4 -> parseColumnGroup(segments);
            default -> Optional.empty();
        };
    }

    private static Optional<TableFile> parseManifest(List<String> segments)
    {
        return segments.getFirst().equals(TablePaths.MANIFESTS) ? FileIds.parse(segments.get(1)).map(id -> new TableFile(Kind.MANIFEST, Optional.empty(), id)) : Optional.empty();
    }

    private static Optional<TableFile> parseDeletes(List<String> segments)
    {
        if (!segments.getFirst().equals(DeletedRows.FOLDER)) {
            return Optional.empty();
        }
        return FileIds.parse(segments.get(2))
                .filter(id -> segments.get(1).equals(RowGroup.fanOut(id)))
                .map(id -> new TableFile(Kind.DELETES, Optional.empty(), id));
    }

    private static Optional<TableFile> parseColumnGroup(List<String> segments)
    {
        String name = segments.get(3);
        if (!name.equals(ColumnGroupInstance.DATA_FILE) && !name.equals(ColumnGroupInstance.METADATA_FILE)) {
            return Optional.empty();
        }
        Optional<UUID> rowGroup = parseRowGroup(segments);
        return rowGroup.isEmpty() ? Optional.empty() : ColumnGroupInstance.folderId(segments.get(2)).map(id -> new TableFile(Kind.COLUMN_GROUP, rowGroup, id));
    }

    /**
     * Returns the row group in whose folder a file is, whatever the file is.
     */
    static Optional<UUID> parseRowGroup(List<String> segments)
    {
        if (segments.size() < 2) {
            return Optional.empty();
        }
        return RowGroup.folderId(segments.get(1))
                .filter(id -> segments.getFirst().equals(RowGroup.fanOut(id)));
    }
}
