package io.albis.trino.sample;

import io.albis.trino.handle.AlbisTableHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.SampleApplicationResult;
import io.trino.spi.connector.SampleType;

import java.util.Optional;
import java.util.OptionalDouble;

import static io.albis.trino.config.AlbisSessionProperties.isSamplePushdownEnabled;
import static io.trino.spi.connector.SampleType.SYSTEM;

/**
 * Accepts TABLESAMPLE SYSTEM from the engine. The scan reads each row group as a whole or not at all.
 */
public final class SamplePushdown
{
    private SamplePushdown() {}

    /**
     * Applies a sample to a table handle.
     *
     * @param ratio share of the rows, from 0 to 1
     * @return empty if the engine has to sample
     */
    public static Optional<SampleApplicationResult<ConnectorTableHandle>> apply(ConnectorSession session, AlbisTableHandle table, SampleType type, double ratio)
    {
        // BERNOULLI samples rows, for which the engine needs no connector
        if (type != SYSTEM || !table.returnsAllRows() || !isSamplePushdownEnabled(session)) {
            return Optional.empty();
        }
        return Optional.of(new SampleApplicationResult<>(table.withSample(OptionalDouble.of(ratio)), false));
    }
}
