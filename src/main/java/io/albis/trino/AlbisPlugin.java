package io.albis.trino;

import com.google.common.collect.ImmutableList;
import io.trino.spi.Plugin;
import io.trino.spi.connector.ConnectorFactory;

/**
 * The plugin that a Trino server loads. It provides the connector factory.
 */
public class AlbisPlugin
        implements Plugin
{
    @Override
    public Iterable<ConnectorFactory> getConnectorFactories()
    {
        return ImmutableList.of(new AlbisConnectorFactory());
    }
}
