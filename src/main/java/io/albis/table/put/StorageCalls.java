package io.albis.table.put;

import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Adapts calls that throw IOException to interfaces that cannot declare it.
 */
public final class StorageCalls
{
    private StorageCalls() {}

    @FunctionalInterface
    public interface StorageCall<T>
    {
        T call()
                throws IOException;
    }

    /**
     * Runs a call and wraps its IOException.
     *
     * @throws UncheckedIOException if the call throws an IOException, which is the cause
     */
    public static <T> T unchecked(StorageCall<T> call)
    {
        try {
            return call.call();
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
