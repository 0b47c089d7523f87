package io.albis.format.write;

import com.google.common.collect.ImmutableList;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.RowGroupSchema;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.memory.context.AggregatedMemoryContext;
import io.trino.spi.Page;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.type.Type;
import jakarta.annotation.Nullable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.memory.context.AggregatedMemoryContext.newSimpleAggregatedMemoryContext;
import static java.util.Objects.requireNonNull;

/**
 * Writes pages into the folder of a table as a sequence of row groups. File names are unique, so that any number of
 * writers can write into the same folder. The row groups become part of a table when the caller commits the result of
 * {@link #finish}.
 */
public final class RollingRowGroupWriter
        implements PageWriter
{
    private final TrinoFileSystem fileSystem;
    private final Location tableFolder;
    private final RowGroupSchema schema;
    private final List<Type> types;
    private final WriterOptions options;
    private final Supplier<UUID> ids;
    private final AggregatedMemoryContext outputMemory = newSimpleAggregatedMemoryContext();
    private final List<RowGroup> rowGroups = new ArrayList<>();
    @Nullable
    private RowGroupWriter writer;
    private long finishedBytes;

    public RollingRowGroupWriter(TrinoFileSystem fileSystem, Location tableFolder, RowGroupSchema schema, WriterOptions options)
    {
        this(fileSystem, tableFolder, schema, options, UUID::randomUUID);
    }

    /**
     * Creates a writer that has not written any row groups yet.
     *
     * @param ids supplies ids of row groups and column groups that are never used again
     */
    public RollingRowGroupWriter(TrinoFileSystem fileSystem, Location tableFolder, RowGroupSchema schema, WriterOptions options, Supplier<UUID> ids)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.tableFolder = requireNonNull(tableFolder, "tableFolder is null");
        this.schema = requireNonNull(schema, "schema is null");
        this.types = schema.columns().stream()
                .map(AlbisColumn::type)
                .collect(toImmutableList());
        this.options = requireNonNull(options, "options is null");
        this.ids = requireNonNull(ids, "ids is null");
    }

    /**
     * Appends a page.
     *
     * @param page page with one channel for each column of the schema, in the order of the schema
     * @throws io.albis.format.run.RowTooLargeException if a row is larger than {@code RowTooLargeException.MAX_SIZE},
     *         in which case no row of the page is written
     */
    @Override
    public void append(Page page)
            throws IOException
    {
        checkArgument(page.getChannelCount() == schema.columns().size(), "the page has %s channels, but the schema has %s columns", page.getChannelCount(), schema.columns().size());
        RowSizes.check(types, page);
        FlatRegions regions = new FlatRegions(types, page);
        for (int rows = regions.next(); rows > 0; rows = regions.next()) {
            append(regions.blocks(), rows);
        }
    }

    private void append(ValueBlock[] blocks, int rows)
            throws IOException
    {
        int position = 0;
        while (position < rows) {
            if (writer == null) {
                writer = new RowGroupWriter(fileSystem, tableFolder, schema, options, ids, outputMemory);
            }
            position += writer.append(blocks, position, rows);
            if (writer.isFull()) {
                finishRowGroup();
            }
        }
    }

    private void finishRowGroup()
            throws IOException
    {
        RowGroup rowGroup = writer.finish();
        rowGroups.add(rowGroup);
        finishedBytes += rowGroup.bytes();
        writer = null;
    }

    /**
     * Finishes the last row group.
     *
     * @return all row groups that were written; empty if there were no rows
     */
    @Override
    public List<RowGroup> finish()
            throws IOException
    {
        if (writer != null) {
            finishRowGroup();
        }
        return ImmutableList.copyOf(rowGroups);
    }

    @Override
    public void abort()
            throws IOException
    {
        IOException failure = new IOException("Failed to delete all files that were written into " + tableFolder);
        if (writer != null) {
            writer.abort(failure);
            writer = null;
        }
        try {
            fileSystem.deleteFiles(files(tableFolder, rowGroups));
        }
        catch (IOException | RuntimeException e) {
            failure.addSuppressed(e);
        }
        if (failure.getSuppressed().length > 0) {
            throw failure;
        }
    }

    /**
     * Returns all files of row groups.
     */
    public static List<Location> files(Location tableFolder, List<RowGroup> rowGroups)
    {
        ImmutableList.Builder<Location> files = ImmutableList.builder();
        for (RowGroup rowGroup : rowGroups) {
            rowGroup.columnGroups().forEach(columnGroup -> {
                files.add(rowGroup.dataFile(tableFolder, columnGroup));
                files.add(rowGroup.metadataFile(tableFolder, columnGroup));
            });
        }
        return files.build();
    }

    @Override
    public long writtenBytes()
    {
        return finishedBytes + (writer == null ? 0 : writer.dataBytes());
    }

    @Override
    public long memoryUsage()
    {
        return outputMemory.getBytes() + (writer == null ? 0 : writer.retainedSize());
    }
}
