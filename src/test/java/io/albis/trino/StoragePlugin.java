package io.albis.trino;

import com.google.common.collect.ImmutableList;
import io.albis.trino.relation.QueryReads;
import io.trino.filesystem.TrinoFileSystemFactory;
import io.trino.spi.Plugin;
import io.trino.spi.connector.Connector;
import io.trino.spi.connector.ConnectorContext;
import io.trino.spi.connector.ConnectorFactory;

import java.util.Map;

import static java.util.Objects.requireNonNull;

/**
 * The plugin with a storage of its own, whatever the properties of a catalog say.
 */
public record StoragePlugin(TrinoFileSystemFactory fileSystems)
        implements Plugin
{
    public StoragePlugin
    {
        requireNonNull(fileSystems, "fileSystems is null");
    }

    @Override
    public Iterable<ConnectorFactory> getConnectorFactories()
    {
        QueryReads queryReads = new QueryReads();
        return ImmutableList.of(new ConnectorFactory()
        {
            @Override
            public String getName()
            {
                return AlbisConnectorFactory.CONNECTOR_NAME;
            }

            @Override
            public Connector create(String catalogName, Map<String, String> config, ConnectorContext context)
            {
                return AlbisConnectorFactory.create(catalogName, config, context, binder -> binder.bind(TrinoFileSystemFactory.class).toInstance(fileSystems), queryReads);
            }
        });
    }
}
