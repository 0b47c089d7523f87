package io.albis.table.partition;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.PartitionValue;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.table.model.PartitionField;
import io.albis.table.model.PartitionTransform;
import io.trino.spi.Page;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.predicate.ValueSet;
import org.junit.jupiter.api.Test;

import java.util.Optional;

import static io.airlift.slice.Slices.utf8Slice;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.model.PartitionTransform.BUCKET;
import static io.albis.table.model.PartitionTransform.IDENTITY;
import static io.albis.table.model.PartitionTransform.TRUNCATE;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The row groups have the id 0, which is its bound, and a name without bounds.
 */
final class TestRowGroupPredicate
{
    private static final AlbisColumn ID = new AlbisColumn(1, "id", BIGINT);
    private static final AlbisColumn NAME = new AlbisColumn(2, "name", VARCHAR);

    @Test
    void testBoundsAndPartition()
    {
        RowGroup rowGroup = oneRow().withPartition(ImmutableList.of(name(IDENTITY, 0, "abc")));
        assertDecision(predicate(0, "abc"), rowGroup, true, true);
        assertDecision(predicate(1, "abc"), rowGroup, false, false);
        assertDecision(predicate(0, "abd"), rowGroup, false, false);
        assertDecision(TupleDomain.all(), rowGroup, true, true);
        assertDecision(TupleDomain.none(), rowGroup, false, false);
    }

    /**
     * Not all rows with the same function have the same value.
     */
    @Test
    void testOtherFunctions()
    {
        RowGroup rowGroup = oneRow().withPartition(ImmutableList.of(name(TRUNCATE, 2, "ab")));
        assertDecision(predicate(0, "abc"), rowGroup, true, false);
        assertDecision(predicate(0, "ac"), rowGroup, false, false);
        assertDecision(TupleDomain.withColumnDomains(ImmutableMap.of(NAME, Domain.create(ValueSet.all(VARCHAR), false))), rowGroup, true, false);
    }

    /**
     * Each value says which function it has. So the functions can be those of another time than the others, and need
     * not be the same for all row groups.
     */
    @Test
    void testChangedFunctions()
    {
        RowGroupPredicate predicate = new RowGroupPredicate(TupleDomain.withColumnDomains(ImmutableMap.of(NAME, Domain.singleValue(VARCHAR, utf8Slice("abc")))));
        for (int buckets : new int[] {1, 5, 16, 5}) {
            PartitionValue same = bucket(buckets, "abc");
            assertThat(predicate.overlaps(oneRow().withPartition(ImmutableList.of(same)))).isTrue();
            assertThat(predicate.overlaps(oneRow().withPartition(ImmutableList.of(name(TRUNCATE, 1, "a"), same)))).isTrue();
            assertThat(predicate.overlaps(oneRow().withPartition(ImmutableList.of(same, name(TRUNCATE, 1, "b"))))).isFalse();
            assertThat(predicate.overlaps(oneRow().withPartition(ImmutableList.of(bucket(buckets, "d"))))).isEqualTo(bucket(buckets, "d").equals(same));
        }
        assertDecision(predicate(0, "abc"), oneRow().withPartition(ImmutableList.of(bucket(5, "abc"), name(IDENTITY, 0, "abc"))), true, true);
        // the row group was written before the table was partitioned
        assertDecision(predicate(0, "abc"), oneRow(), true, false);
        assertDecision(predicate(1, "abc"), oneRow(), false, false);
    }

    private static void assertDecision(TupleDomain<AlbisColumn> predicate, RowGroup rowGroup, boolean overlaps, boolean containsAll)
    {
        RowGroupPredicate decision = new RowGroupPredicate(predicate);
        assertThat(decision.overlaps(rowGroup)).isEqualTo(overlaps);
        assertThat(decision.containsAll(rowGroup)).isEqualTo(containsAll);
    }

    private static TupleDomain<AlbisColumn> predicate(long id, String name)
    {
        return TupleDomain.withColumnDomains(ImmutableMap.of(
                ID, Domain.singleValue(BIGINT, id),
                NAME, Domain.multipleValues(VARCHAR, ImmutableList.of(utf8Slice(name), utf8Slice("other")))));
    }

    private static PartitionValue name(PartitionTransform transform, int parameter, String value)
    {
        return new PartitionValue(2, transform.code(), parameter, Optional.of(value.getBytes(UTF_8)));
    }

    private static PartitionValue bucket(int buckets, String value)
    {
        PartitionKeys keys = new PartitionKeys(ImmutableList.of(new PartitionField(2, BUCKET, buckets)), ImmutableList.of(VARCHAR), new int[] {0});
        return keys.values(keys.get(new Page(writeNativeValue(VARCHAR, utf8Slice(value))), 0, PartitionKeys.newBuffer())).getFirst();
    }
}
