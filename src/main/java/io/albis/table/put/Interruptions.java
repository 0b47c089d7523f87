package io.albis.table.put;

import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;

import static com.google.common.base.Throwables.getCausalChain;

/**
 * Distinguishes a canceled query from a failing storage. A listing skips what the storage cannot read, but a canceled
 * listing must fail: otherwise its incomplete result would look complete.
 */
public final class Interruptions
{
    private Interruptions() {}

    /**
     * Returns whether this thread is interrupted, or the failure was caused by the interruption of a thread.
     */
    public static boolean isInterrupted(Throwable failure)
    {
        return Thread.currentThread().isInterrupted() || getCausalChain(failure).stream().anyMatch(Interruptions::isInterruption);
    }

    private static boolean isInterruption(Throwable cause)
    {
        return cause instanceof InterruptedException ||
                cause instanceof ClosedByInterruptException ||
                // SocketTimeoutException is a subclass, but a timeout is no interruption
                (cause instanceof InterruptedIOException && !(cause instanceof SocketTimeoutException));
    }
}
