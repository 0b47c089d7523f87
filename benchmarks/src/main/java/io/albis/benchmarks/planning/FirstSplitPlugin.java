package io.albis.benchmarks.planning;

import com.google.common.collect.ImmutableList;
import io.albis.trino.AlbisConnectorFactory;
import io.trino.spi.Plugin;
import io.trino.spi.connector.Connector;
import io.trino.spi.connector.ConnectorContext;
import io.trino.spi.connector.ConnectorFactory;

import java.util.Map;

import static java.util.Objects.requireNonNull;

/**
 * The plugin of Albis, whose splits have no rows.
 */
public record FirstSplitPlugin(FirstSplit firstSplit)
        implements Plugin
{
    public FirstSplitPlugin
    {
        requireNonNull(firstSplit, "firstSplit is null");
    }

    @Override
    public Iterable<ConnectorFactory> getConnectorFactories()
    {
        return ImmutableList.of(new Factory(new AlbisConnectorFactory(), firstSplit));
    }

    private record Factory(ConnectorFactory albis, FirstSplit firstSplit)
            implements ConnectorFactory
    {
        @Override
        public String getName()
        {
            return albis.getName();
        }

        @Override
        public Connector create(String catalogName, Map<String, String> config, ConnectorContext context)
        {
            return new FirstSplitConnector(albis.create(catalogName, config, context), firstSplit);
        }
    }
}
