package io.albis.format.scan;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.format.filter.TestedValues;
import io.albis.format.io.StorageAccess;
import io.albis.format.metadata.RowGroup;
import io.albis.format.predicate.ColumnTest;
import io.albis.format.predicate.RowAlternatives;
import io.albis.format.predicate.RowAlternatives.Branch;
import io.albis.format.run.Run;
import io.albis.format.run.SegmentShare;
import io.albis.format.schema.AlbisColumn;
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
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which rows a reader skips because they match none of several alternatives over different columns.
 */
final class TestAlternativesSearch
        extends BaseIndexSearchTest
{
    private static final AlbisColumn MISSING = AlbisColumn.make(5, "missing", BIGINT);
    private static final StorageAccess AHEAD = StorageAccess.REMOTE.ahead(1 << 22);

    private record Result(List<Long> rows, ReaderMetrics metrics) {}

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void testOr(boolean ahead)
            throws IOException
    {
        Result result = read(ALL_INDEXED, ahead ? AHEAD : StorageAccess.LOCAL, TupleDomain.all(), branch(single(KEY, 4711)), branch(single(SORTED, 77)));
        assertRows(result, row -> value(KEY, row) == 4711 || row == 77);
        assertThat(result.metrics().rowsExcluded()).isEqualTo(ROWS - 2);
    }

    /**
     * The rows of each alternative are the intersection of its conditions, each of which matches too many rows alone.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void testAndInOr(boolean ahead)
            throws IOException
    {
        Result result = read(ALL_INDEXED, ahead ? AHEAD : StorageAccess.LOCAL, TupleDomain.all(), branch(single(TWENTY, 3).intersect(single(TEN, 7))), branch(single(KEY, 4711)));
        assertRows(result, row -> (value(TWENTY, row) == 3 && value(TEN, row) == 7) || value(KEY, row) == 4711);
        assertThat(result.metrics().rowsExcluded()).isEqualTo(ROWS - result.rows().size());
    }

    /**
     * A predicate and two alternatives are combined.
     */
    @Test
    void testOrInAnd()
            throws IOException
    {
        Domain hundred = Domain.create(ValueSet.ofRanges(Range.lessThan(BIGINT, 2000L)), false);
        RowAlternatives keys = new RowAlternatives(ImmutableList.of(branch(domain(KEY, hundred)), branch(single(SORTED, 77))));
        RowAlternatives numbers = new RowAlternatives(ImmutableList.of(branch(single(TWENTY, 3)), branch(single(SORTED, 78))));
        RowGroup rowGroup = write(ALL_INDEXED);
        Result result = read(rowGroup, StorageAccess.LOCAL, ReaderThresholds.DEFAULTS, RowGroupScan.of(ImmutableList.of(SORTED), single(TEN, 7)).withAlternatives(ImmutableList.of(keys, numbers)));
        // the predicate is exact
        assertThat(result.rows()).allMatch(row -> value(TEN, row) == 7);
        assertThat(result.rows()).containsAll(rows(row -> value(TEN, row) == 7 && (value(KEY, row) < 2000 || row == 77) && (value(TWENTY, row) == 3 || row == 78)));
        assertThat(result.metrics().rowsExcluded()).isGreaterThan(ROWS - 1000);
    }

    /**
     * Without an index, an alternative has all rows of the runs that its bounds leave.
     */
    @Test
    void testBounds()
            throws IOException
    {
        RowGroup rowGroup = write(ImmutableSet.of(1));
        RowGroupScan scan = RowGroupScan.of(ImmutableList.of(SORTED), TupleDomain.all())
                .withAlternatives(ImmutableList.of(new RowAlternatives(ImmutableList.of(branch(single(KEY, 4711)), branch(single(SORTED, 77))))));
        ReaderThresholds tenth = new ReaderThresholds(2, 0.1, 0.1, 1, 256);
        Result result = read(rowGroup, StorageAccess.LOCAL, tenth, scan);
        assertRows(result, row -> value(KEY, row) == 4711 || row < Run.MAX_ROWS);
        // a run has more than one row in 32, so nothing is searched
        assertThat(read(rowGroup, StorageAccess.LOCAL, ReaderThresholds.DEFAULTS, scan).metrics().rowsExcluded()).isZero();
    }

    /**
     * If the bounds exclude all alternatives, no column is read.
     */
    @Test
    void testNone()
            throws Exception
    {
        Result result = read(ImmutableSet.of(), StorageAccess.LOCAL, TupleDomain.all(), branch(single(KEY, -1)), branch(single(SORTED, ROWS)));
        assertThat(result.rows()).isEmpty();
        assertThat(result.metrics().segments()).isZero();
        assertThat(takeDataBytes()).isZero();
        // one alternative is impossible, and the other one has an index
        result = read(ImmutableSet.of(1), StorageAccess.LOCAL, TupleDomain.all(), branch(single(KEY, 4711)), branch(single(SORTED, ROWS)));
        assertRows(result, row -> value(KEY, row) == 4711);
    }

    /**
     * A search that cannot exclude rows, because one alternative has neither an index nor bounds or matches many rows,
     * is not begun or has no effect.
     */
    @Test
    void testUseless()
            throws Exception
    {
        assertUseless(ImmutableSet.of(1), branch(single(KEY, 4711)), branch(single(TWENTY, 3)));
        Domain most = Domain.create(ValueSet.of(BIGINT, 5L).complement(), false);
        assertUseless(ALL_INDEXED, branch(single(KEY, 4711)), branch(domain(KEY, most)));
        Result many = read(ALL_INDEXED, StorageAccess.LOCAL, TupleDomain.all(), branch(single(KEY, 4711)), branch(single(TEN, 3)));
        assertThat(many.metrics().rowsExcluded()).isZero();
        assertThat(many.rows()).hasSize(ROWS);
    }

    private void assertUseless(Set<Integer> indexed, Branch... branches)
            throws Exception
    {
        Result result = read(indexed, StorageAccess.LOCAL, TupleDomain.all(), branches);
        assertThat(result.metrics().rowsExcluded()).isZero();
        assertThat(result.rows()).hasSize(ROWS);
        long bytes = takeDataBytes();
        read(write(indexed), StorageAccess.LOCAL, ReaderThresholds.DEFAULTS, RowGroupScan.of(ImmutableList.of(SORTED), TupleDomain.all()));
        assertThat(bytes).isEqualTo(takeDataBytes());
    }

    @Test
    void testMissingColumn()
            throws IOException
    {
        Result result = read(ALL_INDEXED, StorageAccess.LOCAL, TupleDomain.all(), branch(single(KEY, 4711)), branch(single(MISSING, 1)));
        assertRows(result, row -> value(KEY, row) == 4711);
        result = read(ALL_INDEXED, StorageAccess.LOCAL, TupleDomain.all(), branch(single(KEY, 4711)), branch(single(SORTED, 77).intersect(domain(MISSING, Domain.onlyNull(BIGINT)))));
        assertRows(result, row -> value(KEY, row) == 4711 || row == 77);
        result = read(ALL_INDEXED, StorageAccess.LOCAL, TupleDomain.all(), branch(single(KEY, 4711)), branch(domain(MISSING, Domain.onlyNull(BIGINT))));
        assertThat(result.rows()).hasSize(ROWS);
        result = read(ALL_INDEXED, StorageAccess.LOCAL, TupleDomain.all(), branch(single(MISSING, 2)), branch(single(MISSING, 1)));
        assertThat(result.rows()).isEmpty();
    }

    /**
     * An alternative can have a test of distinct values.
     */
    @Test
    void testTestedValues()
            throws IOException
    {
        ColumnTest test = new ColumnTest(TWENTY, new TestedValues(BIGINT, value -> value != null && (long) value * 7 == 21));
        Result result = read(ALL_INDEXED, StorageAccess.LOCAL, TupleDomain.all(), branch(single(KEY, 4711)), new Branch(single(TEN, 7), ImmutableList.of(test)));
        assertRows(result, row -> value(KEY, row) == 4711 || (value(TWENTY, row) == 3 && value(TEN, row) == 7));
    }

    /**
     * What several alternatives share counts once.
     */
    @Test
    void testMemory()
            throws IOException
    {
        // the last alternative has too many rows, so the positions of the values that were found are not read
        int found = 11_000;
        Domain keys = Domain.create(ValueSet.ofRanges(Range.lessThan(BIGINT, (long) found)), false);
        assertThat(openMemory(
                branch(TupleDomain.withColumnDomains(ImmutableMap.of(KEY, keys, TEN, Domain.singleValue(BIGINT, 7L)))),
                branch(TupleDomain.withColumnDomains(ImmutableMap.of(KEY, keys, TWENTY, Domain.singleValue(BIGINT, 3L)))),
                branch(single(TEN, 3)))).isBetween(3L * Integer.BYTES * found, 5L * Integer.BYTES * found);

        TestedValues values = new TestedValues(BIGINT, _ -> true);
        for (int value = 0; value < TestedValues.MAX_VALUES; value++) {
            assertThat(values.mayMatchInteger(value)).isTrue();
        }
        long size = values.claim(this);
        values.release(this);
        List<ColumnTest> tests = ImmutableList.of(new ColumnTest(TWENTY, values));
        assertThat(openMemory(new Branch(single(KEY, 4711), tests), new Branch(single(TEN, 7), tests))).isBetween(size, size * 3 / 2);
    }

    private long openMemory(Branch... branches)
            throws IOException
    {
        RowGroupScan scan = RowGroupScan.of(ImmutableList.of(SORTED), TupleDomain.all())
                .withAlternatives(ImmutableList.of(new RowAlternatives(ImmutableList.copyOf(branches))));
        ReaderResources resources = new ReaderResources(MetadataSource.FILES, StorageAccess.LOCAL, executor, new ScanHistory(1));
        try (RowGroupReader reader = RowGroupReader.open(fileSystem, FOLDER, write(ALL_INDEXED), scan, ReaderOptions.DEFAULTS, resources)) {
            return reader.memoryUsage();
        }
    }

    /**
     * The splits of a row group find their own rows.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void testShares(boolean ahead)
            throws IOException
    {
        RowGroup rowGroup = write(ALL_INDEXED);
        RowAlternatives alternatives = new RowAlternatives(ImmutableList.of(branch(single(KEY, 4711)), branch(domain(SORTED, Domain.multipleValues(BIGINT, ImmutableList.of(0L, 50_000L, 99_999L))))));
        List<Long> rows = new ArrayList<>();
        for (int share = 0; share < 3; share++) {
            RowGroupScan scan = new RowGroupScan(ImmutableList.of(SORTED), TupleDomain.all(), TupleDomain::all, new SegmentShare(share, 3)).withAlternatives(ImmutableList.of(alternatives));
            rows.addAll(read(rowGroup, ahead ? AHEAD : StorageAccess.LOCAL, ReaderThresholds.DEFAULTS, scan).rows());
        }
        assertThat(rows).isEqualTo(rows(row -> value(KEY, row) == 4711 || row == 0 || row == 50_000 || row == 99_999));
    }

    private static void assertRows(Result result, LongPredicate expected)
    {
        assertThat(result.rows()).isEqualTo(rows(expected));
    }

    private static List<Long> rows(LongPredicate expected)
    {
        return LongStream.range(0, ROWS).filter(expected).boxed().toList();
    }

    private Result read(Set<Integer> indexed, StorageAccess access, TupleDomain<AlbisColumn> predicate, Branch... branches)
            throws IOException
    {
        RowGroupScan scan = RowGroupScan.of(ImmutableList.of(SORTED), predicate)
                .withAlternatives(ImmutableList.of(new RowAlternatives(ImmutableList.copyOf(branches))));
        return read(write(indexed), access, ReaderThresholds.DEFAULTS, scan);
    }

    /**
     * Returns the positions of the rows that a reader returns, which are the values of the sorted column.
     */
    private Result read(RowGroup rowGroup, StorageAccess access, ReaderThresholds thresholds, RowGroupScan scan)
            throws IOException
    {
        reads.clear();
        ReaderOptions options = new ReaderOptions(true, true, true, true, true, thresholds);
        ReaderResources resources = new ReaderResources(MetadataSource.FILES, access, executor, new ScanHistory(1));
        List<Long> rows = new ArrayList<>();
        try (RowGroupReader reader = RowGroupReader.open(fileSystem, FOLDER, rowGroup, scan, options, resources)) {
            for (AlbisBatch batch = reader.next(); batch != null; batch = reader.next()) {
                for (int position = 0; position < batch.positionCount(); position++) {
                    rows.add(BIGINT.getLong(batch.block(0), position));
                }
            }
            return new Result(rows, reader.metrics());
        }
    }

    private static Branch branch(TupleDomain<AlbisColumn> predicate)
    {
        return new Branch(predicate, ImmutableList.of());
    }
}
