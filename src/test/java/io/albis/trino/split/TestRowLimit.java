package io.albis.trino.split;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.DeletedRows;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.type.StoredValues;
import io.albis.table.version.ManifestSelection;
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

final class TestRowLimit
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

    @Test
    void testPredicate()
    {
        // the second row group has rows that match and others that do not
        TupleDomain<AlbisColumn> predicate = TupleDomain.withColumnDomains(ImmutableMap.of(COLUMN, Domain.create(ValueSet.ofRanges(Range.greaterThan(BIGINT, 15L)), false)));
        assertThat(count(predicate, 1, rowGroups())).isEqualTo(3);
        assertThat(count(predicate, 11, rowGroups())).isEqualTo(4);
    }

    @Test
    void testDeletedRows()
    {
        List<RowGroup> rowGroups = rowGroups().stream()
                .map(rowGroup -> rowGroup.withDeletedRows(new DeletedRows(UUID.randomUUID(), 100, 10, 0, 9)))
                .collect(toImmutableList());
        assertThat(count(TupleDomain.all(), 3, rowGroups)).isEqualTo(3);
    }

    private static int count(TupleDomain<AlbisColumn> predicate, long limit, List<RowGroup> rowGroups)
    {
        ManifestSelection limited = new RowLimit(limit, predicate).apply(new ManifestSelection(rowGroups, 2, 1, 7));
        assertThat(limited.manifests()).isEqualTo(2);
        assertThat(limited.prunedManifests()).isEqualTo(1);
        // each row group has a split, or counts as pruned
        assertThat(limited.prunedRowGroups() + limited.rowGroups().size()).isEqualTo(7 + rowGroups.size());
        assertThat(limited.rowGroups()).isEqualTo(rowGroups.subList(0, limited.rowGroups().size()));
        return limited.rowGroups().size();
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
