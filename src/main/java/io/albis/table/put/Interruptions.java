package io.albis.table.put;

import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;

import static com.google.common.base.Throwables.getCausalChain;

/**
 * Tells a query that was canceled from a storage that fails. What is listed leaves out what fails, but says nothing if it was
 * canceled.
 */
public final class Interruptions
{
    private Interruptions() {}

    /**
     * Whether this thread is interrupted, or the failure is that of one that was.
     */
    public static boolean isInterrupted(Throwable failure)
    {
        return Thread.currentThread().isInterrupted() || getCausalChain(failure).stream().anyMatch(Interruptions::isInterruption);
    }

    private static boolean isInterruption(Throwable cause)
    {
        return cause instanceof InterruptedException ||
                cause instanceof ClosedByInterruptException ||
                // Java derives the timeout of a socket from it
                (cause instanceof InterruptedIOException && !(cause instanceof SocketTimeoutException));
    }
}
