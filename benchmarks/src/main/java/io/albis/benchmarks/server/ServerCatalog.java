package io.albis.benchmarks.server;

import com.google.common.collect.ImmutableMap;

import java.util.Map;

import static java.util.Objects.requireNonNull;

/**
 * A catalog of a server.
 *
 * @param properties properties that a catalog file would contain, without the name of the connector
 */
record ServerCatalog(String name, String connector, Map<String, String> properties)
{
    public ServerCatalog
    {
        requireNonNull(name, "name is null");
        requireNonNull(connector, "connector is null");
        properties = ImmutableMap.copyOf(properties);
    }
}
