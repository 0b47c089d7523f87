package io.albis.trino.sink;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.FaultyFileSystem;
import io.albis.format.FaultyFileSystem.Fault;
import io.albis.format.delete.DeletedPositions;
import io.albis.format.delete.DeletesWriter;
import io.albis.format.metadata.DeletedRows;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.schema.RowGroupSchema;
import io.albis.format.write.RollingRowGroupWriter;
import io.albis.format.write.WriterOptions;
import io.albis.table.model.TableColumnGroup;
import io.albis.table.sketch.PageSketcher;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.handle.AlbisMergeTableHandle;
import io.albis.trino.handle.AlbisMergeTableHandle.Kind;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.handle.AlbisWritableTableHandle;
import io.albis.trino.handle.EarlierDeletes;
import io.albis.trino.handle.EarlierDeletes.DeletedRowGroup;
import io.albis.trino.handle.HandleBuild;
import io.albis.trino.handle.HiddenColumn;
import io.albis.trino.handle.UpdateOptions;
import io.albis.trino.handle.WriteId;
import io.trino.filesystem.FileIterator;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.LongArrayBlock;
import io.trino.spi.block.RowBlock;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.UuidType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.LongStream;

import static com.google.common.collect.Iterables.getOnlyElement;
import static io.trino.spi.connector.ConnectorMergeSink.DELETE_OPERATION_NUMBER;
import static io.trino.spi.connector.ConnectorMergeSink.INSERT_OPERATION_NUMBER;
import static io.trino.spi.connector.ConnectorMergeSink.UPDATE_OPERATION_NUMBER;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.TinyintType.TINYINT;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static io.trino.spi.type.UuidType.javaUuidToTrinoUuid;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * A merge sink that fails or is dropped closes and removes its files. The engine does not abort it, as it does with a
 * page sink.
 */
final class TestMergeSinkFailures
{
    private static final Location FOLDER = Location.of("memory:///table");
    private static final UUID ROW_GROUP = UUID.fromString("0d5a4c0e-1c61-4e0a-8f5e-3f0e6a3c2b11");
    private static final int ROWS = 600;
    private static final AlbisColumn COLUMN = AlbisColumn.make(1, "id", BIGINT);
    private static final RowGroupSchema SCHEMA = new RowGroupSchema(ImmutableList.of(COLUMN), ImmutableList.of(AlbisColumnGroup.make(COLUMN)));
    private static final WriterOptions OPTIONS = WriterOptions.DEFAULTS.withSegmentBytes(WriterOptions.MIN_SEGMENT_BYTES).withRowGroupRows(ROWS / 2 + 1);

    private static final AlbisWritableTableHandle TARGET = new AlbisWritableTableHandle(
            HandleBuild.CURRENT,
            "s",
            "t",
            UUID.randomUUID(),
            WriteId.random(),
            FOLDER.toString(),
            ImmutableList.of(new AlbisColumnHandle(COLUMN.id(), COLUMN.name(), COLUMN.type())),
            ImmutableList.of(new TableColumnGroup(AlbisLayout.BLOCK, ImmutableList.of(COLUMN.id()))),
            OPTIONS,
            ImmutableList.of(),
            ImmutableList.of());
    private static final AlbisMergeTableHandle HANDLE = new AlbisMergeTableHandle(
            new AlbisTableHandle("s", "t", TARGET.tableId(), FOLDER.toString(), 1, TupleDomain.all(), TupleDomain.all()),
            TARGET,
            Optional.of(EarlierDeletes.NONE),
            new UpdateOptions(ImmutableList.of(COLUMN.id()), 0.5, Integer.MAX_VALUE),
            Kind.UPDATE);

    private static final Cleaner CLEANER = Cleaner.create();

    private final TrinoFileSystem storage = new MemoryFileSystem();
    // a row group of which all rows are updated
    private final RowGroup updated;

    TestMergeSinkFailures()
            throws IOException
    {
        RollingRowGroupWriter writer = new RollingRowGroupWriter(storage, FOLDER, SCHEMA, WriterOptions.DEFAULTS);
        writer.append(new Page(new LongArrayBlock(5, Optional.empty(), new long[5])));
        updated = getOnlyElement(writer.finish());
    }

    @ParameterizedTest
    @EnumSource(names = {"CHECKED", "UNCHECKED"})
    void testEveryOperation(Fault fault)
            throws IOException
    {
        EarlierDeletes earlierDeletes = earlierDeletes();
        List<Location> files = files();
        int steps = 0;
        FaultyFileSystem fileSystem;
        do {
            fileSystem = new FaultyFileSystem(storage, fault, steps);
            AlbisMergeSink sink = sink(fileSystem, earlierDeletes);
            Throwable failure = catchThrowable(() -> {
                sink.storeMergedRows(inserts());
                sink.storeMergedRows(deletes());
                sink.storeMergedRows(updates());
                sink.storeMergedRows(inserts());
                sink.finish().join();
            });
            assertThat(failure != null).as("after %s operations", steps).isEqualTo(fileSystem.hasFailed());
            assertThat(fileSystem.open()).as("open after %s operations and %s", steps, failure).isZero();
            if (failure != null) {
                assertThat(files()).as("files after %s operations and %s", steps, failure).isEqualTo(files);
            }
            steps++;
        }
        while (fileSystem.hasFailed());
        assertThat(steps).isGreaterThan(10);
        // a deletes file, four row groups, and the new instance of a column group
        assertThat(files()).hasSize(files.size() + 11);
    }

    /**
     * A later version of the engine may abort the sink after it has failed.
     */
    @Test
    void testAbortAfterFailure()
            throws IOException
    {
        List<Location> files = files();
        WriteStats stats = new WriteStats();
        AlbisMergeSink sink = sink(new FaultyFileSystem(storage, Fault.CHECKED, 0), EarlierDeletes.NONE, stats);
        assertThat(catchThrowable(() -> {
            sink.storeMergedRows(inserts());
            sink.finish();
        })).hasMessageContaining("injected");
        sink.abort();
        assertThat(stats.getAbortedWriters().getTotalCount()).isEqualTo(1);
        assertThat(files()).isEqualTo(files);
    }

    /**
     * The engine drops the sinks of the other tasks if a task fails or the query is canceled.
     */
    @Test
    @Timeout(120)
    void testDroppedSink()
            throws Exception
    {
        List<Location> files = files();
        FaultyFileSystem fileSystem = new FaultyFileSystem(storage, Fault.CHECKED, Long.MAX_VALUE);
        writeAndDrop(fileSystem);
        while (fileSystem.open() > 0 || !files().equals(files)) {
            System.gc();
            Thread.sleep(10);
        }
    }

    private void writeAndDrop(FaultyFileSystem fileSystem)
            throws IOException
    {
        AlbisMergeSink sink = sink(fileSystem, EarlierDeletes.NONE);
        sink.storeMergedRows(updates());
        sink.storeMergedRows(inserts());
        assertThat(fileSystem.open()).isPositive();
        // the row group, its new column group, and a new row group
        assertThat(files()).hasSizeGreaterThan(4);
        // the files are open until the sink is dropped
        Reference.reachabilityFence(sink);
    }

    @Test
    void testFinishedSinkKeepsFiles()
            throws IOException
    {
        MergeSinkFiles sinkFiles = writers(storage, new WriteStats());
        List<Location> before = files();
        AlbisMergeSink sink = new AlbisMergeSink(sinkFiles, HANDLE, storage, _ -> EarlierDeletes.NONE, CLEANER);
        sink.storeMergedRows(inserts());
        sink.storeMergedRows(deletes());
        sink.storeMergedRows(updates());
        sink.finish();
        List<Location> files = files();
        // two row groups of a column group, a deletes file, and a new instance of a column group
        assertThat(files).hasSize(before.size() + 7);
        sinkFiles.run();
        assertThat(files()).isEqualTo(files);
        sink.abort();
        assertThat(files()).isEqualTo(before);
    }

    private AlbisMergeSink sink(TrinoFileSystem fileSystem, EarlierDeletes earlierDeletes)
    {
        return sink(fileSystem, earlierDeletes, new WriteStats());
    }

    private AlbisMergeSink sink(TrinoFileSystem fileSystem, EarlierDeletes earlierDeletes, WriteStats stats)
    {
        return new AlbisMergeSink(writers(fileSystem, stats), HANDLE, fileSystem, _ -> earlierDeletes, CLEANER);
    }

    private MergeSinkFiles writers(TrinoFileSystem fileSystem, WriteStats stats)
    {
        return new MergeSinkFiles(
                new AlbisPageSink(new RollingRowGroupWriter(fileSystem, FOLDER, SCHEMA, OPTIONS), new PageSketcher(SCHEMA.columns()), stats),
                new DeletesWriter(fileSystem, FOLDER, UUID.randomUUID()),
                new InPlaceUpdates(fileSystem, TARGET, HANDLE.updates(), () -> ImmutableMap.of(updated.id(), updated), stats));
    }

    private EarlierDeletes earlierDeletes()
            throws IOException
    {
        DeletesWriter writer = new DeletesWriter(storage, FOLDER, UUID.randomUUID());
        DeletedRows deletedRows = writer.add(DeletedPositions.of(7));
        writer.close();
        return new EarlierDeletes(ImmutableList.of(new DeletedRowGroup(ROW_GROUP, 10, deletedRows)));
    }

    private static Page inserts()
    {
        Block noRow = HiddenColumn.ROW_ID.type().createBlockBuilder(null, 1).appendNull().build();
        return changes(INSERT_OPERATION_NUMBER, ROWS, RunLengthEncodedBlock.create(noRow, ROWS));
    }

    private static Page deletes()
    {
        return changes(DELETE_OPERATION_NUMBER, 3, rowIds(ROW_GROUP, 1, 2, 3));
    }

    private Page updates()
    {
        return changes(UPDATE_OPERATION_NUMBER, 5, rowIds(updated.id(), 3, 1, 4, 0, 2));
    }

    private static Block rowIds(UUID rowGroup, long... positions)
    {
        return RowBlock.fromFieldBlocks(positions.length, new Block[] {
                RunLengthEncodedBlock.create(writeNativeValue(UuidType.UUID, javaUuidToTrinoUuid(rowGroup)), positions.length),
                new LongArrayBlock(positions.length, Optional.empty(), positions),
        });
    }

    private static Page changes(long operation, int rows, Block rowIds)
    {
        return new Page(
                new LongArrayBlock(rows, Optional.empty(), LongStream.range(0, rows).toArray()),
                RunLengthEncodedBlock.create(writeNativeValue(TINYINT, operation), rows),
                RunLengthEncodedBlock.create(writeNativeValue(INTEGER, 0L), rows),
                rowIds);
    }

    private List<Location> files()
            throws IOException
    {
        ImmutableList.Builder<Location> files = ImmutableList.builder();
        FileIterator iterator = storage.listFiles(Location.of("memory:///"));
        while (iterator.hasNext()) {
            files.add(iterator.next().location());
        }
        return files.build();
    }
}
