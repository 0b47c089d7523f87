package io.albis.format;

import com.google.common.collect.ImmutableList;
import io.albis.format.delete.DeletedPositions;
import io.albis.format.delete.DeletesWriter;
import io.albis.format.metadata.RowGroup;
import io.albis.format.scan.AlbisBatch;
import io.albis.format.scan.ReaderOptions;
import io.albis.format.scan.RowGroupReader;
import io.albis.format.scan.RowGroupScan;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.update.ColumnRewriter;
import io.albis.format.update.RowUpdates;
import io.albis.format.write.RollingRowGroupWriter;
import io.albis.format.write.WriterOptions;
import io.trino.filesystem.FileIterator;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.LongArrayBlock;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.predicate.TupleDomain;
import it.unimi.dsi.fastutil.ints.IntArrayList;

import java.io.IOException;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.LongStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.Iterables.getOnlyElement;
import static io.albis.format.RowValues.rows;

/**
 * Writes row groups to a file system in memory, deletes and updates their rows, and reads them.
 */
final class UpdatedRowGroups
{
    static final Location FOLDER = Location.of("memory:///table");

    private final TrinoFileSystem fileSystem = new MemoryFileSystem();

    TrinoFileSystem fileSystem()
    {
        return fileSystem;
    }

    RowGroup write(AlbisSchema schema, WriterOptions options, Page page)
            throws IOException
    {
        RollingRowGroupWriter writer = new RollingRowGroupWriter(fileSystem, FOLDER, schema.rowGroupSchema(), options);
        writer.append(page);
        return getOnlyElement(writer.finish());
    }

    RowGroup delete(RowGroup rowGroup, BitSet deleted)
            throws IOException
    {
        if (deleted.isEmpty()) {
            return rowGroup;
        }
        DeletesWriter writer = new DeletesWriter(fileSystem, FOLDER, UUID.randomUUID());
        RowGroup result = rowGroup.withDeletedRows(writer.add(DeletedPositions.of(deleted.stream().toArray())));
        writer.close();
        return result;
    }

    RowGroup rewrite(RowGroup rowGroup, AlbisSchema schema, WriterOptions options, List<AlbisColumn> updated, RowUpdates updates)
            throws IOException
    {
        return rewrite(rowGroup, affected(schema, updated), options, updated, updates);
    }

    RowGroup rewrite(RowGroup rowGroup, List<AlbisColumnGroup> written, WriterOptions options, List<AlbisColumn> updated, RowUpdates updates)
            throws IOException
    {
        return ColumnRewriter.rewrite(fileSystem, FOLDER, rowGroup, written, options, ids(updated), updates, UUID::randomUUID);
    }

    List<List<Object>> read(RowGroup rowGroup, List<AlbisColumn> columns)
            throws IOException
    {
        ImmutableList.Builder<Page> pages = ImmutableList.builder();
        try (RowGroupReader reader = RowGroupReader.open(fileSystem, FOLDER, rowGroup, RowGroupScan.of(columns, TupleDomain.all()), ReaderOptions.DEFAULTS)) {
            for (AlbisBatch batch = reader.next(); batch != null; batch = reader.next()) {
                Block[] blocks = new Block[columns.size()];
                for (int channel = 0; channel < blocks.length; channel++) {
                    blocks[channel] = batch.block(channel);
                }
                pages.add(new Page(blocks));
            }
        }
        return rows(pages.build(), columns);
    }

    List<Location> files()
            throws IOException
    {
        ImmutableList.Builder<Location> files = ImmutableList.builder();
        FileIterator iterator = fileSystem.listFiles(FOLDER);
        while (iterator.hasNext()) {
            files.add(iterator.next().location());
        }
        return files.build();
    }

    static List<Integer> ids(List<AlbisColumn> columns)
    {
        return columns.stream().map(AlbisColumn::id).toList();
    }

    /**
     * Returns the column groups with updated columns.
     */
    static List<AlbisColumnGroup> affected(AlbisSchema schema, List<AlbisColumn> updated)
    {
        return schema.columnGroups().stream()
                .filter(group -> !Collections.disjoint(group.columns(), updated))
                .collect(toImmutableList());
    }

    /**
     * Returns the column groups with updated columns, without the other columns.
     */
    static List<AlbisColumnGroup> onlyUpdated(AlbisSchema schema, List<AlbisColumn> updated)
    {
        return affected(schema, updated).stream()
                .map(group -> AlbisColumnGroup.make(group.layout(), group.columns().stream().filter(updated::contains).toList()))
                .collect(toImmutableList());
    }

    static Block bigints(int count)
    {
        return new LongArrayBlock(count, Optional.empty(), LongStream.range(0, count).toArray());
    }

    static RowUpdates updates(Block value, int... positions)
    {
        RowUpdates updates = new RowUpdates();
        updates.add(IntArrayList.wrap(positions), new Block[] {RunLengthEncodedBlock.create(value, positions.length)});
        return updates;
    }
}
