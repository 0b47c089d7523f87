package io.albis.trino.topn;

import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.table.partition.RowGroupPredicate;
import io.albis.table.version.AlbisTable;
import io.albis.table.version.ManifestSelection;
import io.albis.table.version.RowGroupPieces;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.handle.TopN;
import io.albis.trino.manifest.RandomManifests;
import io.albis.trino.manifest.RandomManifests.Row;
import io.trino.spi.block.Block;
import io.trino.spi.connector.SortOrder;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.Type;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static io.albis.trino.manifest.RandomManifests.NUMBER;
import static io.albis.trino.manifest.RandomManifests.randomType;
import static io.trino.spi.connector.SortOrder.ASC_NULLS_LAST;
import static io.trino.spi.connector.SortOrder.DESC_NULLS_LAST;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static java.lang.Math.min;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A scan of the first rows of an order reads manifests in the order of their bounds until others have enough rows, and
 * returns all row groups with these rows.
 */
final class TestTopNScan
{
    private static final int TABLES = 12;
    private static final int QUERIES = 40;

    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);

    private int skippedManifests;

    /**
     * What a scan has returned.
     */
    private record Result(List<RowGroup> rowGroups, int manifests, int prunedManifests, long prunedRowGroups) {}

    @Test
    void testRandomManifests()
    {
        System.out.println("Top N of random manifests with seed " + seed);
        for (int round = 0; round < TABLES; round++) {
            RandomManifests manifests = new RandomManifests(random, randomType(random), random.nextBoolean());
            manifests.change();
            for (int query = 0; query < QUERIES; query++) {
                compare(manifests);
            }
        }
        // otherwise the test would compare only complete scans
        assertThat(skippedManifests).isPositive();
    }

    private void compare(RandomManifests manifests)
    {
        TupleDomain<AlbisColumn> predicate = manifests.predicate();
        SortOrder order = SortOrder.values()[random.nextInt(SortOrder.values().length)];
        long limit = random.nextBoolean() ? 1 + random.nextInt(5) : 1 + random.nextInt(400);
        boolean counts = random.nextInt(5) > 0;
        AlbisTable table = manifests.load();
        int total = table.version().manifests().size();
        Result result = scan(manifests, table, limit, order, predicate, random.nextBoolean() ? 1 : RowGroupPieces.MIN_ROW_GROUPS, counts);
        assertThat(manifests.manifestsRead()).as("seed %s", seed).isEqualTo(result.manifests());
        assertThat(result.manifests() + result.prunedManifests()).isEqualTo(total);
        assertThat(result.rowGroups().size() + result.prunedRowGroups()).isEqualTo(table.rowGroups().size());
        skippedManifests += result.prunedManifests();

        Type type = manifests.key().type();
        SortKeyOrder keys = new SortKeyOrder(type, order);
        List<Block> expected = first(keys, type, limit, manifests.rows(predicate));
        List<Row> scanned = result.rowGroups().stream()
                .flatMap(rowGroup -> manifests.rows(rowGroup.id()).stream())
                .filter(row -> row.matches(manifests.key(), predicate))
                .toList();
        List<Block> actual = first(keys, type, limit, scanned);
        assertThat(actual).as("seed %s: %s rows by %s of %s where %s", seed, limit, order, type, predicate).hasSameSizeAs(expected);
        for (int i = 0; i < expected.size(); i++) {
            assertThat(keys.compare(actual.get(i), 0, expected.get(i), 0)).as("seed %s: row %s of %s by %s of %s where %s", seed, i, limit, order, type, predicate).isZero();
        }
    }

    private static List<Block> first(SortKeyOrder order, Type type, long limit, List<Row> rows)
    {
        List<Block> keys = new ArrayList<>(rows.stream().<Block>map(row -> writeNativeValue(type, row.key())).toList());
        keys.sort((left, right) -> order.compare(left, 0, right, 0));
        return keys.subList(0, (int) min(limit, keys.size()));
    }

    private static Result scan(RandomManifests manifests, AlbisTable table, long limit, SortOrder order, TupleDomain<AlbisColumn> predicate, long minRowGroups, boolean counts)
    {
        RowGroupPieces scan = newScan(manifests, table, limit, order, predicate, minRowGroups, counts);
        List<RowGroup> rowGroups = new ArrayList<>();
        int read = 0;
        int pruned = 0;
        long prunedRowGroups = 0;
        while (!scan.isFinished()) {
            ManifestSelection piece = scan.next(predicate);
            rowGroups.addAll(piece.rowGroups());
            read += piece.manifests();
            pruned += piece.prunedManifests();
            prunedRowGroups += piece.prunedRowGroups();
        }
        return new Result(rowGroups, read, pruned, prunedRowGroups);
    }

    private static RowGroupPieces newScan(RandomManifests manifests, AlbisTable table, long limit, SortOrder order, TupleDomain<AlbisColumn> predicate, long minRowGroups, boolean counts)
    {
        Type type = manifests.key().type();
        TopN topN = new TopN(limit, new AlbisColumnHandle(manifests.key().id(), manifests.key().name(), type), order, false);
        Domain keys = predicate.getDomains().orElseThrow().getOrDefault(manifests.key(), Domain.all(type));
        TopNParts parts = new TopNParts(topN, type.equals(DOUBLE) && keys.getValues().isAll(), new RowGroupPredicate(predicate));
        return new TopNScan(table.scan(minRowGroups, parts.manifestOrder()), parts, counts);
    }

    /**
     * The bounds and counts of manifests show which of them have the first rows, before any is read.
     */
    @Test
    void testSortedTable()
    {
        RandomManifests manifests = new RandomManifests(random, BIGINT, false);
        for (int commit = 0; commit < 5; commit++) {
            manifests.append(60, true, 40);
        }
        assertThat(manifests.load().version().manifests()).hasSizeGreaterThan(10);
        for (SortOrder order : List.of(DESC_NULLS_LAST, ASC_NULLS_LAST)) {
            Result result = scan(manifests, manifests.load(), 3, order, TupleDomain.all(), RowGroupPieces.MIN_ROW_GROUPS, true);
            assertThat(manifests.manifestsRead()).as("seed %s", seed).isBetween(1, 3);
            assertThat(result.rowGroups()).hasSizeBetween(1, 10);
        }
    }

    /**
     * If the bounds decide about no row, the first piece is still read alone.
     */
    @Test
    void testFirstPiece()
    {
        RandomManifests manifests = new RandomManifests(random, BIGINT, false);
        for (int commit = 0; commit < 5; commit++) {
            manifests.append(60, false, 5000);
        }
        AlbisTable table = manifests.load();
        TupleDomain<AlbisColumn> predicate = TupleDomain.withColumnDomains(ImmutableMap.of(NUMBER, Domain.singleValue(BIGINT, 1L)));
        RowGroupPieces scan = newScan(manifests, table, 3, DESC_NULLS_LAST, predicate, 20, true);
        ManifestSelection first = scan.next(predicate);
        assertThat(first.rowGroups()).as("seed %s", seed).isNotEmpty();
        assertThat(manifests.manifestsRead()).isEqualTo(first.manifests()).isLessThan(table.version().manifests().size());
        assertThat(scan.isFinished()).isFalse();
    }
}
