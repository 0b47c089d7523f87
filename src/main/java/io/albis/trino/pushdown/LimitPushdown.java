package io.albis.trino.pushdown;

import io.albis.trino.handle.AlbisTableHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.LimitApplicationResult;

import java.util.Optional;
import java.util.OptionalLong;

import static io.albis.trino.config.AlbisSessionProperties.isLimitPushdownEnabled;

/**
 * Accepts limits from the engine, which applies them as well. The scan reads only as many row groups as are needed.
 */
public final class LimitPushdown
{
    private LimitPushdown() {}

    /**
     * Applies a limit to a table handle.
     *
     * @return empty if the limit changes nothing
     */
    public static Optional<LimitApplicationResult<ConnectorTableHandle>> applyLimit(ConnectorSession session, AlbisTableHandle table, long limit)
    {
        // a predicate that only prunes says nothing about the rows that the engine keeps
        boolean counts = table.enforcesAll() && table.topN().isEmpty() && table.answer().isEmpty();
        if (!counts || !isLimitPushdownEnabled(session) || table.limit().orElse(Long.MAX_VALUE) <= limit) {
            return Optional.empty();
        }
        return Optional.of(new LimitApplicationResult<>(table.withLimit(OptionalLong.of(limit)), false, false));
    }
}
