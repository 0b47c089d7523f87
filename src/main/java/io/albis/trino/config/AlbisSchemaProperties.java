package io.albis.trino.config;

import com.google.common.collect.ImmutableList;
import io.trino.spi.session.PropertyMetadata;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import static io.trino.spi.session.PropertyMetadata.stringProperty;

/**
 * What CREATE SCHEMA ... WITH takes.
 */
public class AlbisSchemaProperties
{
    public static final String LOCATION = "location";

    private static final List<PropertyMetadata<?>> PROPERTIES = ImmutableList.of(
            stringProperty(LOCATION, "Folder of the schema's tables; without it a folder of the warehouse", null, false));

    public List<PropertyMetadata<?>> getSchemaProperties()
    {
        return PROPERTIES;
    }

    public static Optional<String> getLocation(Map<String, Object> properties)
    {
        return Optional.ofNullable((String) properties.get(LOCATION));
    }
}
