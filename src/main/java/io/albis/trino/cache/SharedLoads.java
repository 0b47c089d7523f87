package io.albis.trino.cache;

import com.google.common.cache.Cache;
import com.google.common.util.concurrent.ExecutionError;
import com.google.common.util.concurrent.UncheckedExecutionException;

import java.io.IOException;
import java.util.concurrent.ExecutionException;

import static com.google.common.base.Throwables.throwIfInstanceOf;
import static com.google.common.base.Throwables.throwIfUnchecked;

/**
 * Loads the values of a cache that several queries share. Queries that need a value at the same time wait for one load,
 * but a query fails only if its own load fails.
 */
public final class SharedLoads
{
    private SharedLoads() {}

    /**
     * Loads a value of a cache.
     */
    public interface Loader<V>
    {
        V load()
                throws IOException;
    }

    /**
     * Returns the value of a key, and loads it if the cache does not contain it.
     *
     * @param type class of the value, for a cache of values of several classes
     */
    public static <K, V> V get(Cache<K, ? super V> cache, K key, Class<V> type, Loader<V> loader)
            throws IOException
    {
        boolean[] called = new boolean[1];
        try {
            return type.cast(cache.get(key, () -> {
                called[0] = true;
                return loader.load();
            }));
        }
        catch (ExecutionException | UncheckedExecutionException | ExecutionError e) {
            if (!called[0]) {
                // The load of another query failed, perhaps only because it was canceled or lacks access to the file
                return loader.load();
            }
            throwIfInstanceOf(e.getCause(), IOException.class);
            throwIfUnchecked(e.getCause());
            throw new IOException(e.getCause());
        }
    }
}
