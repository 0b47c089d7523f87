package io.albis.trino.history;

import java.net.URI;
import java.util.Optional;

/**
 * A server on which clients run statements.
 */
interface HistoryServer
        extends AutoCloseable
{
    String name();

    /**
     * Returns the address, or empty if the server is not running.
     */
    Optional<URI> uri();

    void start();

    /**
     * Kills the server in the middle of everything, and starts it again.
     */
    void killAndRestart();

    @Override
    void close();
}
