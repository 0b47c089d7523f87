package io.albis.table.model;

import java.util.Map;

/**
 * How a write into a table is isolated from other writes that are committed while it runs.
 */
public enum IsolationLevel
{
    /**
     * The result is that of some serial order of the writes: a write fails if another one has changed what it read.
     */
    SERIALIZABLE,
    /**
     * A write fails only if another one has changed the same rows.
     */
    SNAPSHOT;

    /**
     * Name of the property in the versions of a table.
     */
    public static final String PROPERTY = "isolation_level";

    /**
     * Returns the isolation level of a table.
     *
     * @param properties properties of a version; a value that this version of Albis does not know means SERIALIZABLE
     */
    public static IsolationLevel of(Map<String, String> properties)
    {
        return SNAPSHOT.name().equals(properties.get(PROPERTY)) ? SNAPSHOT : SERIALIZABLE;
    }
}
