package io.albis.table.row;

import io.albis.format.delete.DeletedPositions;
import io.albis.format.delete.DeletesReader;
import io.albis.format.delete.DeletesWriter;
import io.albis.format.metadata.DeletedRows;
import io.albis.format.metadata.RowGroup;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.util.Optional;
import java.util.UUID;

import static java.util.Objects.requireNonNull;

/**
 * Combines the rows that a write deletes with those that others have deleted from the same row groups in the meantime.
 * One attempt of a commit writes all combined bitmaps to one file.
 */
final class DeletesMerge
{
    private final TrinoFileSystem fileSystem;
    private final Location tableFolder;
    private final UUID file = UUID.randomUUID();
    private final DeletesWriter writer;

    private long overlap;

    DeletesMerge(TrinoFileSystem fileSystem, Location tableFolder)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.tableFolder = requireNonNull(tableFolder, "tableFolder is null");
        this.writer = new DeletesWriter(fileSystem, tableFolder, file);
    }

    /**
     * Returns the id of the file, which exists only if bitmaps were combined.
     */
    UUID file()
    {
        return file;
    }

    /**
     * Returns how many rows others have deleted that the write deletes too.
     */
    long overlap()
    {
        return overlap;
    }

    /**
     * @param current the row group as it is now
     * @param base the rows that were deleted when the write began
     * @param deletes those rows, and the rows that the write deletes
     * @return the row group with the rows that are deleted now and those that the write deletes; empty if no rows
     *         remain
     */
    Optional<RowGroup> merge(RowGroup current, Optional<DeletedRows> base, DeletedRows deletes)
            throws IOException
    {
        DeletedPositions before = read(base, current.rows());
        DeletedPositions now = read(current.deletedRows(), current.rows());
        DeletedPositions added = read(Optional.of(deletes), current.rows()).minus(before);
        DeletedPositions all = now.union(added);
        overlap += now.cardinality() + added.cardinality() - all.cardinality();
        if (all.cardinality() == current.rows()) {
            return Optional.empty();
        }
        if (all.cardinality() == now.cardinality()) {
            return Optional.of(current);
        }
        return Optional.of(current.withDeletedRows(writer.add(all)));
    }

    private DeletedPositions read(Optional<DeletedRows> deletedRows, long rows)
            throws IOException
    {
        return deletedRows.isPresent() ? DeletesReader.read(fileSystem, tableFolder, deletedRows.get(), rows) : DeletedPositions.NONE;
    }

    /**
     * Completes the file, so that a version may refer to it.
     */
    void finish()
            throws IOException
    {
        writer.close();
    }

    /**
     * Deletes the file. Call this only if the commit certainly did not take place.
     */
    void abort()
    {
        try {
            writer.abort();
        }
        catch (IOException | RuntimeException e) {
            // No version refers to the file, so it does no harm
        }
    }
}
