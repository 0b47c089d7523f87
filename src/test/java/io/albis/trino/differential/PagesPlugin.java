package io.albis.trino.differential;

import com.google.common.collect.ImmutableList;
import io.trino.spi.Plugin;
import io.trino.spi.connector.Connector;
import io.trino.spi.connector.ConnectorContext;
import io.trino.spi.connector.ConnectorFactory;

import java.util.Map;

import static java.util.Objects.requireNonNull;

/**
 * Makes pages that this process creates readable in SQL.
 */
final class PagesPlugin
        implements Plugin
{
    static final String CONNECTOR_NAME = "pages";

    private final Map<String, PagesTable> tables;

    /**
     * @param tables tables by name; may change at any time
     */
    PagesPlugin(Map<String, PagesTable> tables)
    {
        this.tables = requireNonNull(tables, "tables is null");
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
            public Connector create(String catalogName, Map<String, String> properties, ConnectorContext context)
            {
                return new PagesConnector(tables);
            }
        });
    }
}
