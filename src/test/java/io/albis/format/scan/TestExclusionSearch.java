package io.albis.format.scan;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.albis.format.filter.TestedValues;
import io.albis.format.io.StorageAccess;
import io.albis.format.metadata.RowGroup;
import io.albis.format.predicate.ColumnTest;
import io.albis.format.predicate.RowAlternatives;
import io.albis.format.predicate.RowAlternatives.Branch;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;

import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which rows a reader skips because they match a condition under NOT.
 */
final class TestExclusionSearch
        extends BaseIndexSearchTest
{
    private static final StorageAccess AHEAD = StorageAccess.REMOTE.ahead(1 << 22);
    private static final AlbisColumn NUMBER = AlbisColumn.make(5, "number", DOUBLE);
    private static final AlbisColumn STATUS = AlbisColumn.make(6, "status", BIGINT);
    // fewer than one row in 32
    private static final long KEYS = 3000;

    private record Result(List<Long> rows, ReaderMetrics metrics) {}

    /**
     * The rows of the excluded value are removed from those of another predicate, and its column is not read.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void testNotEqual(boolean ahead)
            throws Exception
    {
        TupleDomain<AlbisColumn> predicate = keys().intersect(not(TEN, 7));
        StorageAccess access = ahead ? AHEAD : StorageAccess.LOCAL;
        Result result = read(write(ALL_INDEXED), access, scan(predicate));
        assertRows(result, row -> value(KEY, row) < KEYS && value(TEN, row) != 7);
        assertThat(result.metrics().rowsExcluded()).isEqualTo(ROWS - result.rows().size());
        long bytes = takeDataBytes();
        Result other = read(write(ImmutableSet.of(KEY.id())), access, scan(predicate));
        assertThat(other.rows()).isEqualTo(result.rows());
        assertThat(other.metrics().rowsExcluded()).isEqualTo(ROWS - KEYS);
        assertThat(bytes).isLessThan(takeDataBytes());
    }

    @Test
    void testSeveralColumns()
            throws IOException
    {
        Domain others = Domain.create(ValueSet.of(BIGINT, 3L, 5L, 19L).complement(), false);
        Result result = read(write(ALL_INDEXED), StorageAccess.LOCAL, scan(keys().intersect(not(TEN, 7)).intersect(domain(TWENTY, others))));
        assertRows(result, row -> value(KEY, row) < KEYS && value(TEN, row) != 7 && value(TWENTY, row) != 3 && value(TWENTY, row) != 5 && value(TWENTY, row) != 19);
        assertThat(result.metrics().rowsExcluded()).isEqualTo(ROWS - result.rows().size());
    }

    /**
     * No row has the excluded value, so that the predicate need not be evaluated.
     */
    @Test
    void testMissingValue()
            throws Exception
    {
        long[] bytes = new long[2];
        for (int indexes = 0; indexes < 2; indexes++) {
            Set<Integer> indexed = indexes == 0 ? ImmutableSet.of(KEY.id()) : ImmutableSet.of(KEY.id(), STATUS.id());
            RowGroup rowGroup = RowGroupFixture.write(storage, AlbisLayout.BLOCK, ImmutableList.of(ImmutableList.of(KEY, STATUS, SORTED)), 1 << 19, ROWS, indexed, (column, row) -> column.equals(STATUS) ? 2 * value(TWENTY, row) : value(column, row));
            Result result = read(rowGroup, StorageAccess.LOCAL, scan(keys().intersect(not(STATUS, 7))));
            assertRows(result, row -> value(KEY, row) < KEYS);
            bytes[indexes] = takeDataBytes();
        }
        assertThat(bytes[1]).isLessThan(bytes[0]);
    }

    /**
     * NOT (ten = 7 AND twenty = 3) excludes the rows that have both values.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void testNotAnd(boolean ahead)
            throws IOException
    {
        RowGroupScan scan = scan(keys(), branch(not(TEN, 7)), branch(not(TWENTY, 3)));
        Result result = read(write(ALL_INDEXED), ahead ? AHEAD : StorageAccess.LOCAL, scan);
        assertRows(result, row -> value(KEY, row) < KEYS && !(value(TEN, row) == 7 && value(TWENTY, row) == 3));
        assertThat(result.rows()).hasSizeLessThan((int) KEYS);
        assertThat(result.metrics().rowsExcluded()).isEqualTo(ROWS - result.rows().size());
    }

    /**
     * NOT (ten = 7 AND (twenty = 3 OR sorted = 77)): an alternative has two conditions.
     */
    @Test
    void testNotAndOr()
            throws IOException
    {
        RowGroupScan scan = scan(keys(), branch(not(TEN, 7)), branch(not(TWENTY, 3).intersect(not(SORTED, 77))));
        Result result = read(write(ALL_INDEXED), StorageAccess.LOCAL, scan);
        assertRows(result, row -> value(KEY, row) < KEYS && !(value(TEN, row) == 7 && (value(TWENTY, row) == 3 || row == 77)));
    }

    /**
     * An alternative without an index may match any row, so no row is removed.
     */
    @Test
    void testAlternativeWithoutIndex()
            throws IOException
    {
        RowGroupScan scan = scan(keys(), branch(not(TEN, 7)), branch(not(TWENTY, 3)));
        Result result = read(write(ImmutableSet.of(KEY.id(), TEN.id())), StorageAccess.LOCAL, scan);
        assertRows(result, row -> value(KEY, row) < KEYS);
        assertThat(result.metrics().rowsExcluded()).isEqualTo(ROWS - KEYS);
    }

    /**
     * Values for which a function of the query is not true are excluded.
     */
    @Test
    void testTestedValues()
            throws IOException
    {
        ColumnTest test = new ColumnTest(TWENTY, new TestedValues(BIGINT, value -> value != null && (long) value != 3));
        Result result = read(write(ALL_INDEXED), StorageAccess.LOCAL, scan(keys()).withTests(ImmutableList.of(test)));
        assertRows(result, row -> value(KEY, row) < KEYS && value(TWENTY, row) != 3);
        assertThat(result.metrics().rowsExcluded()).isEqualTo(ROWS - result.rows().size());

        RowGroupScan scan = scan(keys(), branch(not(TEN, 7)), new Branch(TupleDomain.all(), ImmutableList.of(test)));
        result = read(write(ALL_INDEXED), StorageAccess.LOCAL, scan);
        assertRows(result, row -> value(KEY, row) < KEYS && !(value(TEN, row) == 7 && value(TWENTY, row) == 3));
    }

    /**
     * If most rows have the excluded value, the others are found without uniting the rows of their values.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void testMostRows(boolean ahead)
            throws IOException
    {
        RowGroup rowGroup = RowGroupFixture.write(storage, AlbisLayout.BLOCK, ImmutableList.of(ImmutableList.of(STATUS, SORTED)), 1 << 19, ROWS, ImmutableSet.of(STATUS.id()), (column, row) -> column.equals(STATUS) ? status(row) : (Object) (long) row);
        Domain domain = Domain.create(ValueSet.of(BIGINT, 0L).complement(), false);
        Result result = read(rowGroup, ahead ? AHEAD : StorageAccess.LOCAL, scan(domain(STATUS, domain)));
        assertRows(result, row -> row % 40 == 1);
        assertThat(result.metrics().rowsExcluded()).isEqualTo(ROWS - result.rows().size());
        // nulls are no longer excluded, so most rows match
        result = read(rowGroup, StorageAccess.LOCAL, scan(domain(STATUS, Domain.create(domain.getValues(), true))));
        assertRows(result, row -> row % 40 == 1 || row % 40 > 19);
    }

    /**
     * Returns a value that no other row has for one row in 40, and null for half of the rows.
     */
    private static Long status(long row)
    {
        if (row % 40 == 1) {
            return row;
        }
        return row % 40 > 19 ? null : (Long) 0L;
    }

    /**
     * A null differs from no value, and zero equals minus zero. A row with NaN is in no domain and no index, so that
     * the rows that do not match are not all found.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void testNullsAndZeros(boolean hasNaN)
            throws IOException
    {
        RowGroup rowGroup = RowGroupFixture.write(storage, AlbisLayout.BLOCK, ImmutableList.of(ImmutableList.of(KEY, NUMBER, SORTED)), 1 << 19, ROWS, ImmutableSet.of(KEY.id(), NUMBER.id()), (column, row) -> column.equals(NUMBER) ? number(row, hasNaN) : (Object) value(column, row));
        for (double zero : new double[] {0.0, -0.0}) {
            ValueSet others = ValueSet.of(DOUBLE, zero).complement();
            Result result = read(rowGroup, StorageAccess.LOCAL, scan(keys().intersect(domain(NUMBER, Domain.create(others, false)))));
            assertRows(result, row -> value(KEY, row) < KEYS && isOther(number(row, hasNaN)));
            assertThat(result.metrics().rowsExcluded()).isEqualTo(ROWS - (hasNaN ? KEYS : result.rows().size()));

            result = read(rowGroup, StorageAccess.LOCAL, scan(keys().intersect(domain(NUMBER, Domain.create(others, true)))));
            assertRows(result, row -> value(KEY, row) < KEYS && (number(row, hasNaN) == null || isOther(number(row, hasNaN))));
            assertThat(result.metrics().rowsExcluded()).isEqualTo(ROWS - (hasNaN ? KEYS : result.rows().size()));
        }
    }

    private static boolean isOther(Double number)
    {
        return number != null && !number.isNaN() && number != 0;
    }

    private static Double number(long row, boolean hasNaN)
    {
        return switch ((int) (row % 16)) {
            case 0 -> null;
            case 1 -> 0.0;
            case 2 -> -0.0;
            case 3 -> hasNaN ? Double.NaN : 3.0;
            default -> (double) (row % 16);
        };
    }

    /**
     * Without other searches, removing a few rows saves nothing, so the indexes are not read. If another search leaves
     * a few rows, reading these takes less than searching.
     */
    @Test
    void testUseless()
            throws Exception
    {
        RowGroup rowGroup = write(ALL_INDEXED);
        for (RowGroupScan scan : ImmutableList.of(scan(not(KEY, 5)), scan(TupleDomain.all(), branch(not(KEY, 7)), branch(not(SORTED, 3))))) {
            Result result = read(rowGroup, StorageAccess.LOCAL, scan);
            assertThat(result.metrics().rowsExcluded()).isZero();
            long bytes = takeDataBytes();
            channels = 1;
            assertThat(readAll(open(rowGroup, StorageAccess.LOCAL, scan, false))).isEqualTo(result.rows().size());
            assertThat(bytes).isEqualTo(takeDataBytes());
        }
        Result result = read(rowGroup, StorageAccess.LOCAL, scan(single(KEY, 4711).intersect(not(TEN, 7))));
        assertRows(result, row -> value(KEY, row) == 4711 && value(TEN, row) != 7);
        // the directory, a page of values, a page of positions, and a page or a run of each column
        assertThat(takeDataBytes()).isLessThan(64 << 10);
    }

    /**
     * If the bytes of the column are limited, the excluded rows are evaluated instead.
     */
    @Test
    void testTooManyBytes()
            throws IOException
    {
        RowGroupScan scan = scan(keys().intersect(not(TEN, 7)));
        ReaderThresholds thresholds = new ReaderThresholds(2, 1.0 / 32, 1.0 / 8, 0.125, 256);
        Result result = read(write(ALL_INDEXED), thresholds, new ReaderResources(MetadataSource.FILES, StorageAccess.LOCAL, executor, new ScanHistory(1)), scan);
        assertRows(result, row -> value(KEY, row) < KEYS && value(TEN, row) != 7);
        assertThat(result.metrics().rowsExcluded()).isEqualTo(ROWS - KEYS);
    }

    /**
     * The splits of a row group search an index once, and each one finds its own rows.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void testShares(boolean ahead)
            throws Exception
    {
        RowGroup rowGroup = writeShortSegments(ALL_INDEXED);
        ReaderResources resources = new ReaderResources(MetadataSource.FILES, ahead ? AHEAD : StorageAccess.LOCAL, executor, new ScanHistory(1));
        TupleDomain<AlbisColumn> predicate = keys().intersect(not(TEN, 7));
        List<Long> rows = new ArrayList<>();
        RowGroupScan first = new RowGroupScan(ImmutableList.of(SORTED), predicate, TupleDomain::all, new SegmentShare(0, 3));
        try (RowGroupReader keeps = RowGroupReader.open(fileSystem, FOLDER, rowGroup, first, ReaderOptions.DEFAULTS, resources)) {
            rows.addAll(rows(keeps));
            for (int share = 1; share < 3; share++) {
                RowGroupScan scan = new RowGroupScan(ImmutableList.of(SORTED), predicate, TupleDomain::all, new SegmentShare(share, 3));
                try (RowGroupReader reader = RowGroupReader.open(fileSystem, FOLDER, rowGroup, scan, ReaderOptions.DEFAULTS, resources)) {
                    rows.addAll(rows(reader));
                }
            }
        }
        assertThat(rows).isEqualTo(matching(row -> value(KEY, row) < KEYS && value(TEN, row) != 7));
        // asserts that nothing was read twice
        assertThat(takeData()).isNotEmpty();
    }

    private static TupleDomain<AlbisColumn> keys()
    {
        return domain(KEY, Domain.create(ValueSet.ofRanges(Range.lessThan(BIGINT, KEYS)), false));
    }

    private static TupleDomain<AlbisColumn> not(AlbisColumn column, long value)
    {
        return domain(column, Domain.create(ValueSet.of(BIGINT, value).complement(), false));
    }

    private static Branch branch(TupleDomain<AlbisColumn> predicate)
    {
        return new Branch(predicate, ImmutableList.of());
    }

    private static RowGroupScan scan(TupleDomain<AlbisColumn> predicate, Branch... branches)
    {
        RowGroupScan scan = RowGroupScan.of(ImmutableList.of(SORTED), predicate);
        return branches.length == 0 ? scan : scan.withAlternatives(ImmutableList.of(new RowAlternatives(ImmutableList.copyOf(branches))));
    }

    private static void assertRows(Result result, LongPredicate expected)
    {
        assertThat(result.rows()).isEqualTo(matching(expected));
    }

    private static List<Long> matching(LongPredicate expected)
    {
        return LongStream.range(0, ROWS).filter(expected).boxed().toList();
    }

    private Result read(RowGroup rowGroup, StorageAccess access, RowGroupScan scan)
            throws IOException
    {
        return read(rowGroup, ReaderThresholds.DEFAULTS, new ReaderResources(MetadataSource.FILES, access, executor, new ScanHistory(1)), scan);
    }

    private Result read(RowGroup rowGroup, ReaderThresholds thresholds, ReaderResources resources, RowGroupScan scan)
            throws IOException
    {
        reads.clear();
        ReaderOptions options = new ReaderOptions(true, true, true, true, true, thresholds);
        try (RowGroupReader reader = RowGroupReader.open(fileSystem, FOLDER, rowGroup, scan, options, resources)) {
            List<Long> rows = rows(reader);
            return new Result(rows, reader.metrics());
        }
    }

    /**
     * Returns the positions of the rows that a reader returns, which are the values of the sorted column.
     */
    private static List<Long> rows(RowGroupReader reader)
            throws IOException
    {
        List<Long> rows = new ArrayList<>();
        for (AlbisBatch batch = reader.next(); batch != null; batch = reader.next()) {
            for (int position = 0; position < batch.positionCount(); position++) {
                rows.add(BIGINT.getLong(batch.block(0), position));
            }
        }
        return rows;
    }
}
