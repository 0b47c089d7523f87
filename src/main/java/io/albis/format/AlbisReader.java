package io.albis.format;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.albis.format.layout.row.RowEncoder;
import io.albis.format.layout.row.RowLayout;
import io.albis.format.metadata.RowGroup;
import io.albis.format.scan.AlbisBatch;
import io.albis.format.scan.ReaderOptions;
import io.albis.format.scan.RowGroupReader;
import io.albis.format.scan.RowGroupScan;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.type.JavaValues;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.type.TypeUtils;
import jakarta.annotation.Nullable;

import java.io.Closeable;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;
import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * Reads rows (Albis paper, section 3.3 and Table 4), one by one with {@link #hasMore}, {@link #next} and {@link #getValue},
 * or many at once with {@link #nextBatch}. Not thread safe.
 */
public final class AlbisReader
        implements Closeable
{
    private final TrinoFileSystem fileSystem;
    private final Location folder;
    private final Iterator<RowGroup> rowGroups;
    private final List<AlbisColumn> projection;
    // the projection, and what the filter needs besides
    private final List<AlbisColumn> columns;
    private final AlbisFilter filter;
    private final FilterDomains domains;
    @Nullable
    private RowGroupReader rowGroup;
    // or in the middle of what may
    private boolean failed;
    @Nullable
    private AlbisBatch batch;
    private int position;
    private boolean ahead;
    private boolean started;

    /**
     * Reads some row groups of a folder: those of a version of a table, for one.
     *
     * @param projection columns of the result, in its order
     */
    public static AlbisReader open(TrinoFileSystem fileSystem, Location folder, List<RowGroup> rowGroups, AlbisFilter filter, List<AlbisColumn> projection)
    {
        return new AlbisReader(fileSystem, folder, rowGroups, filter, projection);
    }

    static AlbisReader open(TrinoFileSystem fileSystem, Location folder, AlbisFilter filter, List<AlbisColumn> projection)
            throws IOException
    {
        return new AlbisReader(fileSystem, folder, new AlbisFolder(fileSystem, folder).rowGroups(), filter, projection);
    }

    private AlbisReader(TrinoFileSystem fileSystem, Location folder, List<RowGroup> rowGroups, AlbisFilter filter, List<AlbisColumn> projection)
    {
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
     * The next rows that match the filter, or null: the vector interface. Channel i is column i of the projection.
     *
     * @throws IllegalStateException if a call before this one has failed: where it stood is not known
     */
    @Nullable
    public AlbisBatch nextBatch()
            throws IOException
    {
        checkState(!failed, "the reader has failed before");
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
                rowGroup = RowGroupReader.open(fileSystem, folder, rowGroups.next(), RowGroupScan.of(columns, domains.predicate()), ReaderOptions.DEFAULTS);
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
     * Goes to the next row.
     *
     * @throws IllegalStateException if there is none
     */
    public void next()
            throws IOException
    {
        checkState(hasMore(), "there are no more rows");
        ahead = false;
        started = true;
    }

    /**
     * A value of the current row, in the form of {@link JavaValues}.
     *
     * @param index of the column in the projection
     */
    @Nullable
    public Object getValue(int index)
            throws IOException
    {
        checkRow();
        checkArgument(index >= 0 && index < projection.size(), "there is no column %s in the projection", index);
        AlbisColumn column = projection.get(index);
        return JavaValues.fromNative(column.type(), TypeUtils.readNativeValue(column.type(), batch.block(index), position));
    }

    /**
     * The current row as the bytes that it has in a column group of the columns of the projection.
     */
    public byte[] getBinaryRow()
            throws IOException
    {
        checkRow();
        RowEncoder encoder = new RowEncoder(new RowLayout(projection.stream()
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
        checkState(started && !ahead && batch != null, "next was not called");
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
