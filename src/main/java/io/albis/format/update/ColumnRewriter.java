package io.albis.format.update;

import com.google.common.collect.ImmutableList;
import io.albis.format.metadata.RowGroup;
import io.albis.format.run.Run;
import io.albis.format.scan.AlbisBatch;
import io.albis.format.scan.ReaderMetrics;
import io.albis.format.scan.ReaderOptions;
import io.albis.format.scan.RowGroupReader;
import io.albis.format.scan.RowGroupScan;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.RowGroupSchema;
import io.albis.format.write.RowGroupWriter;
import io.albis.format.write.WriterOptions;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.memory.context.AggregatedMemoryContext;
import io.trino.spi.block.ArrayBlock;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.block.ByteArrayBlock;
import io.trino.spi.block.Fixed12Block;
import io.trino.spi.block.Int128ArrayBlock;
import io.trino.spi.block.IntArrayBlock;
import io.trino.spi.block.LongArrayBlock;
import io.trino.spi.block.MapBlock;
import io.trino.spi.block.RowBlock;
import io.trino.spi.block.ShortArrayBlock;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.block.VariableWidthBlock;
import io.trino.spi.predicate.TupleDomain;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.memory.context.AggregatedMemoryContext.newSimpleAggregatedMemoryContext;
import static io.trino.spi.type.BigintType.BIGINT;

/**
 * Writes new instances of some column groups of a row group, in which some rows have new values. The other values come
 * from the old instances, or are initial values of columns that the row group does not store. The rows keep their
 * positions, and the segments their rows. Readers can therefore combine the new instances with those of the column
 * groups that are not written.
 * <p>
 * The values of a deleted row are not read any more. In the new instances it has those of the previous live row of its
 * segment, or of the next one if it is before all of them. So the bounds, the order, and the share of nulls of a column
 * are those of the live rows. Only long and nested values are not repeated: there the deleted row is null.
 */
public final class ColumnRewriter
        implements Closeable
{
    private interface WriterFactory
    {
        RowGroupWriter create(int[] segmentRows, AggregatedMemoryContext memoryContext)
                throws IOException;
    }

    private static final int UNCHANGED = -1;
    private static final int PREVIOUS = -1;
    // Text up to this length is repeated, which takes at most 16 MB for a segment in memory. On storage, many equal
    // values are a dictionary
    private static final int MAX_REPEATED_LENGTH = 256;

    private final List<AlbisColumn> columns;
    // for each column, its index in the updates, or UNCHANGED
    private final int[] updatedColumns;
    private final UUID rowGroup;
    private final long rows;
    private final long liveRows;
    private final RowUpdates.Ordered updates;

    private final int[] segmentRows;
    private final RowGroupReader reader;
    private final RowGroupWriter writer;
    private final AggregatedMemoryContext outputMemory;
    private boolean ended;

    // The live rows whose values are written next: the row of the batch, and the index of the update or UNCHANGED
    private final int[] oldRows = new int[Run.MAX_ROWS];
    private final int[] newRows = new int[Run.MAX_ROWS];
    private int sources;
    // The rows that are written next: the index of a live row, or PREVIOUS for the last row that was written
    private final int[] sourceOfRow = new int[Run.MAX_ROWS];
    private final boolean[] deleted = new boolean[Run.MAX_ROWS];
    private int size;
    private boolean hasDeleted;
    // for each column, the value of the last row that was written; null before the first one
    private final ValueBlock[] previous;
    // position of the next row, its segment and the position at which that begins, and the index of the next update
    private long position;
    private int segment;
    private long segmentBegin;
    private int nextUpdate;
    private long copiedRows;

    private ColumnRewriter(
            RowGroupReader reader,
            RowGroupWriter writer,
            AggregatedMemoryContext outputMemory,
            RowGroup rowGroup,
            int[] segmentRows,
            List<AlbisColumn> columns,
            List<Integer> updatedColumns,
            RowUpdates updates)
    {
        this.reader = reader;
        this.writer = writer;
        this.outputMemory = outputMemory;
        this.segmentRows = segmentRows;
        this.previous = new ValueBlock[columns.size()];
        this.columns = columns;
        this.updatedColumns = columns.stream()
                .mapToInt(column -> updatedColumns.indexOf(column.id()))
                .toArray();
        this.rowGroup = rowGroup.id();
        this.rows = rowGroup.rows();
        this.liveRows = rowGroup.liveRows();
        this.updates = updates.ordered();
    }

    /**
     * Writes new instances. If this fails, it deletes them as far as possible.
     *
     * @param rowGroup the row group with its deleted rows
     * @param columnGroups the column groups to write, in which any columns may be together
     * @param options options of the writer, with the compressions of these column groups
     * @param updatedColumns ids of the columns of the updates
     * @param updates new values of rows that are not deleted
     * @param ids supplies ids of column groups that are never used again
     * @return the row group with only the new instances and the statistics of their columns
     * @throws SegmentTooLargeException if a segment with the new values would be too large; {@link UpdatedRows} reads
     *         what is needed to write the updated rows as new rows
     */
    public static RowGroup rewrite(
            TrinoFileSystem fileSystem,
            Location tableFolder,
            RowGroup rowGroup,
            List<AlbisColumnGroup> columnGroups,
            WriterOptions options,
            List<Integer> updatedColumns,
            RowUpdates updates,
            Supplier<UUID> ids)
            throws IOException
    {
        return complete(open(fileSystem, tableFolder, rowGroup, columnGroups, options, updatedColumns, updates, ids));
    }

    /**
     * Writes columns of a row group into another folder, as a new row group with the same rows in the same segments. If
     * this fails, it deletes what it has written as far as possible.
     *
     * @param rowGroup the row group with its deleted rows
     * @param columns the columns to read
     * @param target folder of the copy
     * @param schema the same columns in the same order, with the ids and column groups that they have in the copy
     * @param options options of the writer. The limits of row groups and segments do not apply
     * @throws SegmentTooLargeException if a segment would be too large
     */
    public static RowGroup copy(
            TrinoFileSystem fileSystem,
            Location folder,
            RowGroup rowGroup,
            List<AlbisColumn> columns,
            Location target,
            RowGroupSchema schema,
            WriterOptions options)
            throws IOException
    {
        return complete(open(fileSystem, folder, rowGroup, columns, ImmutableList.of(), new RowUpdates(), (segmentRows, memory) ->
                RowGroupWriter.ofCopy(fileSystem, target, segmentRows, schema, options, memory)));
    }

    private static RowGroup complete(ColumnRewriter rewriter)
            throws IOException
    {
        try (rewriter) {
            while (rewriter.copyNext()) {
                // each call copies one batch
            }
            return rewriter.finish();
        }
        catch (Throwable e) {
            rewriter.abort(e);
            throw e;
        }
    }

    /**
     * Begins to write new instances, like {@link #rewrite}, for a caller that does other work between the batches. It
     * calls {@link #copyNext} until all rows are copied and then {@link #finish}, or {@link #abort} if it gives up, and
     * closes the object in any case.
     */
    public static ColumnRewriter open(
            TrinoFileSystem fileSystem,
            Location tableFolder,
            RowGroup rowGroup,
            List<AlbisColumnGroup> columnGroups,
            WriterOptions options,
            List<Integer> updatedColumns,
            RowUpdates updates,
            Supplier<UUID> ids)
            throws IOException
    {
        List<AlbisColumn> columns = columnGroups.stream()
                .flatMap(group -> group.columns().stream())
                .collect(toImmutableList());
        List<Integer> columnIds = columns.stream().map(AlbisColumn::id).collect(toImmutableList());
        checkArgument(columnIds.containsAll(updatedColumns), "columns %s do not include all updated columns: %s", columnIds, updatedColumns);
        return open(fileSystem, tableFolder, rowGroup, columns, updatedColumns, updates, (segmentRows, memory) ->
                RowGroupWriter.ofExisting(fileSystem, tableFolder, rowGroup.id(), segmentRows, new RowGroupSchema(columns, columnGroups), options, ids, memory));
    }

    private static ColumnRewriter open(TrinoFileSystem fileSystem, Location folder, RowGroup rowGroup, List<AlbisColumn> columns, List<Integer> updatedColumns, RowUpdates updates, WriterFactory writers)
            throws IOException
    {
        RowGroupReader reader = RowGroupReader.open(fileSystem, folder, rowGroup, RowGroupScan.of(columns, TupleDomain.all()), ReaderOptions.DEFAULTS);
        try {
            int[] segmentRows = reader.segmentRows();
            AggregatedMemoryContext outputMemory = newSimpleAggregatedMemoryContext();
            RowGroupWriter writer = writers.create(segmentRows, outputMemory);
            return new ColumnRewriter(reader, writer, outputMemory, rowGroup, segmentRows, columns, updatedColumns, updates);
        }
        catch (Throwable e) {
            reader.close();
            throw e;
        }
    }

    /**
     * Copies the rows of the next batch.
     *
     * @return false if all rows are copied
     * @throws SegmentTooLargeException if a segment would be too large
     */
    public boolean copyNext()
            throws IOException
    {
        AlbisBatch batch = reader.next();
        if (batch != null) {
            copy(batch);
            return true;
        }
        // A row that is not read would lose its values
        checkState(copiedRows == liveRows, "%s rows were read instead of the %s live rows of row group %s", copiedRows, liveRows, rowGroup);
        while (position < rows) {
            add(previousSource(), true, null);
        }
        flush(null);
        checkState(nextUpdate == updates.count(), "%s of %s updated rows are deleted or do not exist", updates.count() - nextUpdate, updates.count());
        return false;
    }

    /**
     * Completes the files.
     *
     * @return the row group with only the new instances and the statistics of their columns
     */
    public RowGroup finish()
            throws IOException
    {
        RowGroup written = writer.finish();
        ended = true;
        return written;
    }

    /**
     * Deletes the files as far as possible, unless they are complete. Failures are added to {@code reason} as
     * suppressed exceptions.
     */
    public void abort(Throwable reason)
    {
        if (!ended) {
            ended = true;
            writer.abort(reason);
        }
    }

    /**
     * Returns the size of the reader and the writer in memory in bytes.
     */
    public long memoryUsage()
    {
        return reader.memoryUsage() + writer.retainedSize() + outputMemory.getBytes();
    }

    public ReaderMetrics metrics()
    {
        return reader.metrics();
    }

    @Override
    public void close()
            throws IOException
    {
        reader.close();
    }

    private void copy(AlbisBatch batch)
            throws IOException
    {
        Block positions = batch.positions();
        copiedRows += batch.positionCount();
        for (int row = 0; row < batch.positionCount(); row++) {
            long live = BIGINT.getLong(positions, row);
            while (position < live) {
                // the first row of a segment has no previous row
                add(position == segmentBegin ? addSource(row, live) : previousSource(), true, batch);
            }
            add(addSource(row, live), false, batch);
        }
        flush(batch);
    }

    private int addSource(int row, long live)
    {
        oldRows[sources] = row;
        newRows[sources] = isNextUpdate(live) ? nextUpdate : UNCHANGED;
        sources++;
        return sources - 1;
    }

    private int previousSource()
    {
        return size == 0 ? PREVIOUS : sourceOfRow[size - 1];
    }

    private boolean isNextUpdate(long row)
    {
        return nextUpdate < updates.count() && updates.position(nextUpdate) == row;
    }

    private void add(int source, boolean isDeleted, AlbisBatch batch)
            throws IOException
    {
        if (isNextUpdate(position)) {
            checkState(!isDeleted, "the updated row at position %s is deleted", position);
            nextUpdate++;
        }
        sourceOfRow[size] = source;
        deleted[size] = isDeleted;
        hasDeleted |= isDeleted;
        size++;
        position++;
        if (position == segmentBegin + segmentRows[segment]) {
            segmentBegin = position;
            segment++;
        }
        if (size == sourceOfRow.length) {
            flush(batch);
        }
    }

    private void flush(AlbisBatch batch)
            throws IOException
    {
        if (size == 0) {
            return;
        }
        ValueBlock[] blocks = new ValueBlock[columns.size()];
        for (int column = 0; column < blocks.length; column++) {
            blocks[column] = merge(column, batch);
            previous[column] = isRepeatable(blocks[column], size - 1) ? blocks[column].getSingleValueBlock(size - 1) : nulls(column);
        }
        int written = writer.append(blocks, 0, size);
        if (written < size) {
            throw new SegmentTooLargeException(rowGroup);
        }
        size = 0;
        sources = 0;
        hasDeleted = false;
    }

    private ValueBlock merge(int column, AlbisBatch batch)
            throws IOException
    {
        BlockBuilder builder = columns.get(column).type().createBlockBuilder(null, sources + 2);
        int updatedColumn = updatedColumns[column];
        // The column is not read from storage if all of its rows have new values
        Block old = null;
        for (int i = 0; i < sources; i++) {
            if (updatedColumn != UNCHANGED && newRows[i] != UNCHANGED) {
                updates.append(newRows[i], updatedColumn, builder);
            }
            else {
                if (old == null) {
                    old = batch.block(column);
                }
                builder.append(old.getUnderlyingValueBlock(), old.getUnderlyingValuePosition(oldRows[i]));
            }
        }
        if (!hasDeleted) {
            return builder.buildValueBlock();
        }
        builder.append(previous[column] == null ? nulls(column) : previous[column], 0);
        builder.appendNull();
        return repeat(builder.buildValueBlock());
    }

    /**
     * Returns the values of all rows that are written next.
     *
     * @param values the values of the live rows, then the value of the last row that was written, then null
     */
    private ValueBlock repeat(ValueBlock values)
    {
        int[] positions = new int[size];
        for (int i = 0; i < size; i++) {
            positions[i] = sourceOfRow[i] == PREVIOUS ? sources : sourceOfRow[i];
            if (deleted[i] && !isRepeatable(values, positions[i])) {
                positions[i] = sources + 1;
            }
        }
        return values.copyPositions(positions, 0, size);
    }

    private static boolean isRepeatable(ValueBlock values, int position)
    {
        return switch (values) {
            case VariableWidthBlock texts -> texts.isNull(position) || texts.getSliceLength(position) <= MAX_REPEATED_LENGTH;
            case ArrayBlock _, MapBlock _, RowBlock _ -> false;
            case ByteArrayBlock _, Fixed12Block _, Int128ArrayBlock _, IntArrayBlock _, LongArrayBlock _, ShortArrayBlock _ -> true;
            // ValueBlock is not sealed, so the compiler does not point out a new block
            default -> throw new IllegalArgumentException("Unsupported block: " + values);
        };
    }

    private ValueBlock nulls(int column)
    {
        return columns.get(column).type().createNullBlock();
    }
}
