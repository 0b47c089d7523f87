package io.albis.format;

import io.albis.format.write.WriterOptions;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Copies the rows of a folder into another folder that stores them in another way (Albis paper, Table 4). A folder only
 * gets more rows, so the rows of the first folder stay where they are.
 * <p>
 * All rows become visible in the second folder at once. If a copy fails, none of them are, unless only the answer of
 * the storage to its last step was lost.
 */
public final class AlbisFileFormat
{
    private AlbisFileFormat() {}

    /**
     * Copies the rows of a local folder into another one with other column groups or other layouts. The row groups and
     * their segments keep their rows, unless the rows of a segment are too large for one of the new column groups.
     *
     * @param schema schema of the rows
     * @param folder folder of the rows
     * @param targetSchema schema of the copy. It has some columns of the rows, or all of them, which are found by their
     *         names
     * @param target folder of the copy, which has no rows yet. It is created if it does not exist
     * @throws java.io.FileNotFoundException if no writer has used the folder of the rows yet
     * @throws IllegalArgumentException if a folder has another schema, or if the copy has a column that the rows do not
     *         have
     * @throws IllegalStateException if the folder of the copy already has rows
     */
    public static void reGroup(AlbisSchema schema, Path folder, AlbisSchema targetSchema, Path target)
            throws IOException
    {
        reGroup(AlbisSchema.LOCAL, schema, AlbisSchema.location(folder), targetSchema, AlbisSchema.location(target), WriterOptions.DEFAULTS);
    }

    /**
     * Copies the rows of a folder into another one with other column groups, layouts, or compressions. The sizes in the
     * options apply only to row groups that do not keep their rows.
     *
     * @see #reGroup(AlbisSchema, Path, AlbisSchema, Path)
     */
    public static void reGroup(TrinoFileSystem fileSystem, AlbisSchema schema, Location folder, AlbisSchema targetSchema, Location target, WriterOptions options)
            throws IOException
    {
        FolderCopy.copy(fileSystem, schema, folder, targetSchema, target, options, false);
    }

    /**
     * Copies the rows of a local folder into another one, in which all row groups but the last one are full. Many
     * writers with few rows leave many small row groups.
     *
     * @param schema schema of the rows and of the copy
     * @param folder folder of the rows
     * @param target folder of the copy, which has no rows yet. It is created if it does not exist
     * @throws java.io.FileNotFoundException if no writer has used the folder of the rows yet
     * @throws IllegalArgumentException if a folder has another schema
     * @throws IllegalStateException if the folder of the copy already has rows
     */
    public static void reBalance(AlbisSchema schema, Path folder, Path target)
            throws IOException
    {
        reBalance(AlbisSchema.LOCAL, schema, AlbisSchema.location(folder), AlbisSchema.location(target), WriterOptions.DEFAULTS);
    }

    /**
     * Copies the rows of a folder into another one, in which all row groups but the last one have the sizes of the
     * options.
     *
     * @see #reBalance(AlbisSchema, Path, Path)
     */
    public static void reBalance(TrinoFileSystem fileSystem, AlbisSchema schema, Location folder, Location target, WriterOptions options)
            throws IOException
    {
        FolderCopy.copy(fileSystem, schema, folder, schema, target, options, true);
    }
}
