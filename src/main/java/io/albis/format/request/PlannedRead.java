package io.albis.format.request;

import io.albis.format.io.ReadBuffers;
import io.albis.format.vector.NarrowValues;
import jakarta.annotation.Nullable;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;

import static java.util.Objects.requireNonNull;

/**
 * A range of a data file that one request reads. Either another thread reads it before it is needed, or the reader does
 * when it first needs a part of it. A failed read is treated as if it had not been planned. The reader then reads the
 * part that it needs, and reports the failure of that read.
 */
public final class PlannedRead
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
    // written before the state becomes READ
    private byte[] bytes;

    /**
     * Creates a read that no thread has started yet.
     *
     * @param firstSegment the first segment that needs a part of the range
     * @param lastSegment the last segment that needs a part of the range
     * @param ahead whether another thread reads the range
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
     * Returns a future that is done when the read has ended, whether it succeeded or not. It never fails.
     */
    CompletableFuture<Void> done()
    {
        return done;
    }

    /**
     * Returns whether another thread is reading the range, or is going to.
     */
    boolean isPending()
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
                // the reader repeats the request when it needs the bytes, and reports the failure
            }
        }
    }

    /**
     * Waits until the read has ended, or performs it if no thread has started it.
     *
     * @return whether the bytes have been read
     */
    boolean await(ReadBuffers buffers)
            throws IOException
    {
        if (state.compareAndSet(State.PLANNED, State.READING)) {
            try {
                read(ahead ? null : buffers);
            }
            catch (IOException _) {
                // the caller repeats the request and reports the failure
            }
        }
        if (!done.isDone()) {
            waitFor(done);
        }
        return state.get() == State.READ;
    }

    public static void waitFor(CompletableFuture<?> future)
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
     * Reads the range, and completes the future even if this fails.
     *
     * @param buffers provides the array; null to allocate a new array
     */
    private void read(@Nullable ReadBuffers buffers)
            throws IOException
    {
        State result = State.FAILED;
        byte[] target = null;
        try {
            // allocated within the try block: the future must complete even if there is no memory for the array
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
     * Returns the bytes of the range, followed by {@link NarrowValues#SLACK} more bytes. Valid after {@link #await}
     * returned true.
     */
    byte[] bytes()
    {
        return bytes;
    }

    /**
     * Cancels the read unless it has started. A read that has started completes, and its result is ignored.
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
