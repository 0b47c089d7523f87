package io.albis.format.reader;

import com.google.common.collect.ImmutableList;
import io.albis.format.AlbisBatch;
import io.albis.format.AlbisColumn;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.Run;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.spi.block.Block;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import jakarta.annotation.Nullable;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import static io.albis.format.AlbisDataException.damaged;
import static java.lang.Math.min;
import static java.util.Objects.requireNonNull;

/**
 * Reads the rows of one row group that match a predicate (Albis paper, section 3.3). Only the column groups that the
 * projection and the predicate need are opened; segments in which no row can match are not read; of the others the
 * filter columns are read first, and the rest when somebody asks for it.
 */
public final class RowGroupReader
        implements Closeable
{
    // Batches of a row group of which no column is read
    private static final int COUNT_BATCH_ROWS = Run.MAX_ROWS;

    private final ReaderOptions options;
    private final RowGroup rowGroup;
    private final List<AlbisColumn> columns;
    private final Map<UUID, ColumnGroupReader> columnGroups = new HashMap<>();
    private final ReadCounter counter = new ReadCounter();
    private final List<RunFilter> filters;
    // by channel; the column group is null for a column that the row group does not have
    private final ColumnGroupReader[] channelGroups;
    private final int[] channelIndexes;
    // rows of each run of each segment
    private final List<List<Integer>> runRows;

    private int segment;
    private int run;
    private long countedRows;
    private boolean finished;
    @Nullable
    private RunBatch batch;
    private final int[] scratch = new int[Run.MAX_ROWS];

    private long segments;
    private long segmentsSkipped;
    private long rows;
    private long rowsSkipped;

    public static RowGroupReader open(TrinoFileSystem fileSystem, Location tableFolder, RowGroup rowGroup, RowGroupScan scan, ReaderOptions options)
            throws IOException
    {
        return new RowGroupReader(fileSystem, tableFolder, rowGroup, scan.columns(), scan.predicate(), options);
    }

    private RowGroupReader(
            TrinoFileSystem fileSystem,
            Location tableFolder,
            RowGroup rowGroup,
            List<AlbisColumn> columns,
            TupleDomain<AlbisColumn> predicate,
            ReaderOptions options)
            throws IOException
    {
        this.options = requireNonNull(options, "options is null");
        this.rowGroup = requireNonNull(rowGroup, "rowGroup is null");
        this.columns = ImmutableList.copyOf(columns);
        this.channelGroups = new ColumnGroupReader[columns.size()];
        this.channelIndexes = new int[columns.size()];
        this.filters = new ArrayList<>();
        for (int channel = 0; channel < channelGroups.length; channel++) {
            Optional<ColumnGroupReader> columnGroup = columnGroup(fileSystem, tableFolder, columns.get(channel));
            if (columnGroup.isPresent()) {
                channelGroups[channel] = columnGroup.get();
                channelIndexes[channel] = columnGroup.get().indexOf(columns.get(channel));
            }
        }
        if (predicate.isNone()) {
            finished = options.filterRows();
        }
        else if (options.pruneSegments() || options.filterRows()) {
            addFilters(fileSystem, tableFolder, predicate.getDomains().orElseThrow());
        }
        this.runRows = checkedRunRows();
    }

    private Optional<ColumnGroupReader> columnGroup(TrinoFileSystem fileSystem, Location tableFolder, AlbisColumn column)
            throws IOException
    {
        for (ColumnGroupInstance instance : rowGroup.columnGroups()) {
            if (instance.columnIds().contains(column.id())) {
                ColumnGroupReader columnGroup = columnGroups.get(instance.id());
                if (columnGroup == null) {
                    columnGroup = ColumnGroupReader.open(fileSystem, tableFolder, rowGroup, instance, counter);
                    columnGroups.put(instance.id(), columnGroup);
                }
                return Optional.of(columnGroup);
            }
        }
        return Optional.empty();
    }

    private void addFilters(TrinoFileSystem fileSystem, Location tableFolder, Map<AlbisColumn, Domain> domains)
            throws IOException
    {
        // fixed-width columns first: they are cheaper to look at
        List<AlbisColumn> filterColumns = domains.keySet().stream()
                .sorted(Comparator.comparing(AlbisColumn::storageType).thenComparing(AlbisColumn::id))
                .toList();
        for (AlbisColumn column : filterColumns) {
            Domain domain = domains.get(column);
            Optional<ColumnGroupReader> columnGroup = columnGroup(fileSystem, tableFolder, column);
            if (columnGroup.isPresent()) {
                filters.add(new RunFilter(columnGroup.get(), columnGroup.get().indexOf(column), domain, options.filterRows()));
            }
            else if (!domain.isNullAllowed() && options.filterRows()) {
                finished = true;
            }
        }
    }

    private List<List<Integer>> checkedRunRows()
            throws IOException
    {
        List<List<Integer>> runRows = ImmutableList.of();
        for (ColumnGroupReader columnGroup : columnGroups.values()) {
            if (runRows.isEmpty()) {
                runRows = columnGroup.runRows();
            }
            else if (!runRows.equals(columnGroup.runRows())) {
                throw damaged("Damaged Albis table: the column groups of row group %s have different segments", rowGroup.id());
            }
        }
        return runRows;
    }

    /**
     * The next rows that match.
     *
     * @return at least one row; null if there are no more
     */
    @Nullable
    public AlbisBatch next()
            throws IOException
    {
        if (batch != null) {
            batch.expire();
            batch = null;
        }
        if (columnGroups.isEmpty()) {
            batch = nextCount();
            return batch;
        }
        while (!finished && segment < runRows.size()) {
            if (run == 0 && !startSegment()) {
                segment++;
                continue;
            }
            batch = readRun(segment, run);
            run++;
            if (run == runRows.get(segment).size()) {
                run = 0;
                segment++;
            }
            if (batch != null) {
                return batch;
            }
        }
        finished = true;
        return null;
    }

    @Nullable
    private RunBatch nextCount()
    {
        if (finished || countedRows == rowGroup.rows()) {
            finished = true;
            return null;
        }
        int count = (int) min(COUNT_BATCH_ROWS, rowGroup.rows() - countedRows);
        countedRows += count;
        rows += count;
        return new RunBatch(this, columns.size(), 0, 0, null, count);
    }

    private boolean startSegment()
    {
        if (options.pruneSegments()) {
            for (RunFilter filter : filters) {
                if (!filter.mayMatch(segment)) {
                    segmentsSkipped++;
                    return false;
                }
            }
        }
        segments++;
        for (int count : runRows.get(segment)) {
            rows += count;
        }
        return true;
    }

    @Nullable
    private RunBatch readRun(int segment, int run)
            throws IOException
    {
        int count = runRows.get(segment).get(run);
        if (!options.filterRows() || filters.isEmpty()) {
            return new RunBatch(this, columns.size(), segment, run, null, count);
        }
        int[] positions = new int[count];
        Arrays.setAll(positions, row -> row);
        int selected = count;
        for (RunFilter filter : filters) {
            selected = filter.select(segment, run, positions, selected, scratch);
            if (selected == 0) {
                break;
            }
        }
        rowsSkipped += count - selected;
        if (selected == 0) {
            return null;
        }
        if (selected == count) {
            return new RunBatch(this, columns.size(), segment, run, null, count);
        }
        return new RunBatch(this, columns.size(), segment, run, Arrays.copyOf(positions, selected), selected);
    }

    Block readBlock(int channel, int segment, int run, @Nullable int[] positions, int count)
            throws IOException
    {
        if (channelGroups[channel] == null) {
            return RunLengthEncodedBlock.create(columns.get(channel).type(), null, count);
        }
        return channelGroups[channel].read(segment, run, channelIndexes[channel], positions, count);
    }

    /**
     * Bytes of memory that the reader holds.
     */
    public long memoryUsage()
    {
        long size = 0;
        for (ColumnGroupReader columnGroup : columnGroups.values()) {
            size += columnGroup.retainedSize();
        }
        return size;
    }

    public ReaderMetrics metrics()
    {
        return new ReaderMetrics(segments, segmentsSkipped, rows, rowsSkipped, counter.bytes(), counter.reads(), counter.nanos());
    }

    @Override
    public void close()
            throws IOException
    {
        finished = true;
        if (batch != null) {
            batch.expire();
        }
        for (ColumnGroupReader columnGroup : columnGroups.values()) {
            columnGroup.close();
        }
    }
}
