package io.albis.table;

import com.google.common.collect.ImmutableList;
import io.albis.table.HookedFileSystem.Kind;
import io.albis.table.HookedFileSystem.Operation;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A client in a thread of its own that runs a statement and stops before given operations, so that several clients can
 * be in the middle of their statements.
 */
public final class PausedClient
        implements HookedFileSystem.Hook
{
    private final List<Point> points;
    private final Semaphore stopped = new Semaphore(0);
    private final Semaphore running = new Semaphore(0);
    private final FutureTask<Void> statement;
    // Used by the client alone
    private int next;
    private volatile boolean dead;
    private volatile boolean ended;

    /**
     * An operation of a kind at a location that contains {@code path}.
     */
    public record Point(Kind kind, String path) {}

    private PausedClient(TrinoFileSystem fileSystem, Consumer<Warehouse> statement, List<Point> points)
    {
        this.points = ImmutableList.copyOf(requireNonNull(points, "points is null"));
        Warehouse warehouse = TableFixtures.warehouse(new HookedFileSystem(fileSystem, this));
        this.statement = new FutureTask<>(() -> {
            try {
                statement.accept(warehouse);
            }
            finally {
                ended = true;
                stopped.release();
            }
        }, null);
    }

    /**
     * Runs a statement until it reaches the first of some points. It reaches each of them after the one before.
     */
    public static PausedClient pause(TrinoFileSystem fileSystem, Consumer<Warehouse> statement, Point... points)
    {
        PausedClient client = new PausedClient(fileSystem, statement, ImmutableList.copyOf(points));
        Thread.ofVirtual().start(client.statement);
        client.awaitPoint();
        return client;
    }

    /**
     * Runs the statement until it reaches the next point.
     */
    public void advance()
    {
        running.release();
        awaitPoint();
    }

    private void awaitPoint()
    {
        stopped.acquireUninterruptibly();
        assertThat(ended).as("the statement has ended before it has reached a point").isFalse();
    }

    /**
     * Runs the statement to its end, and throws what it has thrown.
     */
    public void finish()
    {
        running.release(points.size());
        try {
            statement.get();
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) e.getCause();
        }
    }

    /**
     * Fails all further operations of the client, and throws what the statement has thrown.
     */
    public void kill()
    {
        dead = true;
        finish();
    }

    @Override
    public void before(Operation operation)
            throws IOException
    {
        if (next < points.size() && operation.kind() == points.get(next).kind() && operation.location().toString().contains(points.get(next).path())) {
            next++;
            stopped.release();
            running.acquireUninterruptibly();
        }
        if (dead) {
            throw new IOException("The client is dead");
        }
    }
}
