package io.albis.table.storage;

import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Calls a storage client and converts its exceptions to IOException.
 */
final class CheckedCalls
{
    private CheckedCalls() {}

    @FunctionalInterface
    interface Call<T>
    {
        T call()
                throws IOException;
    }

    @FunctionalInterface
    interface Action
    {
        void run()
                throws IOException;
    }

    /**
     * Runs a call of the client.
     *
     * @throws IOException if the call fails for any reason
     * @throws UnsupportedOperationException if the storage does not support the operation; nothing was requested then
     */
    static <T> T check(Call<T> call)
            throws IOException
    {
        try {
            return call.call();
        }
        catch (UnsupportedOperationException e) {
            // The client throws this without sending a request
            throw e;
        }
        catch (UncheckedIOException e) {
            throw e.getCause();
        }
        catch (RuntimeException e) {
            throw new IOException("Storage client failed: " + e, e);
        }
    }

    /**
     * Runs a call without a result, with the exceptions of {@link #check}.
     */
    static void checkAction(Action action)
            throws IOException
    {
        check(() -> {
            action.run();
            return null;
        });
    }
}
