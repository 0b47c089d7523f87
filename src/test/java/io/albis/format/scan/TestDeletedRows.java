package io.albis.format.scan;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Lists;
import io.albis.format.ReadHookFileSystem;
import io.albis.format.ReadHookFileSystem.Read;
import io.albis.format.delete.DeletedPositions;
import io.albis.format.delete.DeletesWriter;
import io.albis.format.io.AlbisDataException;
import io.albis.format.io.StorageAccess;
import io.albis.format.metadata.DeletedRows;
import io.albis.format.metadata.RowGroup;
import io.albis.format.request.ChunkReader;
import io.albis.format.run.Run;
import io.albis.format.run.SegmentShare;
import io.albis.format.schema.AlbisColumn;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.spi.block.Block;
import io.trino.spi.predicate.TupleDomain;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.format.run.SegmentShare.ALL;
import static io.trino.spi.type.BigintType.BIGINT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Deleted rows cost little: segments and runs without live rows are not read, those without deleted rows are read as if
 * nothing was deleted, and counting rows reads nothing.
 */
final class TestDeletedRows
        extends BaseRequestsTest
{
    private static final StorageAccess ALONE = new StorageAccess(0, 1, 0, false);
    private static final StorageAccess AHEAD = new StorageAccess(0, 1 << 20, 1 << 24, true);

    static List<Arguments> scans()
    {
        return Lists.cartesianProduct(List.of(SCATTERED, TEXT, WORD), List.of(ALONE, AHEAD), List.of(TupleDomain.all(), between(ID, 0, ROWS))).stream()
                .map(scan -> Arguments.of(scan.toArray()))
                .collect(toImmutableList());
    }

    @ParameterizedTest
    @MethodSource("scans")
    void testDeletedRunsAndSegmentsAreNotRead(AlbisColumn column, StorageAccess access, TupleDomain<AlbisColumn> predicate)
            throws Exception
    {
        RowGroup rowGroup = write(false);
        // all of segment 1, the runs 1 and 2 of segment 2, and a row of its run 3
        DeletedPositions deleted = DeletedPositions.ofRange(SEGMENT_ROWS, 2 * SEGMENT_ROWS)
                .union(DeletedPositions.ofRange(2 * SEGMENT_ROWS + Run.MAX_ROWS, 2 * SEGMENT_ROWS + 3 * Run.MAX_ROWS))
                .union(DeletedPositions.of(2 * SEGMENT_ROWS + 3 * Run.MAX_ROWS + 7));
        RowGroup changed = delete(rowGroup, deleted);
        long expected = bytes(rowGroup, column) - bytes(rowGroup, column, 1, ChunkReader.ALL_RUNS) - (bytes(rowGroup, column, 2, 0b1111) - bytes(rowGroup, column, 2, 0b1001));
        RowGroupReader reader = open(changed, access, new ScanHistory(1), predicate, column);
        assertThat(readAll(reader)).isEqualTo(changed.liveRows());
        assertThat(takeDeletes()).hasSize(1);
        assertThat(takeDataBytes()).isEqualTo(expected);
        assertThat(reader.metrics().segmentsSkipped()).isEqualTo(1);
        assertThat(reader.metrics().runsSkipped()).isEqualTo(2);
        assertThat(reader.metrics().rows()).isEqualTo(ROWS - SEGMENT_ROWS);
        assertThat(reader.metrics().rowsSkipped()).isEqualTo(2 * Run.MAX_ROWS + 1);
    }

    @Test
    void testEverythingIsDeleted()
            throws Exception
    {
        RowGroup rowGroup = delete(write(true), DeletedPositions.ofRange(0, ROWS));
        for (StorageAccess access : List.of(ALONE, AHEAD)) {
            RowGroupReader reader = open(rowGroup, access, new ScanHistory(5), TupleDomain.all(), COLUMNS.toArray(AlbisColumn[]::new));
            assertThat(readAll(reader)).isZero();
            assertThat(takeDeletes()).hasSize(1);
            assertThat(takeData()).isEmpty();
            assertThat(reader.metrics().segmentsSkipped()).isEqualTo(7);
            assertThat(readAll(open(rowGroup, access, new ScanHistory(0), TupleDomain.all()))).isZero();
            assertThat(takeData()).isEmpty();
        }
    }

    /**
     * A run without deleted rows is a page of its own, and its rows are consecutive.
     */
    @Test
    void testPages()
            throws IOException
    {
        RowGroup rowGroup = delete(write(true), DeletedPositions.of(5, 3 * Run.MAX_ROWS, 3 * Run.MAX_ROWS + 1));
        List<Integer> counts = new ArrayList<>();
        try (RowGroupReader reader = open(rowGroup, ALONE, new ScanHistory(1), TupleDomain.all(), ID)) {
            for (AlbisBatch batch = reader.next(); batch != null; batch = reader.next()) {
                counts.add(batch.positionCount());
            }
        }
        assertThat(counts).startsWith(Run.MAX_ROWS - 1, Run.MAX_ROWS, Run.MAX_ROWS, Run.MAX_ROWS - 2, Run.MAX_ROWS, Run.MAX_ROWS).hasSize(25);
    }

    @Test
    void testCountReadsNothing()
            throws Exception
    {
        RowGroup rowGroup = delete(write(true), DeletedPositions.ofRange(100, 150_000));
        RowGroupReader reader = open(rowGroup, AHEAD, new ScanHistory(0), TupleDomain.all());
        assertThat(readAll(reader)).isEqualTo(100 + ROWS - 150_000);
        assertThat(reader.metrics().rows()).isEqualTo(100 + ROWS - 150_000);
        assertThat(reads).isEmpty();
        // the first part counts all rows
        for (int share = 0; share < 3; share++) {
            RowGroupScan scan = new RowGroupScan(ImmutableList.of(), TupleDomain.all(), TupleDomain::all, new SegmentShare(share, 3));
            assertThat(readAll(open(rowGroup, AHEAD, new ScanHistory(0), scan))).isEqualTo(share == 0 ? rowGroup.liveRows() : 0);
        }
        assertThat(reads).isEmpty();
    }

    @Test
    void testPositionsWithoutColumns()
            throws Exception
    {
        RowGroup rowGroup = delete(write(true), DeletedPositions.ofRange(100, 150_000));
        List<Long> positions = new ArrayList<>();
        try (RowGroupReader reader = open(rowGroup, ALONE, new ScanHistory(0), TupleDomain.all())) {
            for (AlbisBatch batch = reader.next(); batch != null; batch = reader.next()) {
                addPositions(batch, positions);
            }
            assertThat(reader.memoryUsage()).isGreaterThan(50);
        }
        assertThat(positions).isEqualTo(LongStream.concat(LongStream.range(0, 100), LongStream.range(150_000, ROWS)).boxed().toList());
        assertThat(takeDeletes()).hasSize(1);
        assertThat(reads).isEmpty();
    }

    @Test
    void testPositionsOfSelectedRows()
            throws IOException
    {
        RowGroup rowGroup = delete(write(true), DeletedPositions.of(0, 2, 3));
        for (AlbisColumn[] columns : new AlbisColumn[][] {{ID}, {}}) {
            try (RowGroupReader reader = open(rowGroup, ALONE, new ScanHistory(columns.length), TupleDomain.all(), columns)) {
                AlbisBatch batch = reader.next();
                batch.selectPositions(new int[] {9, 3, 1, 0}, 1, 3);
                List<Long> positions = new ArrayList<>();
                addPositions(batch, positions);
                assertThat(positions).containsExactly(6L, 4L, 1L);
                batch.selectPositions(new int[] {2, 0}, 0, 2);
                addPositions(batch, positions);
                assertThat(positions).endsWith(1L, 6L).hasSize(5);
                reader.next();
                assertThatThrownBy(batch::positions).isInstanceOf(IllegalStateException.class).hasMessageContaining("the batch is no longer valid");
            }
        }
    }

    /**
     * The shares of a row group return each row once.
     */
    @Test
    void testShares()
            throws IOException
    {
        RowGroup rowGroup = delete(write(false), DeletedPositions.ofRange(SEGMENT_ROWS - 10, 3 * SEGMENT_ROWS + 10));
        for (int shares = 1; shares < 9; shares++) {
            List<Long> positions = new ArrayList<>();
            for (int share = 0; share < shares; share++) {
                RowGroupScan scan = new RowGroupScan(List.of(ID), between(SCATTERED, 0, 1000), TupleDomain::all, new SegmentShare(share, shares));
                try (RowGroupReader reader = open(rowGroup, ALONE, new ScanHistory(1), scan)) {
                    for (AlbisBatch batch = reader.next(); batch != null; batch = reader.next()) {
                        addPositions(batch, positions);
                    }
                }
            }
            assertThat(positions).isEqualTo(LongStream.range(0, ROWS)
                    .filter(row -> row < SEGMENT_ROWS - 10 || row >= 3 * SEGMENT_ROWS + 10)
                    .filter(row -> scatter((int) row) <= 1000)
                    .boxed().toList());
        }
    }

    /**
     * A dynamic filter that arrives in the middle of a segment keeps the rows deleted.
     */
    @Test
    void testDynamicFilter()
            throws IOException
    {
        RowGroup rowGroup = delete(write(false), DeletedPositions.ofRange(10, ROWS - 1000));
        AtomicReference<TupleDomain<AlbisColumn>> filter = new AtomicReference<>(TupleDomain.all());
        RowGroupScan scan = new RowGroupScan(List.of(WIDE), TupleDomain.all(), filter::get, ALL);
        List<Long> positions = new ArrayList<>();
        try (RowGroupReader reader = open(rowGroup, ALONE, new ScanHistory(1), scan)) {
            for (AlbisBatch batch = reader.next(); batch != null; batch = reader.next()) {
                addPositions(batch, positions);
                filter.set(between(ID, ROWS - 500, ROWS - 400));
            }
        }
        assertThat(positions).isEqualTo(LongStream.concat(LongStream.range(0, 10), LongStream.rangeClosed(ROWS - 500, ROWS - 400)).boxed().toList());
    }

    @Test
    void testMemory()
            throws IOException
    {
        RowGroup rowGroup = write(true);
        // every other row, so that the bitmap takes a bit for each row
        DeletedPositions deleted = DeletedPositions.of(LongStream.range(0, ROWS / 2).mapToInt(row -> (int) (2 * row)).toArray());
        long memory = openMemory(rowGroup);
        assertThat(openMemory(delete(rowGroup, deleted)) - memory).isEqualTo(deleted.retainedSize()).isBetween(ROWS / 8L, ROWS / 4L);
    }

    private long openMemory(RowGroup rowGroup)
            throws IOException
    {
        try (RowGroupReader reader = open(rowGroup, ALONE, new ScanHistory(1), TupleDomain.all(), ID)) {
            return reader.memoryUsage();
        }
    }

    /**
     * The deleted rows are requested at the same time as the metadata.
     */
    @Test
    void testReadAhead()
            throws IOException
    {
        RowGroup rowGroup = delete(write(true), DeletedPositions.of(1));
        // storage responds only after both requests
        CountDownLatch asked = new CountDownLatch(2);
        TrinoFileSystem slow = new ReadHookFileSystem(storage, _ -> {
            asked.countDown();
            try {
                assertThat(asked.await(1, TimeUnit.MINUTES)).isTrue();
            }
            catch (InterruptedException e) {
                throw new IOException(e);
            }
        });
        RowGroupScan scan = RowGroupScan.of(List.of(ID), TupleDomain.all());
        ReaderResources resources = new ReaderResources(MetadataSource.FILES, AHEAD, executor, new ScanHistory(1));
        assertThat(read(RowGroupReader.open(slow, FOLDER, rowGroup, scan, ReaderOptions.DEFAULTS, resources), 1)).isEqualTo(ROWS - 1);
    }

    @Test
    void testMissingFile()
            throws IOException
    {
        RowGroup rowGroup = delete(write(true), DeletedPositions.of(1));
        DeletedRows deletedRows = rowGroup.deletedRows().orElseThrow();
        storage.deleteFile(deletedRows.location(FOLDER));
        for (StorageAccess access : List.of(ALONE, AHEAD)) {
            assertThatThrownBy(() -> open(rowGroup, access, new ScanHistory(1), TupleDomain.all(), ID))
                    .isInstanceOf(AlbisDataException.class)
                    .hasMessageContaining(deletedRows.location(FOLDER).toString());
        }
    }

    private static void addPositions(AlbisBatch batch, List<Long> positions)
            throws IOException
    {
        Block block = batch.positions();
        assertThat(block.getPositionCount()).isEqualTo(batch.positionCount());
        for (int position = 0; position < block.getPositionCount(); position++) {
            positions.add(BIGINT.getLong(block, position));
        }
    }

    private RowGroup delete(RowGroup rowGroup, DeletedPositions deleted)
            throws IOException
    {
        DeletesWriter writer = new DeletesWriter(storage, FOLDER, UUID.randomUUID());
        DeletedRows deletedRows = writer.add(deleted);
        writer.close();
        return rowGroup.withDeletedRows(deletedRows);
    }

    /**
     * Removes the requests for deletes files from those that were made.
     */
    private List<Read> takeDeletes()
            throws InterruptedException
    {
        finish();
        List<Read> deletes = reads.stream().filter(TestDeletedRows::isDeletes).toList();
        reads.removeAll(deletes);
        return deletes;
    }

    private static boolean isDeletes(Read read)
    {
        return read.location().path().contains("/" + DeletedRows.FOLDER + "/");
    }
}
