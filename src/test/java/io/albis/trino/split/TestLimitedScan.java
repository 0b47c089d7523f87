package io.albis.trino.split;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.DeletedRows;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.type.StoredValues;
import io.albis.table.partition.RowGroupPredicate;
import io.albis.table.version.ManifestSelection;
import io.albis.table.version.RowGroupPieces;
import io.albis.table.version.SinglePiece;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.predicate.ValueSet;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.LongStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.format.statistics.ValueOrder.ASCENDING;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static org.assertj.core.api.Assertions.assertThat;

final class TestLimitedScan
{
    private static final AlbisColumn COLUMN = new AlbisColumn(1, "n", BIGINT);

    @Test
    void testWholeTable()
    {
        assertThat(count(TupleDomain.all(), 1, rowGroups())).isEqualTo(1);
        assertThat(count(TupleDomain.all(), 10, rowGroups())).isEqualTo(1);
        assertThat(count(TupleDomain.all(), 11, rowGroups())).isEqualTo(2);
        assertThat(count(TupleDomain.all(), 50, rowGroups())).isEqualTo(5);
        assertThat(count(TupleDomain.all(), Long.MAX_VALUE, rowGroups())).isEqualTo(5);
        assertThat(count(TupleDomain.all(), 1, ImmutableList.of())).isEqualTo(0);
    }

    /**
     * The second row group has rows that match and others that do not. It is needed only if the ones after it do not
     * have enough rows.
     */
    @Test
    void testPredicate()
    {
        TupleDomain<AlbisColumn> predicate = TupleDomain.withColumnDomains(ImmutableMap.of(COLUMN, Domain.create(ValueSet.ofRanges(Range.greaterThan(BIGINT, 15L)), false)));
        List<RowGroup> rowGroups = rowGroups();
        assertThat(needed(predicate, 1, rowGroups)).containsExactly(rowGroups.get(2));
        assertThat(needed(predicate, 11, rowGroups)).containsExactly(rowGroups.get(2), rowGroups.get(3));
        assertThat(needed(predicate, 31, rowGroups)).containsExactly(rowGroups.get(2), rowGroups.get(3), rowGroups.get(4), rowGroups.get(0), rowGroups.get(1));
    }

    @Test
    void testDeletedRows()
    {
        List<RowGroup> rowGroups = rowGroups().stream()
                .map(rowGroup -> rowGroup.withDeletedRows(new DeletedRows(UUID.randomUUID(), 100, 10, 0, 9)))
                .collect(toImmutableList());
        assertThat(count(TupleDomain.all(), 3, rowGroups)).isEqualTo(3);
    }

    /**
     * The pieces after enough rows are not read.
     */
    @Test
    void testPieces()
    {
        List<RowGroup> rowGroups = rowGroups();
        Pieces pieces = new Pieces(rowGroups.stream().map(ImmutableList::of).collect(toImmutableList()));
        RowGroupPieces scan = new LimitedScan(pieces, 15, new RowGroupPredicate(TupleDomain.all()));
        assertThat(scan.next(TupleDomain.all())).isEqualTo(new ManifestSelection(rowGroups.subList(0, 1), 1, 0, 0));
        assertThat(scan.isFinished()).isFalse();
        assertThat(scan.next(TupleDomain.all())).isEqualTo(new ManifestSelection(rowGroups.subList(1, 2), 1, 3, 3));
        assertThat(scan.isFinished()).isTrue();
        assertThat(pieces.read).isEqualTo(2);
    }

    private static int count(TupleDomain<AlbisColumn> predicate, long limit, List<RowGroup> rowGroups)
    {
        List<RowGroup> needed = needed(predicate, limit, rowGroups);
        assertThat(needed).isEqualTo(rowGroups.subList(0, needed.size()));
        return needed.size();
    }

    private static List<RowGroup> needed(TupleDomain<AlbisColumn> predicate, long limit, List<RowGroup> rowGroups)
    {
        ManifestSelection limited = new LimitedScan(new SinglePiece(_ -> new ManifestSelection(rowGroups, 2, 1, 7)), limit, new RowGroupPredicate(predicate)).next(TupleDomain.all());
        assertThat(limited.manifests()).isEqualTo(2);
        assertThat(limited.prunedManifests()).isEqualTo(1);
        // each row group has a split, or counts as pruned
        assertThat(limited.prunedRowGroups() + limited.rowGroups().size()).isEqualTo(7 + rowGroups.size());
        return limited.rowGroups();
    }

    private static final class Pieces
            implements RowGroupPieces
    {
        private final List<List<RowGroup>> pieces;
        private int next;
        private int read;

        private Pieces(List<List<RowGroup>> pieces)
        {
            this.pieces = pieces;
        }

        @Override
        public boolean isFinished()
        {
            return next == pieces.size();
        }

        @Override
        public ManifestSelection next(TupleDomain<AlbisColumn> predicate)
        {
            read++;
            next++;
            return new ManifestSelection(pieces.get(next - 1), 1, 0, 0);
        }

        @Override
        public ManifestSelection skip()
        {
            int skipped = pieces.size() - next;
            next = pieces.size();
            return new ManifestSelection(ImmutableList.of(), 0, skipped, skipped);
        }
    }

    /**
     * Returns five row groups with ten rows each, which have the numbers from 1 to 50.
     */
    private static List<RowGroup> rowGroups()
    {
        return LongStream.range(0, 5)
                .mapToObj(index -> new RowGroup(
                        UUID.randomUUID(),
                        10,
                        ImmutableList.of(new ColumnGroupInstance(UUID.randomUUID(), ImmutableList.of(1), 100, 100)),
                        ImmutableList.of(new ColumnStatistics(1, 0, ASCENDING, bound(10 * index + 1), bound(10 * index + 10)))))
                .collect(toImmutableList());
    }

    private static Optional<byte[]> bound(long value)
    {
        return Optional.of(StoredValues.toBytes(writeNativeValue(BIGINT, value), 0));
    }
}
