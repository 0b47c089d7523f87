package io.albis.format.scan;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.io.StorageAccess;
import io.albis.format.metadata.RowGroup;
import io.albis.format.run.Run;
import io.albis.format.run.Segment;
import io.albis.format.run.SegmentShare;
import io.albis.format.schema.AlbisColumn;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import static io.albis.format.io.PageChecksum.PAGE_SIZE;
import static io.trino.spi.type.BigintType.BIGINT;
import static java.util.Arrays.stream;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A reader requests only the bytes that a scan needs, and each of them once.
 */
final class TestRequests
        extends BaseRequestsTest
{
    /**
     * A way to access storage, and a grouping of the columns.
     */
    record Variant(StorageAccess access, boolean together) {}

    static List<Variant> variants()
    {
        ImmutableList.Builder<Variant> variants = ImmutableList.builder();
        for (boolean together : new boolean[] {true, false}) {
            variants.add(new Variant(StorageAccess.LOCAL, together));
            StorageAccess exact = new StorageAccess(0, 1 << 20, 1 << 24, false);
            variants.add(new Variant(exact, together));
            variants.add(new Variant(exact.ahead(1 << 24), together));
            // Too little memory for all data that a segment needs
            variants.add(new Variant(exact.ahead(1 << 17), together));
        }
        return variants.build();
    }

    @ParameterizedTest
    @MethodSource("variants")
    void testProjection(Variant variant)
            throws Exception
    {
        RowGroup rowGroup = write(variant.together());
        for (AlbisColumn column : COLUMNS) {
            ScanHistory history = new ScanHistory(1);
            for (int i = 0; i < 2; i++) {
                assertThat(readAll(open(rowGroup, variant.access(), history, TupleDomain.all(), column))).isEqualTo(ROWS);
                assertThat(takeDataBytes()).isEqualTo(bytes(rowGroup, column));
            }
        }
        ScanHistory history = new ScanHistory(COLUMNS.size());
        for (int i = 0; i < 2; i++) {
            readAll(open(rowGroup, variant.access(), history, TupleDomain.all(), COLUMNS.toArray(AlbisColumn[]::new)));
            assertThat(takeDataBytes()).isEqualTo(rowGroup.columnGroups().stream().mapToLong(instance -> instance.dataBytes() - Segment.END_SLACK).sum());
        }
    }

    @ParameterizedTest
    @MethodSource("variants")
    void testFilterThatHitsOneSegment(Variant variant)
            throws Exception
    {
        RowGroup rowGroup = write(variant.together());
        int row = 2 * SEGMENT_ROWS + Run.MAX_ROWS + 5;
        ScanHistory history = new ScanHistory(3);
        for (int i = 0; i < 2; i++) {
            assertThat(readAll(open(rowGroup, variant.access(), history, between(ID, row, row + 9), ID, WORD, WIDE))).isEqualTo(10);
            // Of the other columns, only the page with the rows is read, unless their runs are read ahead
            boolean ahead = variant.access().readAhead() && i > 0;
            long pages = bytes(rowGroup, WORD, 2, 0) + 2 * PAGE_SIZE;
            assertThat(takeDataBytes()).isEqualTo(bytes(rowGroup, ID, 2, 1 << 1) + (ahead ? bytes(rowGroup, WORD, 2, 1 << 1) + bytes(rowGroup, WIDE, 2, 1 << 1) : pages));
        }
    }

    @ParameterizedTest
    @MethodSource("variants")
    void testColumnThatNobodyNeeds(Variant variant)
            throws Exception
    {
        RowGroup rowGroup = write(variant.together());
        ScanHistory history = new ScanHistory(3);
        for (int i = 0; i < 2; i++) {
            // The last column is never requested
            assertThat(read(open(rowGroup, variant.access(), history, TupleDomain.all(), TEXT, ID, WIDE), 2)).isEqualTo(ROWS);
            assertThat(takeDataBytes()).isEqualTo(bytes(rowGroup, TEXT) + bytes(rowGroup, ID));
        }
        // No row is left, although the bounds do not exclude all rows
        assertThat(readAll(open(rowGroup, variant.access(), history, between(SCATTERED, ROWS + 1, ROWS + 1), TEXT, ID, WIDE))).isZero();
        assertThat(takeDataBytes()).isEqualTo(bytes(rowGroup, SCATTERED));
    }

    @ParameterizedTest
    @MethodSource("variants")
    void testColumnThatFewRowsNeed(Variant variant)
            throws Exception
    {
        RowGroup rowGroup = write(variant.together());
        // The first and the last run of a segment, and one run of another segment
        int[] found = {SEGMENT_ROWS + 7, 2 * SEGMENT_ROWS - 7, 3 * SEGMENT_ROWS + 2 * Run.MAX_ROWS + 1};
        TupleDomain<AlbisColumn> predicate = TupleDomain.withColumnDomains(ImmutableMap.of(
                SCATTERED, Domain.multipleValues(BIGINT, stream(found).mapToObj(BaseRequestsTest::scatter).toList())));
        ScanHistory history = new ScanHistory(4);
        for (int i = 0; i < 2; i++) {
            assertThat(readAll(open(rowGroup, variant.access(), history, predicate, WIDE, WORD, TEXT, SCATTERED))).isEqualTo(found.length);
            long runs = bytes(rowGroup, SCATTERED);
            for (AlbisColumn column : List.of(WIDE, WORD, TEXT)) {
                runs += bytes(rowGroup, column, 1, 1 << 0 | 1 << 3) + bytes(rowGroup, column, 3, 1 << 2);
            }
            // A page of each run, except for the first run of words, which the request for the dictionary reads as well
            long pages = bytes(rowGroup, SCATTERED) + bytes(rowGroup, WORD, 1, 1 << 0) + bytes(rowGroup, WORD, 3, 0) + 8 * PAGE_SIZE;
            // Runs that are read ahead, or with the run of another column, are read as a whole
            boolean expected = variant.access().readAhead() || i > 0;
            assertThat(takeDataBytes()).isBetween(pages, expected ? runs : pages);
        }
    }

    @ParameterizedTest
    @MethodSource("variants")
    void testDynamicPredicateThatExcludesAll(Variant variant)
            throws Exception
    {
        RowGroup rowGroup = write(variant.together());
        ScanHistory history = new ScanHistory(1);
        readAll(open(rowGroup, variant.access(), history, TupleDomain.all(), ID));
        takeDataBytes();
        RowGroupScan scan = new RowGroupScan(ImmutableList.of(ID), TupleDomain.all(), () -> between(ID, ROWS, ROWS + 5), SegmentShare.ALL);
        assertThat(readAll(open(rowGroup, variant.access(), history, scan))).isZero();
        assertThat(takeDataBytes()).isZero();
    }

    @ParameterizedTest
    @MethodSource("variants")
    void testDynamicPredicateThatArrivesWithinASegment(Variant variant)
            throws Exception
    {
        RowGroup rowGroup = write(variant.together());
        TupleDomain<AlbisColumn> predicate = between(SCATTERED, 0, ROWS);
        TupleDomain<AlbisColumn> dynamicPredicate = between(SCATTERED, ROWS / 2, 2 * ROWS);
        // The reader evaluates the dynamic predicate once before the scan, and once for each segment and run
        for (int late = 0; late < 12; late++) {
            int asked = late;
            AtomicInteger count = new AtomicInteger();
            RowGroupScan scan = new RowGroupScan(
                    ImmutableList.of(ID),
                    predicate,
                    () -> count.getAndIncrement() < asked ? TupleDomain.all() : dynamicPredicate,
                    SegmentShare.ALL);
            assertThat(readAll(open(rowGroup, variant.access(), new ScanHistory(1), scan))).isBetween(ROWS / 4L, ROWS / 2L);
            // No byte is requested twice
            assertThat(takeDataBytes()).isEqualTo(bytes(rowGroup, SCATTERED) + bytes(rowGroup, ID));
        }
    }

    @ParameterizedTest
    @MethodSource("variants")
    void testShares(Variant variant)
            throws Exception
    {
        RowGroup rowGroup = write(variant.together());
        ScanHistory history = new ScanHistory(COLUMNS.size());
        for (int i = 0; i < 2; i++) {
            for (int share = 0; share < 3; share++) {
                readAll(open(rowGroup, variant.access(), history, new RowGroupScan(COLUMNS, TupleDomain.all(), TupleDomain::all, new SegmentShare(share, 3))));
            }
            assertThat(takeDataBytes()).isEqualTo(rowGroup.columnGroups().stream().mapToLong(instance -> instance.dataBytes() - Segment.END_SLACK).sum());
        }
    }
}
