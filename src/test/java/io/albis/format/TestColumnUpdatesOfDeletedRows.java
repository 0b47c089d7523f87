package io.albis.format;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.StatisticsDomains;
import io.albis.format.scan.AlbisBatch;
import io.albis.format.scan.ReaderOptions;
import io.albis.format.scan.RowGroupReader;
import io.albis.format.scan.RowGroupScan;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.statistics.ValueOrder;
import io.albis.format.update.RowUpdates;
import io.albis.format.write.WriterOptions;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.LongArrayBlock;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

import static io.airlift.slice.Slices.utf8Slice;
import static io.albis.format.UpdatedRowGroups.FOLDER;
import static io.albis.format.UpdatedRowGroups.bigints;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * New instances of column groups do not have the values of deleted rows.
 */
final class TestColumnUpdatesOfDeletedRows
{
    private static final AlbisColumn A = AlbisColumn.make(1, "a", BIGINT);
    private static final AlbisColumn B = AlbisColumn.make(2, "b", BIGINT);

    private final UpdatedRowGroups rowGroups = new UpdatedRowGroups();

    /**
     * The values of deleted rows are not copied, and no statistics include them.
     */
    @Test
    void testStatisticsOfLiveRows()
            throws IOException
    {
        AlbisSchema schema = AlbisSchema.makeSchema(AlbisColumnGroup.make(A), AlbisColumnGroup.make(B));
        RowGroup rowGroup = rowGroups.delete(rowGroups.write(schema, WriterOptions.DEFAULTS, new Page(bigints(10), bigints(10))), BitSet.valueOf(new long[] {0b11_0000_0111}));
        RowUpdates updates = new RowUpdates();
        updates.add(IntArrayList.of(5), new Block[] {bigints(1)});
        RowGroup updated = rowGroup.withRewritten(rowGroups.rewrite(rowGroup, schema, WriterOptions.DEFAULTS, ImmutableList.of(B), updates));
        assertThat(rowGroups.read(updated, schema.columns())).containsExactly(List.of(3L, 3L), List.of(4L, 4L), List.of(5L, 0L), List.of(6L, 6L), List.of(7L, 7L));
        assertThat(updated.statistics(B.id()).orElseThrow().nullCount()).isZero();
        TupleDomain<AlbisColumn> ofDeletedRow = TupleDomain.withColumnDomains(ImmutableMap.of(B, Domain.singleValue(BIGINT, 9L)));
        assertThat(StatisticsDomains.overlaps(rowGroup, ofDeletedRow)).isTrue();
        assertThat(StatisticsDomains.overlaps(updated, ofDeletedRow)).isFalse();
        assertThat(updated.statistics(A.id())).isEqualTo(rowGroup.statistics(A.id()));
        assertThat(updated.deletedRows()).isEqualTo(rowGroup.deletedRows());
    }

    /**
     * The values of a segment say nothing about the deleted rows of other segments.
     */
    @Test
    void testDeletedRowsOfSegments()
            throws IOException
    {
        // a segment has 128 rows
        WriterOptions options = WriterOptions.DEFAULTS.withSegmentBytes(WriterOptions.MIN_SEGMENT_BYTES);
        AlbisSchema schema = AlbisSchema.makeSchema(AlbisColumnGroup.make(A), AlbisColumnGroup.make(B));
        int count = 20 * 128;
        BitSet deleted = new BitSet();
        deleted.set(0, count);
        // the last rows of the first segment and the first ones of the second, all but one of the others
        deleted.clear(10, 20);
        deleted.clear(200, 210);
        for (int segment = 2; segment < 20; segment++) {
            deleted.clear(segment * 128 + 50);
        }
        RowGroup rowGroup = rowGroups.delete(rowGroups.write(schema, options, new Page(bigints(count), segmentNumbers(count))), deleted);
        RowUpdates updates = new RowUpdates();
        updates.add(IntArrayList.of(5 * 128 + 50), new Block[] {new LongArrayBlock(1, Optional.empty(), new long[] {5})});
        RowGroup updated = rowGroup.withRewritten(rowGroups.rewrite(rowGroup, schema, options, ImmutableList.of(B), updates));
        ColumnStatistics statistics = updated.statistics(B.id()).orElseThrow();
        assertThat(statistics.nullCount()).isZero();
        assertThat(statistics.order()).isEqualTo(ValueOrder.ASCENDING);
        for (long segment = 0; segment < 20; segment++) {
            // reads only the segment with the value
            RowGroupScan scan = RowGroupScan.of(ImmutableList.of(B), TupleDomain.withColumnDomains(ImmutableMap.of(B, Domain.singleValue(BIGINT, segment))));
            try (RowGroupReader reader = RowGroupReader.open(rowGroups.fileSystem(), FOLDER, updated, scan, ReaderOptions.DEFAULTS)) {
                AlbisBatch batch = reader.next();
                assertThat(BIGINT.getLong(batch.block(0), 0)).isEqualTo(segment);
                assertThat(reader.next()).isNull();
                assertThat(reader.metrics().segments()).isEqualTo(1);
            }
        }
    }

    /**
     * A segment that begins in one block of the bitmap of deleted rows and ends in the next one, which has no
     * positions, has live rows.
     */
    @Test
    void testSegmentBeyondTheBitmap()
            throws IOException
    {
        WriterOptions options = WriterOptions.DEFAULTS.withSegmentBytes(WriterOptions.MIN_SEGMENT_BYTES);
        // a row has 17 bytes, so the segments do not end where the blocks of the bitmap do
        AlbisSchema schema = AlbisSchema.makeSchema(AlbisColumnGroup.make(AlbisLayout.ROW, ImmutableList.of(A, B)));
        int first = 1 << 16;
        int count = 70_000;
        BitSet deleted = new BitSet();
        deleted.set(0, first);
        RowGroup rowGroup = rowGroups.delete(rowGroups.write(schema, options, new Page(bigints(count), bigints(count))), deleted);
        assertThat(rowGroups.read(rowGroup, schema.columns())).hasSize(count - first).first().isEqualTo(List.of((long) first, (long) first));

        RowUpdates updates = new RowUpdates();
        updates.add(IntArrayList.of(first), new Block[] {bigints(1)});
        RowGroup updated = rowGroup.withRewritten(rowGroups.rewrite(rowGroup, schema, options, ImmutableList.of(B), updates));
        assertThat(rowGroups.read(updated, schema.columns()))
                .hasSize(count - first)
                .startsWith(List.of((long) first, 0L), List.of(first + 1L, first + 1L));
    }

    /**
     * The rows that an index excludes are read like deleted ones.
     */
    @Test
    void testIndexedRowBeyondTheBitmap()
            throws IOException
    {
        WriterOptions options = WriterOptions.DEFAULTS.withSegmentBytes(WriterOptions.MIN_SEGMENT_BYTES).withIndexedColumns(ImmutableSet.of(A.id()));
        AlbisSchema schema = AlbisSchema.makeSchema(AlbisColumnGroup.make(AlbisLayout.ROW, ImmutableList.of(A, B)));
        int last = 1 << 16;
        // no bounds exclude the value of the last row
        Block scattered = new LongArrayBlock(last + 1, Optional.empty(), LongStream.rangeClosed(0, last).map(row -> row * 7919 % (last + 1)).toArray());
        RowGroup rowGroup = rowGroups.write(schema, options, new Page(scattered, bigints(last + 1)));
        RowGroupScan scan = RowGroupScan.of(schema.columns(), TupleDomain.withColumnDomains(ImmutableMap.of(A, Domain.singleValue(BIGINT, BIGINT.getLong(scattered, last)))));
        try (RowGroupReader reader = RowGroupReader.open(rowGroups.fileSystem(), FOLDER, rowGroup, scan, ReaderOptions.DEFAULTS)) {
            AlbisBatch batch = reader.next();
            assertThat(batch.positionCount()).isEqualTo(1);
            assertThat(BIGINT.getLong(batch.block(1), 0)).isEqualTo(last);
            assertThat(reader.next()).isNull();
        }
    }

    private static Block segmentNumbers(int count)
    {
        return new LongArrayBlock(count, Optional.empty(), LongStream.range(0, count).map(row -> row / 128).toArray());
    }

    /**
     * Long and nested values are not repeated.
     */
    @Test
    void testDeletedLongValues()
            throws IOException
    {
        AlbisColumn text = AlbisColumn.make(2, "text", VARCHAR);
        AlbisSchema schema = AlbisSchema.makeSchema(AlbisColumnGroup.make(A), AlbisColumnGroup.make(text));
        int count = 20_000;
        for (int length : new int[] {1, 256, 257, 100_000}) {
            BitSet deleted = new BitSet();
            deleted.set(1, count);
            Block texts = RunLengthEncodedBlock.create(VARCHAR, utf8Slice("a"), count);
            RowGroup rowGroup = rowGroups.delete(rowGroups.write(schema, WriterOptions.DEFAULTS, new Page(bigints(count), texts)), deleted);
            RowUpdates updates = new RowUpdates();
            updates.add(IntArrayList.of(0), new Block[] {RunLengthEncodedBlock.create(VARCHAR, utf8Slice("x".repeat(length)), 1)});
            RowGroup updated = rowGroup.withRewritten(rowGroups.rewrite(rowGroup, schema, WriterOptions.DEFAULTS, ImmutableList.of(text), updates));
            assertThat(updated.statistics(text.id()).orElseThrow().nullCount()).isEqualTo(length <= 256 ? 0 : count - 1);
            // each length of a run may take 4 bytes
            assertThat(updated.bytes()).isLessThan(rowGroup.bytes() + length + 50_000);
            assertThat(rowGroups.read(updated, ImmutableList.of(text))).containsExactly(List.of(utf8Slice("x".repeat(length))));
        }
    }
}
