package io.albis.trino.history;

import java.net.URI;
import java.util.Optional;
import java.util.Random;
import java.util.function.BooleanSupplier;

/**
 * A server on which clients run statements.
 */
interface HistoryServer
        extends AutoCloseable
{
    /**
     * A connection to a server until it is killed.
     *
     * @param broken whether the server was killed although it still answers. Clients must treat what it answers then as
     *         no answer
     */
    record Connection(URI uri, BooleanSupplier broken)
    {
        boolean isBroken()
        {
            return broken.getAsBoolean();
        }
    }

    String name();

    /**
     * Connects a client, or returns empty if the server is not running.
     */
    Optional<Connection> connect();

    /**
     * Returns the address, or empty if the server is not running.
     */
    default Optional<URI> uri()
    {
        return connect().map(Connection::uri);
    }

    void start();

    boolean canBeKilled();

    /**
     * Waits for a time at which it is worthwhile to kill the server, but not long.
     */
    default void awaitKill(Random random)
            throws InterruptedException
    {}

    /**
     * Kills the server in the middle of everything, and starts it again.
     *
     * @param random chooses what is left to chance
     */
    void killAndRestart(Random random);

    @Override
    void close();
}
