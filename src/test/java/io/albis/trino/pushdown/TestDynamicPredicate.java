package io.albis.trino.pushdown;

import com.google.common.collect.ImmutableMap;
import io.albis.format.schema.AlbisColumn;
import io.albis.trino.handle.AlbisColumnHandle;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.stream.LongStream;

import static io.airlift.slice.Slices.utf8Slice;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static io.trino.type.JsonType.JSON;
import static org.assertj.core.api.Assertions.assertThat;

final class TestDynamicPredicate
{
    private static final AlbisColumnHandle KEY = new AlbisColumnHandle(1, "key", BIGINT);
    private static final AlbisColumnHandle NAME = new AlbisColumnHandle(2, "name", VARCHAR);
    private static final AlbisColumnHandle DOCUMENT = new AlbisColumnHandle(3, "document", JSON);
    private static final ColumnHandle FOREIGN = new ColumnHandle() {};

    private final SettableDynamicFilter filter = new SettableDynamicFilter();
    private final DynamicPredicate predicate = new DynamicPredicate(filter);

    @Test
    void testNarrows()
    {
        assertThat(predicate.get().isAll()).isTrue();
        filter.set(TupleDomain.withColumnDomains(ImmutableMap.of(KEY, Domain.singleValue(BIGINT, 7L))));
        assertThat(predicate.get()).isEqualTo(TupleDomain.withColumnDomains(ImmutableMap.of(KEY.toColumn(), Domain.singleValue(BIGINT, 7L))));
        filter.set(TupleDomain.none());
        assertThat(predicate.get().isNone()).isTrue();
    }

    @Test
    void testSameObjectUntilItChanges()
    {
        filter.set(TupleDomain.withColumnDomains(ImmutableMap.of(KEY, Domain.singleValue(BIGINT, 7L), FOREIGN, Domain.singleValue(BIGINT, 8L))));
        TupleDomain<AlbisColumn> first = predicate.get();
        assertThat(predicate.get()).isSameAs(first);
        filter.set(TupleDomain.withColumnDomains(ImmutableMap.of(KEY, Domain.singleValue(BIGINT, 7L), NAME, Domain.singleValue(VARCHAR, utf8Slice("x")))));
        assertThat(predicate.get()).isNotEqualTo(first);
    }

    @Test
    void testWhatTheReaderCannotEvaluate()
    {
        filter.set(TupleDomain.withColumnDomains(ImmutableMap.of(
                FOREIGN, Domain.singleValue(BIGINT, 7L),
                DOCUMENT, Domain.singleValue(JSON, utf8Slice("{}")))));
        assertThat(predicate.get().isAll()).isTrue();
        filter.set(TupleDomain.withColumnDomains(ImmutableMap.of(
                KEY, Domain.singleValue(BIGINT, 7L),
                FOREIGN, Domain.singleValue(BIGINT, 7L),
                DOCUMENT, Domain.notNull(JSON))));
        assertThat(predicate.get()).isEqualTo(TupleDomain.withColumnDomains(ImmutableMap.of(
                KEY.toColumn(), Domain.singleValue(BIGINT, 7L),
                DOCUMENT.toColumn(), Domain.notNull(JSON))));
    }

    @Test
    void testManyValuesStay()
    {
        List<Long> values = LongStream.range(0, 50_000).map(value -> 3 * value).boxed().toList();
        Domain domain = Domain.multipleValues(BIGINT, values);
        filter.set(TupleDomain.withColumnDomains(ImmutableMap.of(KEY, domain)));
        assertThat(predicate.get().getDomains().orElseThrow().get(KEY.toColumn())).isSameAs(domain);
    }
}
