package io.albis.format.scan;

import com.google.common.io.Closer;
import io.albis.format.io.ReadBuffers;
import io.albis.format.io.ReadCounter;
import io.albis.format.io.StorageAccess;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.ColumnGroupMetadata;
import io.albis.format.metadata.RowGroup;
import io.albis.format.run.Run;
import io.albis.format.run.Segment;
import io.albis.format.run.SegmentRows;
import io.albis.format.schema.AlbisColumn;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.spi.block.Block;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.type.Type;
import jakarta.annotation.Nullable;

import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import static com.google.common.base.Preconditions.checkState;
import static io.albis.format.io.AlbisDataException.damaged;
import static java.lang.Math.min;
import static java.util.Objects.requireNonNull;

/**
 * Reads the rows of one row group that match a predicate (Albis paper, section 3.3). Only the column groups that the
 * projection and the predicate need are opened; segments in which no row can match are not read; of the others the
 * filter columns are read first, and the rest where rows are left and when somebody asks for it.
 */
public final class RowGroupReader
        implements Closeable
{
    private static final CompletableFuture<?> DONE = CompletableFuture.completedFuture(null);

    private final TrinoFileSystem fileSystem;
    private final Location tableFolder;
    private final RowGroup rowGroup;
    private final RowGroupScan scan;
    private final ReaderOptions options;
    private final ReaderResources resources;
    private final ReadCounter counter = new ReadCounter();
    private final ReadBuffers buffers;
    private final ReadPlanner planner;
    private final Map<UUID, ColumnGroupReader> columnGroups = new HashMap<>();
    // by channel; null for a column that the row group does not have
    private final ColumnReader[] channels;
    private final ScanFilters filters;
    private final SegmentFilter segmentFilter;
    private final WorkLimit work = new WorkLimit();
    // of all column groups; null until one is opened
    @Nullable
    private int[] segmentRows;
    private final int endSegment;
    private final SegmentPlanner segmentPlanner;

    // the next one
    private int segment;
    // whether the rows of the segment before are still to be selected
    private boolean entered;
    // or in the middle of that
    private boolean selecting;
    private boolean finished;
    // or in the middle of what may
    private boolean failed;
    private final SegmentSelection selection = new SegmentSelection();
    // filter columns, and others, whose readers are at the current segment
    private final Set<ColumnReader> started = new HashSet<>();
    private final Map<ChunkReader, Integer> channelUses = new HashMap<>();
    // which channels were asked for in this segment
    private final boolean[] asked;
    private boolean handedOut;
    private long countedRows;
    // of the next batch
    @Nullable
    private SegmentRows page;
    @Nullable
    private SegmentBatch batch;

    private long segments;
    private long segmentsSkipped;
    private long rows;
    // as of the last call that went on
    private long filterBytes;

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
        this.options = requireNonNull(options, "options is null");
        this.resources = requireNonNull(resources, "resources is null");
        this.buffers = new ReadBuffers(StorageAccess.LOCAL.maxRequest());
        this.planner = new ReadPlanner(resources.access(), resources.executor(), buffers);
        this.channels = new ColumnReader[scan.columns().size()];
        this.asked = new boolean[channels.length];
        try {
            Map<UUID, ColumnGroupMetadata> metadata = MetadataReads.readAhead(fileSystem, tableFolder, rowGroup, scan, options, resources, counter);
            for (int channel = 0; channel < channels.length; channel++) {
                channels[channel] = column(scan.columns().get(channel), metadata).orElse(null);
                if (channels[channel] != null) {
                    channelUses.merge(channels[channel].chunks(), 1, Integer::sum);
                }
            }
            this.filters = new ScanFilters(scan, options, resources.filters(), column -> column(column, metadata));
            this.segmentFilter = new SegmentFilter(filters, options.readLazily() ? new ColumnReader[0] : channels, column -> start(column, segment - 1), selection);
            if (segmentRows == null) {
                segmentRows = new int[0];
            }
            this.segment = scan.share().begin(segmentRows.length);
            this.endSegment = scan.share().end(segmentRows.length);
            this.segmentPlanner = new SegmentPlanner(resources, options, planner, channels, filters, segmentRows, endSegment);
            segmentPlanner.readAhead(segment);
            filterBytes = filters.retainedSize();
        }
        catch (Throwable e) {
            // files may be open already
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
     * @param metadata what was read already
     */
    private Optional<ColumnReader> column(AlbisColumn column, Map<UUID, ColumnGroupMetadata> metadata)
            throws IOException
    {
        for (ColumnGroupInstance instance : rowGroup.columnGroups()) {
            if (instance.columnIds().contains(column.id())) {
                ColumnGroupReader columnGroup = columnGroups.get(instance.id());
                if (columnGroup == null) {
                    ColumnGroupMetadata known = metadata.get(instance.id());
                    known = known == null ? ColumnGroupReader.metadata(fileSystem, tableFolder, rowGroup, instance, resources, counter) : known;
                    columnGroup = ColumnGroupReader.open(fileSystem, tableFolder, rowGroup, instance, known, resources, buffers, counter);
                    columnGroups.put(instance.id(), columnGroup);
                    checkSegments(columnGroup);
                }
                return Optional.of(columnGroup.column(column));
            }
        }
        return Optional.empty();
    }

    /**
     * Whenever a column group is opened: a filter may need one long after the others.
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
     * The next rows that match.
     *
     * @return at least one row; null if there are no more
     * @throws IllegalStateException if a call before this one has failed: where it stood is not known
     */
    @Nullable
    public AlbisBatch next()
            throws IOException
    {
        // what prepare waited for may have come in the moment in which it returned: that it is done does not mean that there is a page
        for (CompletableFuture<?> ready = prepare(); !isDecided() || !ready.isDone(); ready = prepare()) {
            PlannedRead.waitFor(ready);
        }
        if (columnGroups.isEmpty()) {
            batch = nextCount();
        }
        else if (page != null) {
            int firstRun = SegmentRows.run(page.get(0));
            for (ColumnReader column : started) {
                column.pass(firstRun);
            }
            batch = new SegmentBatch(this, channels.length, page);
            page = null;
            handedOut = true;
        }
        return batch;
    }

    /**
     * Goes on to the next rows as far as that is possible without waiting for what is on its way, and without much work at
     * once. Ends the batch before.
     *
     * @return done if there is nothing to wait for; else it is worth while to call this again when it is done
     * @throws IllegalStateException if a call before this one has failed
     */
    public CompletableFuture<?> prepare()
            throws IOException
    {
        checkState(!failed, "the reader has failed before");
        failed = true;
        work.reset();
        CompletableFuture<?> ready = goOn();
        filterBytes = filters.retainedSize();
        failed = false;
        return ready;
    }

    private CompletableFuture<?> goOn()
            throws IOException
    {
        if (batch != null) {
            batch.expire();
            batch = null;
        }
        if (page == null && filters.isNone()) {
            finished = true;
        }
        while (!isDecided()) {
            if (entered) {
                CompletableFuture<?> ready = planner.ready(segment - 1);
                if (!ready.isDone()) {
                    return ready;
                }
                entered = false;
                selecting = true;
                segmentFilter.start(segmentRows[segment - 1]);
            }
            if (selecting) {
                if (!segmentFilter.goOn(work)) {
                    return DONE;
                }
                selecting = false;
                endSelection(segment - 1);
            }
            page = selection.next();
            if (page == null) {
                if (work.isUsedUp()) {
                    return DONE;
                }
                leaveSegment();
                enterSegment();
            }
        }
        return planner.ready(segment - 1);
    }

    /**
     * Whether it is known which rows come next, or that there are none: else {@link #next} looks for them, however long that
     * takes, and {@link #prepare} for a while.
     */
    public boolean isDecided()
    {
        return page != null || finished || columnGroups.isEmpty();
    }

    // Without a column to read there is no file to look at; the rows are those of the first share
    @Nullable
    private SegmentBatch nextCount()
    {
        if (finished || scan.share().index() > 0 || countedRows == rowGroup.rows()) {
            finished = true;
            return null;
        }
        int count = (int) min(Run.MAX_ROWS, rowGroup.rows() - countedRows);
        countedRows += count;
        rows += count;
        return new SegmentBatch(this, channels.length, SegmentRows.ofRun(0, count));
    }

    private void leaveSegment()
    {
        for (ColumnReader column : started) {
            column.pass(Segment.MAX_RUNS);
        }
        started.clear();
        selection.clear();
        for (int channel = 0; channel < channels.length; channel++) {
            if (handedOut && !asked[channel]) {
                resources.history().passedOver(channel);
            }
            asked[channel] = false;
        }
        handedOut = false;
    }

    private void enterSegment()
            throws IOException
    {
        planner.pass(segment);
        if (segment == endSegment) {
            finished = true;
            return;
        }
        work.add(WorkLimit.SEGMENT);
        filters.refresh();
        int current = segment;
        int count = segmentRows[current];
        segment++;
        if (filters.isNone()) {
            finished = true;
            return;
        }
        if (options.pruneSegments() && !filters.mayMatch(current, count)) {
            segmentsSkipped++;
            return;
        }
        segments++;
        rows += count;
        filters.startSegment(current, count);
        segmentPlanner.planFrom(current);
        entered = true;
    }

    private void endSelection(int current)
            throws IOException
    {
        int count = segmentRows[current];
        int wanted = selection.runsWithRows();
        for (ColumnReader column : started) {
            column.want(wanted);
        }
        if (!started.isEmpty()) {
            resources.history().selected(Integer.bitCount(wanted), Segment.runs(count));
        }
        segmentPlanner.planExpected(current, wanted);
    }

    private ColumnReader start(ColumnReader column, int current)
            throws IOException
    {
        if (started.add(column)) {
            column.startSegment(current);
        }
        // each time, as filters are added within a segment
        ChunkReader chunks = column.chunks();
        column.readAgain(channelUses.getOrDefault(chunks, 0) + filters.uses(chunks) > 1);
        return column;
    }

    Block readBlock(int channel, SegmentRows page)
            throws IOException
    {
        ColumnReader column = channels[channel];
        Type type = scan.columns().get(channel).type();
        if (page.count() == 0) {
            // nobody needs a row of the page any more
            return type.createBlockBuilder(null, 0).build();
        }
        if (column == null) {
            return RunLengthEncodedBlock.create(type, null, page.count());
        }
        resources.history().asked(channel);
        asked[channel] = true;
        if (!started.contains(column)) {
            start(column, segment - 1).want(selection.runsWithRows());
        }
        return column.read(page);
    }

    /**
     * Bytes of memory that the reader holds.
     */
    public long memoryUsage()
    {
        return buffers.retainedSize() + planner.retainedSize() + filterBytes;
    }

    public ReaderMetrics metrics()
    {
        return new ReaderMetrics(segments, segmentsSkipped, rows, segmentFilter.rowsSkipped(), counter.bytes(), counter.reads(), counter.nanos());
    }

    @Override
    public void close()
            throws IOException
    {
        finished = true;
        if (batch != null) {
            batch.expire();
        }
        planner.close();
        try (Closer closer = Closer.create()) {
            // null if the constructor failed
            if (filters != null) {
                closer.register(filters::close);
            }
            columnGroups.values().forEach(closer::register);
        }
    }
}
