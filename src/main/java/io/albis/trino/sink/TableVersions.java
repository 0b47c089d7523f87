package io.albis.trino.sink;

import io.albis.table.version.AlbisTable;
import io.albis.trino.handle.AlbisTableHandle;
import io.trino.spi.connector.ConnectorSession;

/**
 * Loads the versions of tables that handles name, on any node.
 */
public interface TableVersions
{
    /**
     * @throws io.trino.spi.TrinoException if the version cannot be loaded
     */
    AlbisTable load(ConnectorSession session, AlbisTableHandle handle);
}
