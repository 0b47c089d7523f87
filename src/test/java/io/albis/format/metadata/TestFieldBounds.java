package io.albis.format.metadata;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.ElementAccess;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.statistics.ValueOrder;
import io.albis.format.type.FieldIds;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.ArrayType;
import io.trino.spi.type.Type;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.IntegerType.INTEGER;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Bounds of fields prune row groups, and never those of other values.
 */
final class TestFieldBounds
{
    private static final UUID ID = UUID.randomUUID();
    // the field of column 1 has values from 5 to 9, that of column 2 from 1 to 2
    private static final RowGroup ROW_GROUP = rowGroup(ImmutableList.of(1), ImmutableList.of(2))
            .withFieldBounds(bounds(statistics(1, 2, 5, 9), ImmutableList.of(4), statistics(2, 0, 1, 2), ImmutableList.of(4, 1)));

    @Test
    void testPruning()
    {
        assertThat(mayContain(ROW_GROUP, 1, INTEGER, 5, 4)).isTrue();
        assertThat(mayContain(ROW_GROUP, 1, INTEGER, 10, 4)).isFalse();
        assertThat(mayContain(ROW_GROUP, 2, INTEGER, 2, 4, 1)).isTrue();
        assertThat(mayContain(ROW_GROUP, 2, INTEGER, 5, 4, 1)).isFalse();
        // other fields
        assertThat(mayContain(ROW_GROUP, 1, INTEGER, 10, 5)).isTrue();
        assertThat(mayContain(ROW_GROUP, 1, INTEGER, 10, 4, 1)).isTrue();
        assertThat(mayContain(ROW_GROUP, 2, INTEGER, 10, 4)).isTrue();
        // other types of the field
        assertThat(mayContain(ROW_GROUP, 1, BIGINT, 10, 4)).isFalse();
        assertThat(StatisticsDomains.overlaps(ROW_GROUP, TupleDomain.withColumnDomains(ImmutableMap.of(field(1, DOUBLE, 4), Domain.singleValue(DOUBLE, 10.0))))).isTrue();
        // nulls
        assertThat(overlaps(ROW_GROUP, field(1, INTEGER, 4), Domain.onlyNull(INTEGER))).isTrue();
        assertThat(overlaps(ROW_GROUP, field(2, INTEGER, 4, 1), Domain.onlyNull(INTEGER))).isFalse();
        assertThat(StatisticsDomains.containsAll(ROW_GROUP, TupleDomain.withColumnDomains(ImmutableMap.of(field(2, INTEGER, 4, 1), Domain.notNull(INTEGER))))).isTrue();
        assertThat(StatisticsDomains.containsAll(ROW_GROUP, TupleDomain.withColumnDomains(ImmutableMap.of(field(1, INTEGER, 4), Domain.notNull(INTEGER))))).isFalse();
    }

    /**
     * Elements are other values than the field with the same path.
     */
    @Test
    void testElements()
    {
        AlbisColumn arrays = new AlbisColumn(1, "r.a", new ArrayType(INTEGER), Optional.empty(), FieldIds.of(new ArrayType(INTEGER)), List.of(4));
        assertThat(overlaps(ROW_GROUP, arrays.elements(ElementAccess.arrayElement(1)), Domain.singleValue(INTEGER, 10L))).isTrue();
    }

    @Test
    void testNullColumn()
    {
        RowGroup allNull = ROW_GROUP.withStatistics(ImmutableList.of(new ColumnStatistics(1, 10, ValueOrder.UNORDERED, Optional.empty(), Optional.empty())));
        assertThat(mayContain(allNull, 1, INTEGER, 5, 4)).isFalse();
        assertThat(overlaps(allNull, field(1, INTEGER, 4), Domain.onlyNull(INTEGER))).isTrue();
        assertThat(mayContain(allNull, 2, INTEGER, 5, 4, 1)).isTrue();
    }

    @Test
    void testRewrittenColumns()
    {
        RowGroup rewritten = ROW_GROUP.withRewritten(rowGroup(ImmutableList.of(1)).withFieldBounds(bounds(statistics(1, 0, 100, 200), ImmutableList.of(4))));
        assertThat(mayContain(rewritten, 1, INTEGER, 5, 4)).isFalse();
        assertThat(mayContain(rewritten, 1, INTEGER, 150, 4)).isTrue();
        assertThat(mayContain(rewritten, 2, INTEGER, 5, 4, 1)).isFalse();
        // a writer that does not know bounds of fields
        RowGroup unknown = ROW_GROUP.withRewritten(rowGroup(ImmutableList.of(1)));
        assertThat(mayContain(unknown, 1, INTEGER, 150, 4)).isTrue();
        assertThat(mayContain(unknown, 2, INTEGER, 5, 4, 1)).isFalse();
        assertThat(unknown.fieldBounds().paths()).containsExactly(ImmutableList.of(4, 1));
        // a dropped column
        RowGroup dropped = ROW_GROUP.withColumns(Set.of(2));
        assertThat(dropped.fieldBounds()).isEqualTo(bounds(statistics(2, 0, 1, 2), ImmutableList.of(4, 1)));
        // deletes and versions change nothing
        assertThat(ROW_GROUP.addedBy(7).withDeletedRows(new DeletedRows(UUID.randomUUID(), 32, 10, 0, 3)).withoutDeletedRows().fieldBounds()).isEqualTo(ROW_GROUP.fieldBounds());
        assertThat(ROW_GROUP.withPartition(ImmutableList.of()).fieldBounds()).isEqualTo(ROW_GROUP.fieldBounds());
    }

    private static boolean mayContain(RowGroup rowGroup, int columnId, Type type, long value, Integer... path)
    {
        return overlaps(rowGroup, field(columnId, type, path), Domain.singleValue(type, value));
    }

    private static boolean overlaps(RowGroup rowGroup, AlbisColumn column, Domain domain)
    {
        return StatisticsDomains.overlaps(rowGroup, TupleDomain.withColumnDomains(ImmutableMap.of(column, domain)));
    }

    private static AlbisColumn field(int columnId, Type type, Integer... path)
    {
        return new AlbisColumn(columnId, "field", type, Optional.empty(), FieldIds.NONE, List.of(path));
    }

    @SafeVarargs
    private static RowGroup rowGroup(List<Integer>... columnGroups)
    {
        ImmutableList.Builder<ColumnGroupInstance> instances = ImmutableList.builder();
        for (List<Integer> columnIds : columnGroups) {
            instances.add(new ColumnGroupInstance(UUID.randomUUID(), columnIds, 100, 50));
        }
        return new RowGroup(ID, 10, instances.build(), ImmutableList.of());
    }

    private static FieldBounds bounds(ColumnStatistics statistics, List<Integer> path)
    {
        FieldBounds.Builder bounds = new FieldBounds.Builder();
        bounds.add(path, statistics);
        return bounds.build();
    }

    private static FieldBounds bounds(ColumnStatistics first, List<Integer> firstPath, ColumnStatistics second, List<Integer> secondPath)
    {
        FieldBounds.Builder bounds = new FieldBounds.Builder();
        bounds.add(firstPath, first);
        bounds.add(secondPath, second);
        return bounds.build();
    }

    private static ColumnStatistics statistics(int columnId, long nulls, int min, int max)
    {
        return new ColumnStatistics(columnId, nulls, ValueOrder.UNORDERED, Optional.of(bytes(min)), Optional.of(bytes(max)))
                .withBoundsType(INTEGER.getTypeId().getId());
    }

    private static byte[] bytes(int value)
    {
        return new byte[] {(byte) value, (byte) (value >> 8), (byte) (value >> 16), (byte) (value >> 24)};
    }
}
