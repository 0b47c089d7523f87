package io.albis.trino;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Maps;
import com.google.inject.Module;
import io.albis.trino.relation.QueryReads;
import io.trino.filesystem.TrinoFileSystemFactory;
import io.trino.spi.Plugin;
import io.trino.spi.connector.Connector;
import io.trino.spi.connector.ConnectorContext;
import io.trino.spi.connector.ConnectorFactory;

import java.util.Map;
import java.util.function.Supplier;

import static java.util.Objects.requireNonNull;

/**
 * The plugin with a storage of its own, whatever the properties of a catalog say.
 *
 * @param storage returns what binds the factory of file systems of a new catalog. It may also bind the local folder
 */
public record StoragePlugin(Supplier<Module> storage)
        implements Plugin
{
    /**
     * A property without a meaning. The engine may reuse a dropped catalog for a new one with the same properties.
     */
    public static final String NUMBER = "test.number";

    public StoragePlugin
    {
        requireNonNull(storage, "storage is null");
    }

    public StoragePlugin(TrinoFileSystemFactory fileSystems)
    {
        this(() -> binder -> binder.bind(TrinoFileSystemFactory.class).toInstance(fileSystems));
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
                Map<String, String> properties = Maps.filterKeys(config, name -> !name.equals(NUMBER));
                return AlbisConnectorFactory.create(catalogName, properties, context, storage.get(), queryReads);
            }
        });
    }
}
