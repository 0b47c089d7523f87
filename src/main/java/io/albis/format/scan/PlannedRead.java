package io.albis.format.scan;

import io.albis.format.io.ReadBuffers;
import io.albis.format.run.NarrowValues;
import jakarta.annotation.Nullable;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;

import static java.util.Objects.requireNonNull;

/**
 * A range of a data file that is read by one request: by another thread before it is needed, or by the first that needs a part
 * of it. A read that fails is as if it had never been planned: who needs a part of it then reads that, and sees the failure.
 */
final class PlannedRead
        implements Runnable
{
    private enum State
    {
        PLANNED, READING, READ, FAILED, DROPPED
    }

    private final DataFile file;
    private final long begin;
    private final int length;
    private final int firstSegment;
    private final int lastSegment;
    private final boolean ahead;
    private final AtomicReference<State> state = new AtomicReference<>(State.PLANNED);
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    // written before the state says so
    private byte[] bytes;

    /**
     * @param firstSegment the first one of which something is in the range
     * @param ahead whether another thread is to read it
     */
    PlannedRead(DataFile file, long begin, int length, int firstSegment, int lastSegment, boolean ahead)
    {
        this.file = requireNonNull(file, "file is null");
        this.begin = begin;
        this.length = length;
        this.firstSegment = firstSegment;
        this.lastSegment = lastSegment;
        this.ahead = ahead;
    }

    DataFile file()
    {
        return file;
    }

    long begin()
    {
        return begin;
    }

    long end()
    {
        return begin + length;
    }

    int length()
    {
        return length;
    }

    int firstSegment()
    {
        return firstSegment;
    }

    int lastSegment()
    {
        return lastSegment;
    }

    /**
     * Done when the bytes are there, or never will be.
     */
    CompletableFuture<Void> done()
    {
        return done;
    }

    /**
     * Whether another thread reads it, or is to.
     */
    boolean isOnItsWay()
    {
        return ahead && !done.isDone();
    }

    @Override
    public void run()
    {
        if (state.compareAndSet(State.PLANNED, State.READING)) {
            try {
                read(null);
            }
            catch (IOException | RuntimeException _) {
                // who needs it finds out
            }
        }
    }

    /**
     * Waits until the bytes are there, or reads them if nobody has begun to.
     *
     * @return whether they are there
     */
    boolean await(ReadBuffers buffers)
            throws IOException
    {
        if (state.compareAndSet(State.PLANNED, State.READING)) {
            try {
                read(ahead ? null : buffers);
            }
            catch (IOException _) {
                // the caller finds out
            }
        }
        if (!done.isDone()) {
            waitFor(done);
        }
        return state.get() == State.READ;
    }

    static void waitFor(CompletableFuture<?> future)
            throws IOException
    {
        try {
            future.get();
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            InterruptedIOException exception = new InterruptedIOException("interrupted while waiting for storage");
            exception.initCause(e);
            throw exception;
        }
        catch (ExecutionException e) {
            throw new IllegalStateException("a read does not fail its future", e);
        }
    }

    /**
     * @param buffers to take an array of; null for a new one
     */
    private void read(@Nullable ReadBuffers buffers)
            throws IOException
    {
        State result = State.FAILED;
        byte[] target = null;
        try {
            // the array is made in here: also if there is no memory for it, nobody may wait for ever
            int size = length + NarrowValues.SLACK;
            target = buffers == null ? new byte[size] : buffers.take(size);
            file.request(begin, target, length);
            bytes = target;
            result = State.READ;
        }
        finally {
            if (result == State.FAILED && buffers != null && target != null) {
                buffers.giveBack(target);
            }
            state.set(result);
            done.complete(null);
        }
    }

    /**
     * The bytes from {@link #begin} on, and {@link NarrowValues#SLACK} more; after they were waited for.
     */
    byte[] bytes()
    {
        return bytes;
    }

    /**
     * Gives up a read that nobody has begun yet. One that was begun ends, and nobody looks at it.
     */
    void drop(ReadBuffers buffers)
    {
        if (state.compareAndSet(State.PLANNED, State.DROPPED)) {
            done.complete(null);
        }
        else if (!ahead && bytes != null) {
            buffers.giveBack(bytes);
            bytes = null;
        }
    }
}
