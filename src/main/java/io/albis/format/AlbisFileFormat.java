package io.albis.format;

import com.google.common.collect.ImmutableList;
import io.albis.format.scan.AlbisBatch;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.write.WriterOptions;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.spi.Page;
import io.trino.spi.block.Block;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;

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
     * Copies the rows of a local folder into another one with other column groups or other layouts.
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
     * Copies the rows of a folder into another one with other column groups, layouts, sizes, or compressions.
     *
     * @see #reGroup(AlbisSchema, Path, AlbisSchema, Path)
     */
    public static void reGroup(TrinoFileSystem fileSystem, AlbisSchema schema, Location folder, AlbisSchema targetSchema, Location target, WriterOptions options)
            throws IOException
    {
        new AlbisFolder(fileSystem, folder).check(schema.rowGroupSchema());
        ImmutableList.Builder<AlbisColumn> columns = ImmutableList.builder();
        for (AlbisColumn column : targetSchema.columns()) {
            AlbisColumn source = schema.column(column.name());
            checkArgument(source.type().equals(column.type()), "Column %s has type %s, but the copy has type %s", column.name(), source.type().getDisplayName(), column.type().getDisplayName());
            columns.add(source);
        }
        copy(fileSystem, schema, folder, columns.build(), targetSchema, target, options);
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
        reGroup(schema, folder, schema, target);
    }

    private static void copy(TrinoFileSystem fileSystem, AlbisSchema schema, Location folder, List<AlbisColumn> columns, AlbisSchema targetSchema, Location target, WriterOptions options)
            throws IOException
    {
        try (AlbisWriter writer = targetSchema.getWriter(fileSystem, target, options)) {
            try (AlbisReader reader = schema.getReader(fileSystem, folder, AlbisFilter.ALL, columns)) {
                checkState(new AlbisFolder(fileSystem, target).rowGroups().isEmpty(), "Folder %s already has rows", target);
                for (AlbisBatch batch = reader.nextBatch(); batch != null; batch = reader.nextBatch()) {
                    Block[] blocks = new Block[columns.size()];
                    for (int column = 0; column < blocks.length; column++) {
                        blocks[column] = batch.block(column);
                    }
                    writer.append(new Page(batch.positionCount(), blocks));
                }
            }
            catch (Throwable e) {
                writer.discard();
                throw e;
            }
        }
    }
}
