package io.albis.format.scan;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.albis.format.filter.TestedValues;
import io.albis.format.io.StorageAccess;
import io.albis.format.metadata.RowGroup;
import io.albis.format.predicate.ColumnTest;
import io.albis.format.run.Run;
import io.albis.format.run.SegmentShare;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.search.ReaderThresholds;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.predicate.ValueSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import static io.trino.spi.type.BigintType.BIGINT;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which indexes a reader searches, and what it reads of them.
 */
final class TestIndexSearch
        extends BaseIndexSearchTest
{
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void testOneRow(boolean ahead)
            throws IOException
    {
        StorageAccess access = ahead ? StorageAccess.REMOTE.ahead(1 << 22) : StorageAccess.LOCAL;
        assertThat(excluded(access, single(KEY, 4711), 1)).isEqualTo(ROWS - 1);
        // the bounds exclude all rows
        assertThat(excluded(access, single(KEY, ROWS), 0)).isZero();
    }

    /**
     * The rows of several predicates are combined if each one matches too many rows alone.
     */
    @Test
    void testSeveralIndexes()
            throws IOException
    {
        TupleDomain<AlbisColumn> both = single(TWENTY, 3).intersect(single(TEN, 7));
        int expected = (int) IntStream.range(0, ROWS).filter(row -> value(TWENTY, row) == 3 && value(TEN, row) == 7).count();
        assertThat(expected).isBetween(200, 800);
        assertThat(excluded(StorageAccess.LOCAL, both, expected)).isEqualTo(ROWS - expected);
        assertThat(excluded(StorageAccess.LOCAL, single(TWENTY, 3), count(TWENTY, 3))).isZero();
        assertThat(excluded(StorageAccess.LOCAL, single(TEN, 7), count(TEN, 7))).isZero();
    }

    /**
     * The positions of the second predicate are not read, because reading the single row is faster.
     */
    @Test
    void testFewRows()
            throws Exception
    {
        long row = IntStream.range(0, ROWS).filter(i -> value(TEN, i) == 7).findFirst().orElseThrow();
        assertThat(excluded(StorageAccess.LOCAL, single(KEY, value(KEY, (int) row)).intersect(single(TEN, 7)), 1)).isEqualTo(ROWS - 1);
        // the directory, a page of values, a page of positions, and a page or a run of each column
        assertThat(takeDataBytes()).isLessThan(64 << 10);
    }

    /**
     * The rows of five values are few, but their positions are so far apart in the index that reading the column is
     * faster. The index of another column is used nevertheless.
     */
    @Test
    void testDistantPositions()
            throws IOException
    {
        AlbisColumn rare = AlbisColumn.make(5, "rare", BIGINT);
        AlbisColumn forty = AlbisColumn.make(6, "forty", BIGINT);
        RowGroup rowGroup = RowGroupFixture.write(storage, AlbisLayout.BLOCK, ImmutableList.of(ImmutableList.of(rare, forty, SORTED)), 1 << 19, ROWS, ImmutableSet.of(rare.id(), forty.id()), (column, row) -> switch (column.id()) {
            // five rows have a multiple of 60, and each of the other values between 0 and 240 has hundreds of rows
            case 5 -> row % 20_000 == 3 ? 60L * (row / 20_000) : row % 236 + row % 236 / 59 + 1L;
            case 6 -> row % 40L;
            default -> (long) row;
        });
        TupleDomain<AlbisColumn> predicate = domain(rare, Domain.multipleValues(BIGINT, ImmutableList.of(0L, 60L, 120L, 180L, 240L))).intersect(single(forty, 3));
        // a quarter of the bytes of a column takes less time than five requests
        ReaderThresholds thresholds = new ReaderThresholds(2, 1.0 / 32, 1.0 / 8, 0.25, 256);
        channels = 1;
        RowGroupReader reader = open(rowGroup, StorageAccess.LOCAL, RowGroupScan.of(ImmutableList.of(SORTED), predicate), new ReaderOptions(true, true, true, true, true, thresholds));
        assertThat(readAll(reader)).isEqualTo(5);
        assertThat(reader.metrics().rowsExcluded()).isEqualTo(ROWS - ROWS / 40);
    }

    /**
     * The number of distinct values tells that most rows match, and so do bounds.
     */
    @Test
    void testManyRows()
            throws Exception
    {
        RowGroup rowGroup = write(ALL_INDEXED);
        Domain others = Domain.create(ValueSet.of(BIGINT, 5L).complement(), false);
        Domain most = Domain.create(ValueSet.ofRanges(Range.greaterThan(BIGINT, 20_000L)), false);
        for (TupleDomain<AlbisColumn> predicate : ImmutableList.of(domain(KEY, others), domain(SORTED, most))) {
            RowGroupScan scan = RowGroupScan.of(ImmutableList.of(TEN), predicate);
            channels = 1;
            readAll(open(rowGroup, StorageAccess.LOCAL, scan, false));
            long expected = takeDataBytes();
            readAll(open(rowGroup, StorageAccess.LOCAL, scan, true));
            assertThat(takeDataBytes()).as("%s", predicate).isEqualTo(expected);
        }
    }

    /**
     * Many values that are far apart in the index are found if this takes less than reading the column.
     */
    @Test
    void testDistantValues()
            throws IOException
    {
        List<Long> values = LongStream.range(0, 10).map(i -> i * 11_111).boxed().toList();
        TupleDomain<AlbisColumn> predicate = domain(KEY, Domain.multipleValues(BIGINT, values));
        assertThat(excluded(StorageAccess.LOCAL, predicate, 10)).isEqualTo(ROWS - 10);
        // one request would read nearly all values of the index, which are larger than the column
        assertThat(excluded(StorageAccess.REMOTE, predicate, 10)).isZero();
    }

    /**
     * If the scan tests no further values, its values of an index are not read for nothing.
     */
    @Test
    void testTooManyTestedValues()
            throws Exception
    {
        TestedValues values = new TestedValues(BIGINT, _ -> false);
        for (int value = 0; value < TestedValues.MAX_VALUES; value++) {
            assertThat(values.mayMatchInteger(ROWS + value)).isFalse();
        }
        RowGroup rowGroup = write(ALL_INDEXED);
        RowGroupScan scan = RowGroupScan.of(ImmutableList.of(TEN), TupleDomain.all()).withTests(ImmutableList.of(new ColumnTest(TWENTY, values)));
        channels = 1;
        assertThat(readAll(open(rowGroup, StorageAccess.LOCAL, scan, false))).isEqualTo(ROWS);
        long expected = takeDataBytes();
        assertThat(readAll(open(rowGroup, StorageAccess.LOCAL, scan, true))).isEqualTo(ROWS);
        assertThat(takeDataBytes()).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void testLateDynamicFilter(boolean ahead)
            throws IOException
    {
        RowGroup rowGroup = write(ALL_INDEXED);
        AtomicReference<TupleDomain<AlbisColumn>> dynamic = new AtomicReference<>(TupleDomain.all());
        RowGroupScan scan = new RowGroupScan(ImmutableList.of(KEY), TupleDomain.all(), dynamic::get, SegmentShare.ALL);
        try (RowGroupReader reader = open(rowGroup, ahead ? StorageAccess.REMOTE.ahead(1 << 22) : StorageAccess.LOCAL, scan, true)) {
            AlbisBatch first = reader.next();
            assertThat(first.positionCount()).isGreaterThan(1);
            // the last row; the other rows of the first segment have been selected before
            dynamic.set(single(KEY, value(KEY, ROWS - 1)));
            long rows = first.positionCount();
            long last = -1;
            for (AlbisBatch batch = reader.next(); batch != null; batch = reader.next()) {
                rows += batch.positionCount();
                last = BIGINT.getLong(batch.block(0), batch.positionCount() - 1);
            }
            assertThat(last).isEqualTo(value(KEY, ROWS - 1));
            long excluded = reader.metrics().rowsExcluded();
            assertThat(excluded).isBetween(ROWS / 4L, (long) ROWS);
            assertThat(rows).isEqualTo(ROWS - excluded);
        }
    }

    /**
     * A dynamic filter that no index serves does not keep a later one from using an index.
     */
    @Test
    void testLaterDynamicFilter()
            throws IOException
    {
        RowGroup rowGroup = writeShortSegments(ImmutableSet.of(KEY.id(), TWENTY.id()));
        int row = IntStream.range(0, ROWS).filter(i -> value(TWENTY, i) == 3 && value(TEN, i) == 7).max().orElseThrow();
        assertThat(row).isGreaterThan(ROWS - Run.MAX_ROWS);
        AtomicReference<TupleDomain<AlbisColumn>> dynamic = new AtomicReference<>(TupleDomain.all());
        RowGroupScan scan = new RowGroupScan(ImmutableList.of(SORTED), single(TWENTY, 3), dynamic::get, SegmentShare.ALL);
        try (RowGroupReader reader = open(rowGroup, StorageAccess.LOCAL, scan, true)) {
            assertThat(reader.segmentRows()).hasSizeGreaterThan(10);
            // too many rows
            assertThat(reader.next().positionCount()).isGreaterThan(1);
            dynamic.set(single(TEN, 7));
            assertThat(reader.next().positionCount()).isGreaterThan(1);
            dynamic.set(single(TEN, 7).intersect(single(KEY, value(KEY, row))));
            AlbisBatch last = reader.next();
            assertThat(last.positionCount()).isEqualTo(1);
            assertThat(BIGINT.getLong(last.block(0), 0)).isEqualTo(row);
            assertThat(reader.next()).isNull();
            assertThat(reader.metrics().rowsExcluded()).isGreaterThan(ROWS / 2);
        }
    }

    private long excluded(StorageAccess access, TupleDomain<AlbisColumn> predicate, long expectedRows)
            throws IOException
    {
        RowGroup rowGroup = write(ALL_INDEXED);
        reads.clear();
        channels = 1;
        RowGroupReader reader = open(rowGroup, access, RowGroupScan.of(ImmutableList.of(SORTED), predicate), true);
        assertThat(readAll(reader)).isEqualTo(expectedRows);
        return reader.metrics().rowsExcluded();
    }

    private static int count(AlbisColumn column, long value)
    {
        return (int) IntStream.range(0, ROWS).filter(row -> value(column, row) == value).count();
    }
}
