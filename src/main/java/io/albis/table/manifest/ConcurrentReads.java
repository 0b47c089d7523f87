package io.albis.table.manifest;

import java.io.IOException;
import java.util.List;

/**
 * Defines how many files are read concurrently. Implementations are thread-safe.
 */
public interface ConcurrentReads
{
    interface ReadCall<T>
    {
        T call()
                throws IOException;
    }

    /**
     * Runs calls that read files, possibly concurrently.
     *
     * @return the results in the order of the calls
     * @throws IOException the exception of the first call that fails
     */
    <T> List<T> callAll(List<ReadCall<T>> calls)
            throws IOException;
}
