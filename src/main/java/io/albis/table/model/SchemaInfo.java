package io.albis.table.model;

import com.google.common.collect.ImmutableMap;
import io.trino.filesystem.Location;

import java.util.Map;

import static java.util.Objects.requireNonNull;

/**
 * A schema of a warehouse.
 *
 * @param location folder that contains the folders of its tables
 * @param explicitLocation whether the user specified the location
 * @param properties properties by name, as specified in CREATE SCHEMA
 */
public record SchemaInfo(String name, Location location, boolean explicitLocation, Map<String, String> properties)
{
    /**
     * The feature of the files of schemas that were renamed.
     */
    public static final String SCHEMA_RENAME = "schema-rename";

    public SchemaInfo
    {
        requireNonNull(name, "name is null");
        requireNonNull(location, "location is null");
        properties = ImmutableMap.copyOf(properties);
    }
}
