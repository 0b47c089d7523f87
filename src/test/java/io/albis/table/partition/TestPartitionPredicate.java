package io.albis.table.partition;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.Longs;
import io.albis.format.metadata.PartitionValue;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.table.model.PartitionField;
import io.albis.table.model.PartitionTransform;
import io.trino.spi.Page;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.predicate.ValueSet;
import org.junit.jupiter.api.Test;

import java.util.Optional;

import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.model.PartitionTransform.BUCKET;
import static io.albis.table.model.PartitionTransform.DAY;
import static io.albis.table.model.PartitionTransform.IDENTITY;
import static io.albis.table.model.PartitionTransform.TRUNCATE;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static java.lang.Double.doubleToLongBits;
import static org.assertj.core.api.Assertions.assertThat;

final class TestPartitionPredicate
{
    private static final AlbisColumn KEY = new AlbisColumn(1, "key", BIGINT);
    private static final AlbisColumn NUMBER = new AlbisColumn(2, "number", DOUBLE);

    /**
     * A row group may match a list of values if and only if one of them is in its partition.
     */
    @Test
    void testValues()
    {
        for (PartitionField field : ImmutableList.of(new PartitionField(1, IDENTITY, 0), new PartitionField(1, BUCKET, 5), new PartitionField(1, TRUNCATE, 7))) {
            for (long partition = -20; partition < 20; partition++) {
                RowGroup rowGroup = rowGroup(value(field, partition));
                for (long value = -20; value < 20; value++) {
                    boolean same = value(field, value).equals(value(field, partition));
                    assertThat(new PartitionPredicate(predicate(Domain.singleValue(BIGINT, value))).overlaps(rowGroup)).isEqualTo(same);
                    TupleDomain<AlbisColumn> values = predicate(Domain.multipleValues(BIGINT, ImmutableList.of(value, 1_000_000L)));
                    assertThat(new PartitionPredicate(values).undecided(rowGroup).isAll()).isEqualTo(same && field.transform() == IDENTITY);
                }
                // all values
                assertThat(new PartitionPredicate(predicate(Domain.create(ValueSet.all(BIGINT), false))).overlaps(rowGroup)).isTrue();
                assertThat(new PartitionPredicate(predicate(Domain.onlyNull(BIGINT))).overlaps(rowGroup)).isFalse();
                assertThat(new PartitionPredicate(TupleDomain.all()).overlaps(rowGroup)).isTrue();
            }
        }
    }

    @Test
    void testNull()
    {
        RowGroup rowGroup = rowGroup(new PartitionValue(1, BUCKET.code(), 5, Optional.empty()));
        assertThat(new PartitionPredicate(predicate(Domain.singleValue(BIGINT, 1L))).overlaps(rowGroup)).isFalse();
        assertThat(new PartitionPredicate(predicate(Domain.singleValue(BIGINT, 1L, true))).overlaps(rowGroup)).isTrue();
        assertThat(new PartitionPredicate(predicate(Domain.onlyNull(BIGINT))).overlaps(rowGroup)).isTrue();
    }

    @Test
    void testOtherColumns()
    {
        TupleDomain<AlbisColumn> predicate = TupleDomain.withColumnDomains(ImmutableMap.of(KEY, Domain.singleValue(BIGINT, 1L), NUMBER, Domain.singleValue(DOUBLE, -0.0)));
        PartitionPredicate partitions = new PartitionPredicate(predicate);
        RowGroup rowGroup = rowGroup(new PartitionValue(2, IDENTITY.code(), 0, Optional.of(new byte[Double.BYTES])));
        assertThat(partitions.overlaps(rowGroup)).isTrue();
        assertThat(partitions.undecided(rowGroup)).isEqualTo(predicate(Domain.singleValue(BIGINT, 1L)));
        assertThat(partitions.overlaps(rowGroup())).isTrue();
        assertThat(partitions.undecided(rowGroup())).isEqualTo(predicate);
    }

    @Test
    void testUnknownFunction()
    {
        PartitionPredicate predicate = new PartitionPredicate(predicate(Domain.singleValue(BIGINT, 1L)));
        for (int transform = PartitionTransform.values().length; transform < 256; transform++) {
            assertThat(predicate.overlaps(rowGroup(new PartitionValue(1, transform, 0, Optional.of(new byte[] {1}))))).isTrue();
        }
        assertThat(predicate.overlaps(rowGroup(new PartitionValue(1, BUCKET.code(), 0, Optional.of(new byte[] {1}))))).isTrue();
        // the function does not apply to the type
        assertThat(predicate.overlaps(rowGroup(new PartitionValue(1, DAY.code(), 0, Optional.of(new byte[] {1}))))).isTrue();
    }

    /**
     * The value of a column decides about all conditions. Bounds decide about ranges of other functions.
     */
    @Test
    void testRanges()
    {
        Domain range = Domain.create(ValueSet.ofRanges(Range.greaterThan(BIGINT, 3L)), false);
        for (long value = -20; value < 20; value++) {
            PartitionPredicate predicate = new PartitionPredicate(predicate(range));
            RowGroup rowGroup = rowGroup(value(new PartitionField(1, IDENTITY, 0), value));
            assertThat(predicate.overlaps(rowGroup)).isEqualTo(value > 3);
            assertThat(predicate.undecided(rowGroup).isAll()).isEqualTo(value > 3);
            RowGroup truncated = rowGroup(value(new PartitionField(1, TRUNCATE, 7), value));
            assertThat(predicate.overlaps(truncated)).isTrue();
            assertThat(predicate.undecided(truncated)).isEqualTo(predicate(range));
        }
    }

    @Test
    void testNumbersInRanges()
    {
        Domain positive = Domain.create(ValueSet.ofRanges(Range.greaterThan(DOUBLE, 0.0)), false);
        Domain notNegative = Domain.create(ValueSet.ofRanges(Range.greaterThanOrEqual(DOUBLE, -0.0)), false);
        assertNumber(positive, Double.NaN, false);
        assertNumber(notNegative, Double.NaN, false);
        assertNumber(Domain.notNull(DOUBLE), Double.NaN, true);
        assertNumber(positive, 0.0, false);
        assertNumber(notNegative, 0.0, true);
        assertNumber(positive, Double.MIN_VALUE, true);
        assertNumber(notNegative, Double.NEGATIVE_INFINITY, false);
    }

    private static void assertNumber(Domain domain, double number, boolean matches)
    {
        PartitionPredicate predicate = new PartitionPredicate(TupleDomain.withColumnDomains(ImmutableMap.of(NUMBER, domain)));
        RowGroup rowGroup = rowGroup(new PartitionValue(2, IDENTITY.code(), 0, Optional.of(littleEndian(doubleToLongBits(number)))));
        assertThat(predicate.overlaps(rowGroup)).isEqualTo(matches);
        assertThat(predicate.undecided(rowGroup).isAll()).isEqualTo(matches);
    }

    private static byte[] littleEndian(long value)
    {
        return Longs.toByteArray(Long.reverseBytes(value));
    }

    private static TupleDomain<AlbisColumn> predicate(Domain domain)
    {
        return TupleDomain.withColumnDomains(ImmutableMap.of(KEY, domain));
    }

    private static PartitionValue value(PartitionField field, long value)
    {
        PartitionKeys keys = new PartitionKeys(ImmutableList.of(field), ImmutableList.of(BIGINT), new int[] {0});
        return keys.values(keys.get(new Page(writeNativeValue(BIGINT, value)), 0, PartitionKeys.newBuffer())).getFirst();
    }

    private static RowGroup rowGroup(PartitionValue... partition)
    {
        return oneRow().withPartition(ImmutableList.copyOf(partition));
    }
}
