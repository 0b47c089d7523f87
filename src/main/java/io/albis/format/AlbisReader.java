package io.albis.format;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.format.layout.row.RowEncoder;
import io.albis.format.layout.row.RowStructure;
import io.albis.format.metadata.RowGroup;
import io.albis.format.scan.AlbisBatch;
import io.albis.format.scan.ReaderOptions;
import io.albis.format.scan.RowGroupReader;
import io.albis.format.scan.RowGroupScan;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.FieldSelection;
import io.albis.format.type.JavaValues;
import io.albis.format.type.NestedTypes;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.type.TypeUtils;
import jakarta.annotation.Nullable;

import java.io.Closeable;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;
import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * Reads rows (Albis paper, section 3.3 and Table 4). Use {@link #hasMore}, {@link #next}, and {@link #getValue} to read
 * one row at a time, or {@link #nextBatch} to read many rows at once. Not thread safe.
 */
public final class AlbisReader
        implements Closeable
{
    private final TrinoFileSystem fileSystem;
    private final Location folder;
    private final Iterator<RowGroup> rowGroups;
    private final List<AlbisColumn> projection;
    // the columns of the projection, followed by the columns that only the filter needs
    private final List<AlbisColumn> columns;
    private final Map<Integer, FieldSelection> fields;
    private final AlbisFilter filter;
    private final FilterDomains domains;
    @Nullable
    private RowGroupReader rowGroup;
    // also true while an operation that can fail is in progress
    private boolean failed;
    @Nullable
    private AlbisBatch batch;
    private int position;
    private boolean ahead;
    private boolean started;

    /**
     * Opens a reader for the given row groups of a folder, such as the row groups of one version of a table.
     *
     * @param projection columns of the result, in the order of the result
     */
    public static AlbisReader open(TrinoFileSystem fileSystem, Location folder, List<RowGroup> rowGroups, AlbisFilter filter, List<AlbisColumn> projection)
    {
        return open(fileSystem, folder, rowGroups, filter, projection, Map.of());
    }

    /**
     * Opens a reader of some parts of nested columns.
     *
     * @param fields by the id of a nested column, the parts of it to read; the others are null in the result
     */
    public static AlbisReader open(TrinoFileSystem fileSystem, Location folder, List<RowGroup> rowGroups, AlbisFilter filter, List<AlbisColumn> projection, Map<Integer, FieldSelection> fields)
    {
        return new AlbisReader(fileSystem, folder, rowGroups, filter, projection, fields);
    }

    static AlbisReader open(TrinoFileSystem fileSystem, Location folder, AlbisFilter filter, List<AlbisColumn> projection, Map<Integer, FieldSelection> fields)
            throws IOException
    {
        return new AlbisReader(fileSystem, folder, new AlbisFolder(fileSystem, folder).rowGroups(), filter, projection, fields);
    }

    private AlbisReader(TrinoFileSystem fileSystem, Location folder, List<RowGroup> rowGroups, AlbisFilter filter, List<AlbisColumn> projection, Map<Integer, FieldSelection> fields)
    {
        this.fields = ImmutableMap.copyOf(fields);
        this.fileSystem = fileSystem;
        this.folder = folder;
        this.rowGroups = ImmutableList.copyOf(rowGroups).iterator();
        this.projection = ImmutableList.copyOf(projection);
        this.filter = filter;
        this.domains = FilterDomains.of(filter);
        ImmutableSet.Builder<AlbisColumn> filterColumns = ImmutableSet.builder();
        if (!domains.exact()) {
            filterColumns.addAll(FilterEvaluator.columns(filter));
        }
        this.columns = ImmutableList.<AlbisColumn>builder()
                .addAll(projection)
                .addAll(filterColumns.build())
                .build();
    }

    /**
     * Returns the next batch of rows that match the filter, or null at the end. This is the vector interface. Channel i
     * of the batch is column i of the projection.
     *
     * @throws IllegalStateException if a previous call has failed, because the position of the reader is then unknown
     */
    @Nullable
    public AlbisBatch nextBatch()
            throws IOException
    {
        checkState(!failed, "the reader cannot be used after a failure");
        failed = true;
        AlbisBatch next = findNextBatch();
        failed = false;
        return next;
    }

    @Nullable
    private AlbisBatch findNextBatch()
            throws IOException
    {
        while (true) {
            if (rowGroup == null) {
                if (!rowGroups.hasNext()) {
                    return null;
                }
                rowGroup = RowGroupReader.open(fileSystem, folder, rowGroups.next(), RowGroupScan.of(columns, domains.predicate()).withFields(fields), ReaderOptions.DEFAULTS);
            }
            AlbisBatch next = rowGroup.next();
            if (next == null) {
                RowGroupReader finished = rowGroup;
                rowGroup = null;
                finished.close();
            }
            else if (domains.exact() || evaluateFilter(next)) {
                return next;
            }
        }
    }

    private boolean evaluateFilter(AlbisBatch candidates)
            throws IOException
    {
        int[] selected = new int[candidates.positionCount()];
        int size = 0;
        for (int row = 0; row < selected.length; row++) {
            int currentRow = row;
            Boolean matches = FilterEvaluator.evaluate(filter, column -> TypeUtils.readNativeValue(column.type(), candidates.block(columns.lastIndexOf(column)), currentRow));
            if (matches != null && matches) {
                selected[size] = row;
                size++;
            }
        }
        candidates.selectPositions(selected, 0, size);
        return size > 0;
    }

    /**
     * Returns whether there is another row. The current row is not available after this call until {@link #next} is
     * called.
     */
    public boolean hasMore()
            throws IOException
    {
        if (!ahead) {
            position++;
            if (batch == null || position >= batch.positionCount()) {
                batch = nextBatch();
                position = 0;
            }
            ahead = true;
        }
        return batch != null;
    }

    /**
     * Advances to the next row.
     *
     * @throws IllegalStateException if there are no more rows
     */
    public void next()
            throws IOException
    {
        checkState(hasMore(), "there are no more rows");
        ahead = false;
        started = true;
    }

    /**
     * Returns a value of the current row in the form that {@link JavaValues} describes, or null.
     *
     * @param index position of the column in the projection
     * @throws IllegalStateException if there is no current row
     */
    @Nullable
    public Object getValue(int index)
            throws IOException
    {
        checkRow();
        checkArgument(index >= 0 && index < projection.size(), "column index %s is out of range: the projection has %s columns", index, projection.size());
        AlbisColumn column = projection.get(index);
        return JavaValues.fromNative(column.type(), TypeUtils.readNativeValue(column.type(), batch.block(index), position));
    }

    /**
     * Returns the current row in the binary form that it has in a column group in the row layout with the columns of
     * the projection. Nested columns are not in the rows of the row layout.
     *
     * @throws IllegalStateException if there is no current row, or if a column is nested
     */
    public byte[] getBinaryRow()
            throws IOException
    {
        checkRow();
        for (AlbisColumn column : projection) {
            checkState(!NestedTypes.isNested(column.type()), "column %s has type %s, which rows do not contain", column.name(), column.type().getDisplayName());
        }
        RowEncoder encoder = new RowEncoder(new RowStructure(projection.stream()
                .map(AlbisColumn::storageType)
                .collect(toImmutableList())));
        ValueBlock[] blocks = new ValueBlock[projection.size()];
        for (int column = 0; column < blocks.length; column++) {
            blocks[column] = batch.block(column).getSingleValueBlock(position);
        }
        int[] sizes = new int[1];
        encoder.sizes(blocks, 1, sizes);
        byte[] row = new byte[sizes[0]];
        encoder.encode(blocks, 0, 1, sizes, row, 0);
        return row;
    }

    private void checkRow()
    {
        checkState(started && !ahead && batch != null, "there is no current row: call next() first");
    }

    @Override
    public void close()
            throws IOException
    {
        batch = null;
        if (rowGroup != null) {
            rowGroup.close();
            rowGroup = null;
        }
    }
}
