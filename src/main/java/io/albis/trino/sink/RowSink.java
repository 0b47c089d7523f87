package io.albis.trino.sink;

import io.trino.spi.connector.ConnectorPageSink;

/**
 * A sink of new rows.
 */
public interface RowSink
        extends ConnectorPageSink
{
    /**
     * Does a part of the work that {@link #finish} would do at once, after all rows were appended.
     *
     * @return whether there may be more of it
     */
    default boolean advance()
    {
        return false;
    }
}
