package io.albis.trino.pushdown;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.trino.config.AlbisConfig;
import io.albis.trino.config.AlbisReadConfig;
import io.albis.trino.config.AlbisSessionProperties;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.handle.MetadataAnswer;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.Constraint;
import io.trino.spi.connector.LimitApplicationResult;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import io.trino.testing.TestingConnectorSession;
import org.junit.jupiter.api.Test;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

import static io.trino.spi.type.BigintType.BIGINT;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What can still be pushed down into a scan that does not return all rows.
 */
final class TestLimitedHandles
{
    private static final AlbisColumnHandle COLUMN = new AlbisColumnHandle(1, "a", BIGINT);
    private static final TupleDomain<AlbisColumnHandle> PREDICATE = TupleDomain.withColumnDomains(ImmutableMap.of(COLUMN, Domain.singleValue(BIGINT, 7L)));
    private static final AlbisTableHandle TABLE = new AlbisTableHandle("s", "t", UUID.randomUUID(), "memory:///t", 1, TupleDomain.all(), TupleDomain.all());
    private static final AlbisTableHandle LIMITED = TABLE.withLimit(OptionalLong.of(10));
    private static final AlbisTableHandle ANSWERED = TABLE.withAnswer(new MetadataAnswer(ImmutableList.of("max(a)"), 3), ImmutableSet.of(1));

    private final ConnectorSession session = TestingConnectorSession.builder()
            .setPropertyMetadata(new AlbisSessionProperties(new AlbisConfig(), new AlbisReadConfig()).getSessionProperties())
            .build();

    @Test
    void testLimit()
    {
        LimitApplicationResult<ConnectorTableHandle> limited = LimitPushdown.applyLimit(session, TABLE, 10).orElseThrow();
        assertThat(limited.getHandle()).isEqualTo(LIMITED);
        assertThat(limited.isLimitGuaranteed()).isFalse();
        // a result without progress would make the optimizer apply the limit in an endless loop
        assertThat(LimitPushdown.applyLimit(session, LIMITED, 10)).isEmpty();
        assertThat(LimitPushdown.applyLimit(session, LIMITED, 11)).isEmpty();
        assertThat(LimitPushdown.applyLimit(session, LIMITED, 9).orElseThrow().getHandle()).isEqualTo(TABLE.withLimit(OptionalLong.of(9)));
        assertThat(LimitPushdown.applyLimit(session, ANSWERED, 9)).isEmpty();
    }

    @Test
    void testLimitOfFilteredRows()
    {
        assertThat(LimitPushdown.applyLimit(session, TABLE.withPredicate(PREDICATE, TupleDomain.all()), 10)).isPresent();
        // the engine may drop some of the rows
        assertThat(LimitPushdown.applyLimit(session, TABLE.withPredicate(TupleDomain.all(), PREDICATE), 10)).isEmpty();
    }

    @Test
    void testFilter()
    {
        assertThat(filter(TABLE)).isPresent();
        assertThat(filter(LIMITED)).isEmpty();
        assertThat(filter(ANSWERED)).isEmpty();
    }

    private Optional<?> filter(AlbisTableHandle table)
    {
        return FilterPushdown.applyFilter(session, table, new Constraint(PREDICATE.transformKeys(ColumnHandle.class::cast)), _ -> true);
    }

    @Test
    void testDescription()
    {
        assertThat(LIMITED).hasToString("s.t version=1 limit=10");
        assertThat(ANSWERED).hasToString("s.t version=1 answered from metadata [max(a)]");
        assertThat(ANSWERED.columns()).contains(ImmutableSet.of(1));
    }
}
