package io.albis.trino.sink;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.format.delete.DeletesWriter;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.schema.RowGroupSchema;
import io.albis.format.write.PageWriter;
import io.albis.format.write.RollingRowGroupWriter;
import io.albis.format.write.WriterOptions;
import io.albis.table.model.PartitionField;
import io.albis.table.model.PartitionTransform;
import io.albis.table.model.TableColumnGroup;
import io.albis.table.partition.PartitionedWriter;
import io.albis.table.sketch.PageSketcher;
import io.albis.trino.MeasuredTable;
import io.albis.trino.handle.AlbisMergeTableHandle;
import io.albis.trino.handle.AlbisMergeTableHandle.Kind;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.handle.AlbisWritableTableHandle;
import io.albis.trino.handle.EarlierDeletes;
import io.albis.trino.handle.HandleBuild;
import io.albis.trino.handle.UpdateOptions;
import io.albis.trino.handle.WriteId;
import io.albis.trino.sort.RowSorter;
import io.albis.trino.sort.SpilledSequences;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.local.LocalFileSystem;
import io.trino.operator.PagesIndex;
import io.trino.operator.PagesIndexPageSorter;
import io.trino.spi.Page;
import io.trino.spi.PageSorter;
import io.trino.spi.block.Block;
import io.trino.spi.block.LongArrayBlock;
import io.trino.spi.block.RowBlock;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.connector.ConnectorPageSink;
import io.trino.spi.connector.SortOrder;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.UuidType;

import java.lang.ref.Cleaner;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.function.Supplier;

import static com.google.common.base.Preconditions.checkState;
import static io.albis.trino.MeasuredTable.PAGE_ROWS;
import static io.albis.trino.MeasuredTable.usedHeap;
import static io.trino.spi.connector.ConnectorMergeSink.DELETE_OPERATION_NUMBER;
import static io.trino.spi.connector.ConnectorMergeSink.UPDATE_OPERATION_NUMBER;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.TinyintType.TINYINT;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static io.trino.spi.type.UuidType.javaUuidToTrinoUuid;

/**
 * Prints the memory that the sinks of sorted, partitioned, and indexed tables and of the row layout report, or the
 * limit of what the sinks of DELETE and UPDATE need, and the memory that the heap no longer has while they are
 * referenced. It runs in a process of its own, in which nothing else uses the heap.
 */
public final class WriterMemoryMeasurement
{
    /**
     * Number of lines that are printed.
     */
    public static final int MEASUREMENTS = 7;

    private static final Location FOLDER = Location.of("local:///table");
    private static final PageSorter SORTER = new PagesIndexPageSorter(new PagesIndex.TestingFactory(false));
    private static final long BUFFER_BYTES = 64 << 20;
    private static final MeasuredTable TABLE = new MeasuredTable("narrow", BIGINT, Integer.MAX_VALUE, 2, 600_000, 3);
    private static final int ROW_GROUPS = 50;
    private static final int ROW_GROUP_ROWS = 2_000_000;

    private final TrinoFileSystem fileSystem;

    private WriterMemoryMeasurement(Path folder)
    {
        fileSystem = new LocalFileSystem(folder);
    }

    /**
     * @param arguments a folder
     */
    public static void main(String[] arguments)
    {
        WriterMemoryMeasurement measurement = new WriterMemoryMeasurement(Path.of(arguments[0]));
        measurement.measureSorting();
        measurement.measureMerging();
        measurement.measureSinks("partitioned", () -> measurement.sink(new PartitionedWriter(
                measurement.fileSystem,
                FOLDER,
                ImmutableList.of(new PartitionField(1, PartitionTransform.BUCKET, 16)),
                schema(AlbisLayout.BLOCK),
                () -> measurement.writer(AlbisLayout.BLOCK, WriterOptions.DEFAULTS),
                BUFFER_BYTES)));
        measurement.measureSinks("indexed", () -> measurement.sink(measurement.writer(AlbisLayout.BLOCK, WriterOptions.DEFAULTS.withIndexedColumns(ImmutableSet.of(1)))));
        measurement.measureSinks("rows", () -> measurement.sink(measurement.writer(AlbisLayout.ROW, WriterOptions.DEFAULTS)));
        measurement.measureDeletes();
        measurement.measureUpdates();
    }

    private static void print(String kind, String name, long reported, long used)
    {
        System.out.printf("%s %s %s %s%n", kind, name, reported, used);
    }

    private void measureSinks(String name, Supplier<ConnectorPageSink> sinks)
    {
        // The first run loads classes
        for (boolean first : new boolean[] {true, false}) {
            long before = usedHeap();
            List<ConnectorPageSink> open = new ArrayList<>();
            for (int instance = 0; instance < TABLE.instances(); instance++) {
                ConnectorPageSink sink = sinks.get();
                for (int row = 0; row < TABLE.rows(); row += PAGE_ROWS) {
                    sink.appendPage(TABLE.page(row));
                }
                open.add(sink);
            }
            long used = usedHeap() - before;
            long reported = 0;
            for (ConnectorPageSink sink : open) {
                reported += sink.getMemoryUsage();
                sink.abort();
            }
            if (!first) {
                print("sink", name, reported, used);
            }
        }
    }

    /**
     * Measures the memory while rows are sorted. A sink reports it for as long as it collects rows.
     */
    private void measureSorting()
    {
        for (boolean first : new boolean[] {true, false}) {
            long before = usedHeap();
            long[] used = new long[1];
            SortingPageSink sink = sortingSink(
                    (types, pages, channels, orders, rows) -> {
                        Iterator<Page> sorted = SORTER.sort(types, pages, channels, orders, rows);
                        used[0] = usedHeap() - before;
                        return sorted;
                    },
                    BUFFER_BYTES);
            appendRows(sink);
            long reported = sink.getMemoryUsage();
            sink.finish();
            if (!first) {
                print("sink", "sorted", reported, used[0]);
            }
        }
    }

    /**
     * Measures the memory while sequences are merged.
     */
    private void measureMerging()
    {
        for (boolean first : new boolean[] {true, false}) {
            long before = usedHeap();
            SortingPageSink sink = sortingSink(SORTER, BUFFER_BYTES / 8);
            appendRows(sink);
            for (int page = 0; page < 100; page++) {
                checkState(sink.advance(), "all rows are merged");
            }
            long used = usedHeap() - before;
            long reported = sink.getMemoryUsage();
            sink.abort();
            if (!first) {
                print("sink", "merged", reported, used);
            }
        }
    }

    private SortingPageSink sortingSink(PageSorter pageSorter, long maxBytes)
    {
        RowSorter sorter = new RowSorter(pageSorter, ImmutableList.of(BIGINT, BIGINT), ImmutableList.of(0), ImmutableList.of(SortOrder.ASC_NULLS_LAST));
        return new SortingPageSink(
                sink(writer(AlbisLayout.BLOCK, WriterOptions.DEFAULTS)),
                sorter,
                new SpilledSequences(fileSystem, FOLDER, schema(AlbisLayout.BLOCK), UUID::randomUUID, sorter, maxBytes),
                maxBytes);
    }

    private static void appendRows(SortingPageSink sink)
    {
        for (int row = 0; row < TABLE.instances() * TABLE.rows(); row += PAGE_ROWS) {
            sink.appendPage(TABLE.page(row));
        }
    }

    /**
     * Deletes every other row, so that the bitmaps are as large as possible: one bit for each row.
     */
    private void measureDeletes()
    {
        for (boolean first : new boolean[] {true, false}) {
            Random random = new Random(1);
            long before = usedHeap();
            AlbisMergeSink sink = mergeSink(fakeRowGroup());
            for (int rowGroup = 0; rowGroup < ROW_GROUPS; rowGroup++) {
                UUID id = new UUID(0, rowGroup);
                for (int begin = 0; begin < ROW_GROUP_ROWS; begin += 2 * PAGE_ROWS) {
                    long[] positions = new long[PAGE_ROWS];
                    for (int i = 0; i < PAGE_ROWS; i++) {
                        positions[i] = begin + 2L * i + random.nextInt(2);
                    }
                    sink.storeMergedRows(changes(DELETE_OPERATION_NUMBER, id, positions));
                }
            }
            long used = usedHeap() - before;
            sink.abort();
            if (!first) {
                print("merge", "deletes", (long) ROW_GROUPS * ROW_GROUP_ROWS / Byte.SIZE, used);
            }
        }
    }

    /**
     * Updates rows of a row group until they nearly fill the buffer.
     */
    private void measureUpdates()
    {
        for (boolean first : new boolean[] {true, false}) {
            RowGroup rowGroup = fakeRowGroup();
            long before = usedHeap();
            AlbisMergeSink sink = mergeSink(rowGroup);
            // the values of two columns and a position for each row
            long rows = BUFFER_BYTES * 9 / 10 / (2 * Long.BYTES + Integer.BYTES);
            for (int begin = 0; begin < rows; begin += PAGE_ROWS) {
                long[] positions = new long[PAGE_ROWS];
                for (int i = 0; i < PAGE_ROWS; i++) {
                    positions[i] = begin + i;
                }
                sink.storeMergedRows(changes(UPDATE_OPERATION_NUMBER, rowGroup.id(), positions));
            }
            long used = usedHeap() - before;
            sink.abort();
            if (!first) {
                print("merge", "updates", BUFFER_BYTES, used);
            }
        }
    }

    /**
     * A row group that is so large that nobody knows yet whether its columns are updated in place. It has no files.
     */
    private static RowGroup fakeRowGroup()
    {
        return new RowGroup(new UUID(1, 1), 1_000_000_000, ImmutableList.of(new ColumnGroupInstance(new UUID(1, 2), ImmutableList.of(1, 2), 1L << 34, 1000)), ImmutableList.of());
    }

    private static Page changes(long operation, UUID rowGroup, long[] positions)
    {
        Page rows = TABLE.page((int) positions[0]);
        return new Page(
                rows.getBlock(0),
                rows.getBlock(1),
                RunLengthEncodedBlock.create(writeNativeValue(TINYINT, operation), PAGE_ROWS),
                RunLengthEncodedBlock.create(writeNativeValue(INTEGER, 0L), PAGE_ROWS),
                RowBlock.fromFieldBlocks(PAGE_ROWS, new Block[] {
                        RunLengthEncodedBlock.create(writeNativeValue(UuidType.UUID, javaUuidToTrinoUuid(rowGroup)), PAGE_ROWS),
                        new LongArrayBlock(PAGE_ROWS, Optional.empty(), positions),
                }));
    }

    private AlbisMergeSink mergeSink(RowGroup rowGroup)
    {
        AlbisWritableTableHandle target = new AlbisWritableTableHandle(
                HandleBuild.CURRENT,
                "s",
                "t",
                new UUID(0, 0),
                WriteId.random(),
                FOLDER.toString(),
                TABLE.handles(),
                ImmutableList.of(new TableColumnGroup(AlbisLayout.BLOCK, ImmutableList.of(1, 2))),
                WriterOptions.DEFAULTS,
                ImmutableList.of(),
                ImmutableList.of());
        UpdateOptions updates = new UpdateOptions(ImmutableList.of(1), 0.9, BUFFER_BYTES);
        AlbisMergeTableHandle handle = new AlbisMergeTableHandle(new AlbisTableHandle("s", "t", target.tableId(), FOLDER.toString(), 1, TupleDomain.all(), TupleDomain.all()), target, Optional.of(EarlierDeletes.NONE), updates, Kind.UPDATE);
        WriteStats stats = new WriteStats();
        MergeSinkFiles files = new MergeSinkFiles(
                sink(writer(AlbisLayout.BLOCK, WriterOptions.DEFAULTS)),
                new DeletesWriter(fileSystem, FOLDER, UUID.randomUUID()),
                new InPlaceUpdates(fileSystem, target, updates, () -> ImmutableMap.of(rowGroup.id(), rowGroup), stats));
        return new AlbisMergeSink(files, handle, fileSystem, _ -> EarlierDeletes.NONE, Cleaner.create());
    }

    private AlbisPageSink sink(PageWriter writer)
    {
        return new AlbisPageSink(writer, new PageSketcher(TABLE.schemaColumns()), new WriteStats());
    }

    private RollingRowGroupWriter writer(AlbisLayout layout, WriterOptions options)
    {
        return new RollingRowGroupWriter(fileSystem, FOLDER, schema(layout), options);
    }

    private static RowGroupSchema schema(AlbisLayout layout)
    {
        return new RowGroupSchema(TABLE.schemaColumns(), ImmutableList.of(AlbisColumnGroup.make(layout, TABLE.schemaColumns())));
    }
}
