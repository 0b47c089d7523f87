package io.albis.trino.history;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.albis.filesystem.StorageGate;
import jakarta.annotation.PreDestroy;

import java.io.IOException;
import java.util.Random;
import java.util.function.BooleanSupplier;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

/**
 * Everything that a server does to storage until it is killed. From then on, no call of it reaches the storage.
 * <p>
 * A kill finds changes in flight. Chance decides whether such a change was executed, and only its result is lost, or
 * whether it was never executed.
 */
final class Lifetime
        implements StorageGate
{
    // About as many as a statement that writes makes, so that a kill may hit each of them
    private static final int MOST_CHANGES = 40;
    // Changes that the kill waits for, so that most kills find some in flight
    private static final int MOST_IN_FLIGHT = 3;
    // A server is also killed if it changes little or nothing
    private static final int MOST_WAIT_MILLIS = 500;
    private static final int MOST_END_MILLIS = 100;

    private enum Phase
    {
        RUNNING,
        /**
         * The server is about to be killed. Some of the changes that it begins are in flight when this happens.
         */
        ENDING,
        ENDED,
    }

    private enum Fate
    {
        ANSWERED,
        EXECUTED_IN_FLIGHT,
        LOST_IN_FLIGHT,
    }

    @GuardedBy("this")
    private Phase phase = Phase.RUNNING;
    @GuardedBy("this")
    private Random random = new Random(0);
    // Changes until the time of a kill
    @GuardedBy("this")
    private int changesLeft;
    // The changes in flight that the kill still waits for
    @GuardedBy("this")
    private int awaited;
    // Changes until the one that waits for the kill, inclusive; 0 if none does
    @GuardedBy("this")
    private int changesUntilHeld;
    @GuardedBy("this")
    private Fate heldFate = Fate.LOST_IN_FLIGHT;
    @GuardedBy("this")
    private boolean holding;
    // The calls that the storage executes now
    @GuardedBy("this")
    private int executing;
    @GuardedBy("this")
    private boolean released;

    @Override
    public <T> T read(Call<T> call)
            throws IOException
    {
        begin();
        return execute(call, Fate.ANSWERED);
    }

    @Override
    public <T> T change(Call<T> call)
            throws IOException
    {
        return execute(call, beginChange());
    }

    private synchronized void begin()
            throws IOException
    {
        checkRunning();
        executing++;
    }

    private synchronized Fate beginChange()
            throws IOException
    {
        changesLeft--;
        if (changesLeft == 0) {
            notifyAll();
        }
        Fate fate = nextFate();
        if (fate != Fate.ANSWERED) {
            awaited--;
            notifyAll();
        }
        if (fate == Fate.LOST_IN_FLIGHT) {
            awaitEnd();
        }
        begin();
        return fate;
    }

    private synchronized Fate nextFate()
    {
        if (changesUntilHeld > 0) {
            changesUntilHeld--;
            if (changesUntilHeld == 0) {
                holding = true;
                return heldFate;
            }
        }
        return phase == Phase.ENDING ? chooseFate() : Fate.ANSWERED;
    }

    private synchronized Fate chooseFate()
    {
        if (random.nextBoolean()) {
            return Fate.ANSWERED;
        }
        return random.nextBoolean() ? Fate.EXECUTED_IN_FLIGHT : Fate.LOST_IN_FLIGHT;
    }

    private <T> T execute(Call<T> call, Fate fate)
            throws IOException
    {
        try {
            return call.call();
        }
        finally {
            finish(fate);
        }
    }

    /**
     * Ends a call that the storage has executed or refused.
     *
     * @throws IOException if nobody gets its result, because the server was killed
     */
    private synchronized void finish(Fate fate)
            throws IOException
    {
        executing--;
        notifyAll();
        if (fate == Fate.EXECUTED_IN_FLIGHT) {
            awaitEnd();
        }
        checkRunning();
    }

    /**
     * Waits although the thread may be interrupted: it must not report a failure while the server still runs.
     */
    private synchronized void awaitEnd()
    {
        awaitUninterruptibly(() -> phase == Phase.ENDED);
    }

    private synchronized void awaitUninterruptibly(BooleanSupplier condition)
    {
        boolean interrupted = false;
        while (!condition.getAsBoolean()) {
            try {
                wait();
            }
            catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void checkRunning()
            throws IOException
    {
        if (phase == Phase.ENDED) {
            throw new IOException("The server was killed");
        }
    }

    /**
     * Waits for a random number of changes, so that a kill after it hits all changes of a statement equally often, and
     * not mostly what takes the most time.
     */
    synchronized void awaitChanges(Random random)
            throws InterruptedException
    {
        changesLeft = 1 + random.nextInt(MOST_CHANGES);
        await(() -> changesLeft <= 0, MOST_WAIT_MILLIS);
    }

    /**
     * Lets one of the next changes wait for the kill, which then certainly finds it in flight.
     *
     * @param change the first of them is 1; 0 for none
     * @param executed whether the storage executes it, so that only its result is lost
     */
    synchronized void hold(int change, boolean executed)
    {
        changesUntilHeld = change;
        heldFate = executed ? Fate.EXECUTED_IN_FLIGHT : Fate.LOST_IN_FLIGHT;
    }

    /**
     * Returns whether a change waits for the kill.
     */
    synchronized boolean isHolding()
    {
        return holding;
    }

    /**
     * Kills the server in the middle of what it changes. When this returns, the storage has executed what it will
     * execute.
     */
    synchronized void end(Random random)
            throws InterruptedException
    {
        this.random = random;
        awaited = 1 + random.nextInt(MOST_IN_FLIGHT);
        phase = Phase.ENDING;
        await(() -> awaited <= 0, MOST_END_MILLIS);
        phase = Phase.ENDED;
        notifyAll();
        while (executing > 0) {
            wait();
        }
    }

    private synchronized void await(BooleanSupplier condition, int mostMillis)
            throws InterruptedException
    {
        long end = System.nanoTime() + MILLISECONDS.toNanos(mostMillis);
        for (long nanos = end - System.nanoTime(); !condition.getAsBoolean() && nanos > 0; nanos = end - System.nanoTime()) {
            NANOSECONDS.timedWait(this, nanos);
        }
    }

    /**
     * Returns whether the server was killed. When this returns true, the storage has executed what it will execute.
     */
    synchronized boolean hasEnded()
    {
        if (phase != Phase.ENDED) {
            return false;
        }
        awaitUninterruptibly(() -> executing == 0);
        return true;
    }

    /**
     * Called when the engine has shut down the catalog of the server.
     */
    @PreDestroy
    public synchronized void release()
    {
        released = true;
    }

    synchronized boolean isReleased()
    {
        return released;
    }
}
