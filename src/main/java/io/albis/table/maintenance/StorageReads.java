package io.albis.table.maintenance;

import com.google.common.collect.ImmutableList;
import io.albis.table.manifest.ConcurrentReads;
import io.albis.table.manifest.ConcurrentReads.ReadCall;
import io.albis.table.put.StorageCalls.StorageCall;
import io.albis.table.version.TableStorage;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Collection;
import java.util.List;

/**
 * Reads files of a table, several at a time if the catalog allows that.
 */
final class StorageReads
{
    // Limits the memory for versions, each of which lists all manifests, and for manifests
    static final int BATCH_SIZE = 256;

    private static final int LIST_ATTEMPTS = 3;

    private StorageReads() {}

    interface Read<T, R>
    {
        R apply(T input)
                throws IOException;
    }

    /**
     * @return the results in the order of the inputs
     */
    static <T, R> List<R> callAll(TableStorage storage, Collection<T> inputs, Read<T, R> read)
            throws IOException
    {
        return callAll(storage.manifests().options().source(), inputs, read);
    }

    /**
     * @return the results in the order of the inputs
     */
    static <T, R> List<R> callAll(ConcurrentReads reads, Collection<T> inputs, Read<T, R> read)
            throws IOException
    {
        ImmutableList.Builder<ReadCall<R>> calls = ImmutableList.builder();
        for (T input : inputs) {
            calls.add(() -> read.apply(input));
        }
        return reads.callAll(calls.build());
    }

    /**
     * Lists the files of a table, and repeats that if others remove folders at the same time.
     */
    static <T> T retryListing(StorageCall<T> listing)
            throws IOException
    {
        for (int attempt = 1; ; attempt++) {
            try {
                return listing.call();
            }
            catch (FileNotFoundException e) {
                if (attempt == LIST_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }
}
