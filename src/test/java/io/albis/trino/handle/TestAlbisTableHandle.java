package io.albis.trino.handle;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.trino.spi.connector.SortOrder;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import org.junit.jupiter.api.Test;

import java.util.Optional;
import java.util.UUID;

import static io.trino.spi.type.BigintType.BIGINT;
import static org.assertj.core.api.Assertions.assertThat;

final class TestAlbisTableHandle
{
    private static final AlbisColumnHandle A = new AlbisColumnHandle(1, "a", BIGINT);
    private static final AlbisColumnHandle B = new AlbisColumnHandle(2, "b", BIGINT);
    private static final AlbisTableHandle TABLE = new AlbisTableHandle("s", "t", UUID.randomUUID(), "memory:///t", 1, TupleDomain.all(), TupleDomain.all());

    /**
     * EXPLAIN shows by which columns a scan may use indexes, and by which it leaves out manifests.
     */
    @Test
    void testText()
    {
        AlbisTableHandle filtered = TABLE.withPredicate(equal(A), equal(B)).withIndexed(ImmutableSet.of(1));
        assertThat(filtered).hasToString("s.t version=1 constraint on [a] prune by [b] indexes on [a]");
        assertThat(filtered.withBounded(ImmutableSet.of(2, 3))).hasToString("s.t version=1 constraint on [a] prune by [b] indexes on [a] manifest bounds on [b]");
        assertThat(TABLE.withBounded(ImmutableSet.of(1, 2))).hasToString("s.t version=1");
        AlbisTableHandle first = TABLE.withPredicate(equal(A), TupleDomain.all()).withTopN(Optional.of(new TopN(10, B, SortOrder.ASC_NULLS_LAST, false)));
        assertThat(first.withBounded(ImmutableSet.of(1, 2))).hasToString("s.t version=1 constraint on [a] manifest bounds on [a, b] topN=10 by [b ASC NULLS LAST]");
        MetadataAnswer answer = new MetadataAnswer(ImmutableList.of("count(*)"), 3);
        assertThat(TABLE.withBounded(ImmutableSet.of(1)).withAnswer(answer, ImmutableSet.of())).hasToString("s.t version=1 answered from metadata [count(*)]");
    }

    private static TupleDomain<AlbisColumnHandle> equal(AlbisColumnHandle column)
    {
        return TupleDomain.withColumnDomains(ImmutableMap.of(column, Domain.singleValue(BIGINT, 5L)));
    }
}
