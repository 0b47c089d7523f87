package io.albis.table.storage;

import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Calls of a storage whose every failure is an IOException.
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

    static <T> T check(Call<T> call)
            throws IOException
    {
        try {
            return call.call();
        }
        catch (UnsupportedOperationException e) {
            // Before the storage is asked: it has no such operation
            throw e;
        }
        catch (UncheckedIOException e) {
            throw e.getCause();
        }
        catch (RuntimeException e) {
            throw new IOException("The client of the storage failed: " + e, e);
        }
    }

    static void checkAction(Action action)
            throws IOException
    {
        check(() -> {
            action.run();
            return null;
        });
    }
}
