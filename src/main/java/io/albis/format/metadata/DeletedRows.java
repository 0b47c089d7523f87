package io.albis.format.metadata;

import io.albis.format.io.FileFrame;
import io.trino.filesystem.Location;

import java.util.UUID;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * A reference from a row group to the bitmap of its deleted rows, which is a part of a deletes file.
 *
 * @param file id of the file, which contains the bitmaps of any number of row groups
 * @param offset offset of the bitmap in the file
 * @param length length of the bitmap in bytes
 * @param checksum checksum of the bitmap, which covers the id of the file and the offset
 * @param count number of deleted rows, at least one
 */
public record DeletedRows(UUID file, long offset, int length, int checksum, long count)
{
    /**
     * Name of the folder of all deletes files in the folder of a table.
     */
    public static final String FOLDER = "deletes";
    /**
     * Maximum number of rows of a row group with deleted rows, so that a position is an int.
     */
    public static final int MAX_ROWS = Integer.MAX_VALUE;

    public DeletedRows
    {
        requireNonNull(file, "file is null");
        checkArgument(offset >= FileFrame.HEADER_SIZE && offset <= Long.MAX_VALUE - Integer.MAX_VALUE, "invalid offset of a bitmap of deleted rows: %s", offset);
        checkArgument(length > 0, "length is not positive: %s", length);
        checkArgument(count > 0, "count is not positive: %s", count);
    }

    /**
     * Returns the location of the file.
     */
    public Location location(Location tableFolder)
    {
        return location(tableFolder, file);
    }

    /**
     * Returns the location of a deletes file. Deletes files are distributed over 256 folders, as row groups are.
     */
    public static Location location(Location tableFolder, UUID file)
    {
        return tableFolder.appendPath(FOLDER).appendPath(RowGroup.fanOut(file)).appendPath(file.toString());
    }
}
