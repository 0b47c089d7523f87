package io.albis.benchmarks.server;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;

import java.util.List;
import java.util.Map;

import static java.util.Objects.requireNonNull;

/**
 * The session of a statement.
 */
record StatementSession(String catalog, String schema, List<SessionProperty> properties)
{
    public StatementSession
    {
        requireNonNull(catalog, "catalog is null");
        requireNonNull(schema, "schema is null");
        properties = ImmutableList.copyOf(properties);
    }

    /**
     * Returns the properties as a client sends them. Those of a catalog begin with its name, and the last value counts.
     */
    public Map<String, String> clientProperties()
    {
        ImmutableMap.Builder<String, String> values = ImmutableMap.builder();
        for (SessionProperty property : properties) {
            values.put(property.catalog().map(name -> name + ".").orElse("") + property.name(), property.value());
        }
        return values.buildKeepingLast();
    }
}
