package io.albis.trino.config;

import com.google.common.collect.ImmutableList;
import io.trino.spi.session.PropertyMetadata;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import static io.trino.spi.session.PropertyMetadata.stringProperty;

/**
 * Schema properties: the properties in the {@code WITH} clause of {@code CREATE SCHEMA}.
 */
public class AlbisSchemaProperties
{
    public static final String LOCATION = "location";

    private static final List<PropertyMetadata<?>> PROPERTIES = ImmutableList.of(
            stringProperty(LOCATION, "Folder of the tables in the schema; the default is a new folder in the warehouse", null, false));

    public List<PropertyMetadata<?>> getSchemaProperties()
    {
        return PROPERTIES;
    }

    /**
     * Returns the location that the user set, or empty if the schema is in the warehouse.
     */
    public static Optional<String> getLocation(Map<String, Object> properties)
    {
        return Optional.ofNullable((String) properties.get(LOCATION));
    }
}
