package io.albis.trino.engine;

import com.google.common.collect.ImmutableList;
import io.trino.spi.Plugin;
import io.trino.spi.connector.Connector;
import io.trino.spi.connector.ConnectorContext;
import io.trino.spi.connector.ConnectorFactory;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.session.PropertyMetadata;
import io.trino.spi.transaction.IsolationLevel;

import java.util.List;
import java.util.Map;

/**
 * A connector without tables, for tests that set session properties of a catalog.
 */
final class SessionPropertiesPlugin
        implements Plugin
{
    static final String CONNECTOR_NAME = "session_properties";

    private final List<PropertyMetadata<?>> properties;

    SessionPropertiesPlugin(List<PropertyMetadata<?>> properties)
    {
        this.properties = ImmutableList.copyOf(properties);
    }

    @Override
    public Iterable<ConnectorFactory> getConnectorFactories()
    {
        return ImmutableList.of(new ConnectorFactory()
        {
            @Override
            public String getName()
            {
                return CONNECTOR_NAME;
            }

            @Override
            public Connector create(String catalogName, Map<String, String> configuration, ConnectorContext context)
            {
                return new Connector()
                {
                    @Override
                    public List<PropertyMetadata<?>> getSessionProperties()
                    {
                        return properties;
                    }

                    @Override
                    public ConnectorTransactionHandle beginTransaction(IsolationLevel isolationLevel, boolean readOnly, boolean autoCommit)
                    {
                        return new ConnectorTransactionHandle() {};
                    }

                    @Override
                    public void shutdown() {}
                };
            }
        });
    }
}
