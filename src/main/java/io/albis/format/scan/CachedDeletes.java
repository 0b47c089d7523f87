package io.albis.format.scan;

import io.albis.format.delete.DeletedPositions;
import io.albis.format.delete.DeletesReader;
import io.albis.format.io.ReadCounter;
import io.albis.format.metadata.DeletedRows;
import io.albis.format.metadata.RowGroup;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;

/**
 * Reads the deleted rows of a row group, from the file or from a cache. Thread safe.
 */
final class CachedDeletes
{
    private CachedDeletes() {}

    /**
     * Whether the deleted rows need no request.
     */
    static boolean isPresent(Location tableFolder, RowGroup rowGroup, ReaderResources resources)
    {
        if (rowGroup.deletedRows().isEmpty()) {
            return true;
        }
        DeletedRows deletedRows = rowGroup.deletedRows().get();
        return resources.metadata().hasDeletes(deletedRows.location(tableFolder), deletedRows, rowGroup.rows());
    }

    static DeletedPositions read(TrinoFileSystem fileSystem, Location tableFolder, RowGroup rowGroup, ReaderResources resources, ReadCounter counter)
            throws IOException
    {
        if (rowGroup.deletedRows().isEmpty()) {
            return DeletedPositions.NONE;
        }
        DeletedRows deletedRows = rowGroup.deletedRows().get();
        return resources.metadata().deletes(
                deletedRows.location(tableFolder),
                deletedRows,
                rowGroup.rows(),
                () -> DeletesReader.read(fileSystem, tableFolder, deletedRows, rowGroup.rows(), counter));
    }
}
