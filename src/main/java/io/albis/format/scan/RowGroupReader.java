package io.albis.format.scan;

import com.google.common.io.Closer;
import io.albis.format.column.ColumnReader;
import io.albis.format.delete.DeletedPositions;
import io.albis.format.io.ReadBuffers;
import io.albis.format.io.ReadCounter;
import io.albis.format.io.StorageAccess;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.ColumnGroupMetadata;
import io.albis.format.metadata.RowGroup;
import io.albis.format.request.PlannedRead;
import io.albis.format.request.ReadPlan;
import io.albis.format.request.RequestPlanner;
import io.albis.format.run.RowPositions;
import io.albis.format.run.SegmentRows;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.search.SearchedIndex;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import jakarta.annotation.Nullable;

import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import static com.google.common.base.Preconditions.checkState;
import static io.albis.format.io.AlbisDataException.damaged;
import static java.util.Comparator.comparingInt;
import static java.util.Objects.requireNonNull;

/**
 * Reads the rows of one row group that match a predicate (Albis paper, section 3.3). The reader opens only the column
 * groups that the projection and the predicate need, and skips segments in which no row can match. In the other
 * segments it reads the filter columns first. It reads the remaining columns where rows are selected, when they are
 * requested.
 */
public final class RowGroupReader
        implements Closeable
{
    private static final CompletableFuture<?> DONE = CompletableFuture.completedFuture(null);

    private final TrinoFileSystem fileSystem;
    private final Location tableFolder;
    private final RowGroup rowGroup;
    private final RowGroupScan scan;
    private final ReaderResources resources;
    private final ReadCounter counter = new ReadCounter();
    private final ReadBuffers buffers;
    private final RequestPlanner planner;
    private final ReadPlan reads;
    private final Map<UUID, ColumnGroupReader> columnGroups = new HashMap<>();
    // the same in all column groups; null until one is opened
    @Nullable
    private int[] segmentRows;
    private final ScanFilters filters;
    private final ScanColumns columns;
    private final SegmentDeletes deletes;
    private final RowSearch search;
    private final SegmentScan segments;
    private final RowCounter rowCounter;

    // set while a call advances, so that it stays set if the call fails
    private boolean failed;
    @Nullable
    private SegmentBatch batch;
    // as of the last call that advanced
    private long filterBytes;

    /**
     * Opens a reader that shares nothing with other readers.
     */
    public static RowGroupReader open(TrinoFileSystem fileSystem, Location tableFolder, RowGroup rowGroup, RowGroupScan scan, ReaderOptions options)
            throws IOException
    {
        return open(fileSystem, tableFolder, rowGroup, scan, options, ReaderResources.alone(tableFolder, scan.columns().size()));
    }

    public static RowGroupReader open(TrinoFileSystem fileSystem, Location tableFolder, RowGroup rowGroup, RowGroupScan scan, ReaderOptions options, ReaderResources resources)
            throws IOException
    {
        return new RowGroupReader(fileSystem, tableFolder, rowGroup, scan, options, resources);
    }

    private RowGroupReader(TrinoFileSystem fileSystem, Location tableFolder, RowGroup rowGroup, RowGroupScan scan, ReaderOptions options, ReaderResources resources)
            throws IOException
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.tableFolder = requireNonNull(tableFolder, "tableFolder is null");
        this.rowGroup = requireNonNull(rowGroup, "rowGroup is null");
        this.scan = requireNonNull(scan, "scan is null");
        requireNonNull(options, "options is null");
        this.resources = requireNonNull(resources, "resources is null");
        this.buffers = new ReadBuffers(StorageAccess.LOCAL.maxRequest());
        // All rows would have initial values or nulls, and nothing would bound their number
        if (rowGroup.columnGroups().isEmpty()) {
            throw damaged("Damaged Albis table: row group %s has no column groups", rowGroup.id());
        }
        this.planner = new RequestPlanner(resources.access(), options.thresholds().maxPageValues());
        this.reads = new ReadPlan(resources.access(), planner, resources.executor(), buffers);
        try {
            MetadataReads.Results readAhead = MetadataReads.readAhead(fileSystem, tableFolder, rowGroup, scan, options, resources, counter);
            Map<UUID, ColumnGroupMetadata> metadata = readAhead.columnGroups();
            ColumnReader[] channels = new ColumnReader[scan.columns().size()];
            for (int channel = 0; channel < channels.length; channel++) {
                channels[channel] = column(scan.columns().get(channel), metadata).orElse(null);
            }
            this.filters = new ScanFilters(scan, options, resources.filters(), column -> column(column, metadata));
            if (segmentRows == null) {
                segmentRows = new int[0];
            }
            this.columns = new ScanColumns(scan.columns(), channels, filters, resources.history());
            this.deletes = new SegmentDeletes(readAhead.deleted().isPresent() ? readAhead.deleted().get() : readDeletes(), segmentRows);
            this.search = new RowSearch(scan, options, resources, filters, this::index, segmentRows);
            this.segments = new SegmentScan(options, resources, reads, filters, search, deletes, columns, sequence(channels));
            this.rowCounter = new RowCounter(rowGroup, scan.share(), () -> CachedDeletes.read(fileSystem, tableFolder, rowGroup, resources, counter));
            filterBytes = filters.retainedSize();
        }
        catch (Throwable e) {
            // some files may already be open
            try {
                close();
            }
            catch (IOException | RuntimeException failure) {
                e.addSuppressed(failure);
            }
            throw e;
        }
    }

    /**
     * Returns the segments to read.
     *
     * @param channels the reader of each column of the projection; null for a column that the row group does not have
     */
    private SegmentSequence sequence(ColumnReader[] channels)
            throws IOException
    {
        ColumnReader reader = scan.order().map(order -> channels[scan.columns().indexOf(order.column())]).orElse(null);
        if (reader == null) {
            return SegmentSequence.of(segmentRows, scan.share());
        }
        int begin = scan.share().begin(segmentRows.length);
        int end = scan.share().end(segmentRows.length);
        return new SegmentSequence(segmentRows, scan.order().get().order(reader, segmentRows, begin, end), false);
    }

    /**
     * Opens the column group of a column, unless it is open.
     *
     * @param metadata the metadata of column groups that were read ahead
     * @return empty if the row group does not have the column, or the part of it
     */
    private Optional<ColumnReader> column(AlbisColumn column, Map<UUID, ColumnGroupMetadata> metadata)
            throws IOException
    {
        Optional<ColumnGroupInstance> instance = rowGroup.columnGroup(column.id());
        if (instance.isEmpty()) {
            return Optional.empty();
        }
        ColumnGroupReader columnGroup = columnGroups.get(instance.get().id());
        if (columnGroup == null) {
            columnGroup = open(instance.get(), metadata);
        }
        return columnGroup.column(column, column.isPart() ? Optional.empty() : Optional.ofNullable(scan.fields().get(column.id())));
    }

    /**
     * Returns the index of a column whose column group is open.
     */
    private Optional<SearchedIndex> index(AlbisColumn column)
            throws IOException
    {
        Optional<ColumnGroupInstance> instance = rowGroup.columnGroup(column.id());
        return instance.isEmpty() ? Optional.empty() : columnGroups.get(instance.get().id()).index(column, resources.metadata());
    }

    private ColumnGroupReader open(ColumnGroupInstance instance, Map<UUID, ColumnGroupMetadata> metadata)
            throws IOException
    {
        ColumnGroupMetadata known = metadata.get(instance.id());
        known = known == null ? ColumnGroupReader.metadata(fileSystem, tableFolder, rowGroup, instance, resources, counter) : known;
        ColumnGroupReader columnGroup = ColumnGroupReader.open(fileSystem, tableFolder, rowGroup, instance, known, planner, buffers, counter);
        columnGroups.put(instance.id(), columnGroup);
        checkSegments(columnGroup);
        return columnGroup;
    }

    /**
     * Reads the deleted rows, unless the scan needs no column. Then it only needs the number of rows that remain.
     */
    private DeletedPositions readDeletes()
            throws IOException
    {
        return columnGroups.isEmpty() ? DeletedPositions.NONE : CachedDeletes.read(fileSystem, tableFolder, rowGroup, resources, counter);
    }

    /**
     * Checks a column group when it is opened. A dynamic filter may open one long after the others.
     */
    private void checkSegments(ColumnGroupReader columnGroup)
            throws IOException
    {
        if (segmentRows == null) {
            segmentRows = columnGroup.segmentRows();
        }
        else if (!Arrays.equals(segmentRows, columnGroup.segmentRows())) {
            throw damaged("Damaged Albis table: the column groups of row group %s have different segments", rowGroup.id());
        }
    }

    /**
     * Returns the next rows that match, and ends the previous batch. Waits for storage if necessary.
     *
     * @return at least one row; null if there are no more
     * @throws IllegalStateException if an earlier call failed, because the position of the reader is unknown since then
     */
    @Nullable
    public AlbisBatch next()
            throws IOException
    {
        // The reads that prepare returned may complete just before isDone is called, so a completed future does not
        // imply a page.
        for (CompletableFuture<?> ready = prepare(); !isDecided() || !ready.isDone(); ready = prepare()) {
            PlannedRead.waitFor(ready);
        }
        batch = columnGroups.isEmpty() ? nextCount() : nextPage();
        return batch;
    }

    @Nullable
    private SegmentBatch nextPage()
    {
        SegmentRows page = segments.takePage();
        return page == null ? null : new SegmentBatch(columns, page, RowPositions.inSegment(segments.segmentBegin()));
    }

    /**
     * Returns the next rows of a scan that needs no column.
     */
    @Nullable
    private SegmentBatch nextCount()
    {
        RowCounter.Rows rows = segments.isFinished() || filters.isNone() ? null : rowCounter.next();
        return rows == null ? null : new SegmentBatch(columns, rows.rows(), rows);
    }

    /**
     * Advances to the next rows as far as this is possible without waiting for storage and without much work at once.
     * Ends the previous batch.
     *
     * @return a future that is done if there is nothing to wait for; otherwise this method makes progress once it is
     *         done
     * @throws IllegalStateException if an earlier call failed
     */
    public CompletableFuture<?> prepare()
            throws IOException
    {
        checkState(!failed, "the reader has failed before");
        failed = true;
        expireBatch();
        CompletableFuture<?> ready = columnGroups.isEmpty() ? DONE : segments.advance();
        filterBytes = filters.retainedSize();
        failed = false;
        return ready;
    }

    private void expireBatch()
    {
        if (batch != null) {
            batch.expire();
            batch = null;
        }
    }

    /**
     * Returns whether the next rows are known, or that there are none. Otherwise {@link #next} searches for them until
     * it finds them, and {@link #prepare} for a limited time.
     */
    public boolean isDecided()
    {
        return columnGroups.isEmpty() || segments.isDecided();
    }

    /**
     * Returns the number of rows of each segment, including deleted rows. If the scan needs no column group, this reads
     * the metadata of one.
     */
    public int[] segmentRows()
            throws IOException
    {
        if (columnGroups.isEmpty()) {
            ColumnGroupInstance smallest = rowGroup.columnGroups().stream()
                    .min(comparingInt(ColumnGroupInstance::metadataBytes))
                    .orElseThrow(() -> damaged("Damaged Albis table: row group %s has no column groups", rowGroup.id()));
            return ColumnGroupReader.metadata(fileSystem, tableFolder, rowGroup, smallest, resources, counter).segmentRows().clone();
        }
        return segmentRows.clone();
    }

    /**
     * Returns the number of bytes of memory that the reader retains.
     */
    public long memoryUsage()
    {
        return buffers.retainedSize() + deletes.retainedSize() + reads.retainedSize() + filterBytes + search.retainedSize() + rowCounter.retainedSize();
    }

    public ReaderMetrics metrics()
    {
        return new ReaderMetrics(
                segments.segments(),
                segments.segmentsSkipped(),
                segments.runsSkipped(),
                segments.rows() + rowCounter.returnedRows(),
                segments.rowsSkipped(),
                segments.rowsExcluded(),
                counter.bytes(),
                counter.reads(),
                counter.nanos());
    }

    @Override
    public void close()
            throws IOException
    {
        // null if the constructor failed
        if (segments != null) {
            segments.finish();
        }
        if (batch != null) {
            batch.expire();
        }
        reads.close();
        try (Closer closer = Closer.create()) {
            if (filters != null) {
                closer.register(filters::close);
            }
            if (search != null) {
                closer.register(search::close);
            }
            columnGroups.values().forEach(closer::register);
        }
    }
}
