package io.albis.table.put;

import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Lets the public classes of this package be called from where IOException cannot be declared.
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
     * @throws UncheckedIOException with the IOException of the call
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
