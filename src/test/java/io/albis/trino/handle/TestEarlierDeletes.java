package io.albis.trino.handle;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.io.FileFrame;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.DeletedRows;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.type.StoredValues;
import io.albis.trino.handle.EarlierDeletes.DeletedRowGroup;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import org.junit.jupiter.api.Test;

import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.format.statistics.ValueOrder.CONSTANT;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static org.assertj.core.api.Assertions.assertThat;

final class TestEarlierDeletes
{
    private static final AlbisColumn COLUMN = AlbisColumn.make(1, "column", BIGINT);
    private static final DeletedRows DELETED = new DeletedRows(new UUID(1, 2), FileFrame.HEADER_SIZE, 100, 7, 5);

    @Test
    void testSelection()
    {
        RowGroup first = rowGroup(1).withDeletedRows(DELETED);
        RowGroup second = rowGroup(2).withDeletedRows(DELETED);
        RowGroup whole = rowGroup(1);
        ImmutableList<RowGroup> all = ImmutableList.of(first, second, whole);
        assertThat(EarlierDeletes.of(all, TupleDomain.all())).isEqualTo(deletes(first, second));
        TupleDomain<AlbisColumn> predicate = TupleDomain.withColumnDomains(ImmutableMap.of(COLUMN, Domain.singleValue(BIGINT, 1L)));
        assertThat(EarlierDeletes.of(all, predicate)).isEqualTo(deletes(first));
        assertThat(EarlierDeletes.of(ImmutableList.of(whole), predicate)).isEqualTo(EarlierDeletes.NONE);
    }

    /**
     * Each task gets up to 10,000 row groups.
     */
    @Test
    void testLimit()
    {
        EarlierDeletes most = deletes(10_000);
        assertThat(most.unlessMany()).contains(most);
        assertThat(most.encode()).hasSizeLessThan(1 << 20);
        assertThat(EarlierDeletes.decode(most.encode())).isEqualTo(most);
        assertThat(deletes(10_001).unlessMany()).isEmpty();
        assertThat(EarlierDeletes.NONE.unlessMany()).contains(EarlierDeletes.NONE);
    }

    private static EarlierDeletes deletes(int count)
    {
        return new EarlierDeletes(IntStream.range(0, count)
                .mapToObj(i -> new DeletedRowGroup(new UUID(3, i), 10, DELETED))
                .collect(toImmutableList()));
    }

    private static EarlierDeletes deletes(RowGroup... rowGroups)
    {
        ImmutableList.Builder<DeletedRowGroup> deletes = ImmutableList.builder();
        for (RowGroup rowGroup : rowGroups) {
            deletes.add(new DeletedRowGroup(rowGroup.id(), rowGroup.rows(), DELETED));
        }
        return new EarlierDeletes(deletes.build());
    }

    private static RowGroup rowGroup(long value)
    {
        Optional<byte[]> bound = Optional.of(StoredValues.toBytes(writeNativeValue(BIGINT, value), 0));
        return new RowGroup(
                UUID.randomUUID(),
                10,
                ImmutableList.of(new ColumnGroupInstance(UUID.randomUUID(), ImmutableList.of(1), 100, 50)),
                ImmutableList.of(new ColumnStatistics(1, 0, CONSTANT, bound, bound).withBoundsType("bigint")));
    }
}
