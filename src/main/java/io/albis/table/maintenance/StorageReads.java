package io.albis.table.maintenance;

import com.google.common.collect.ImmutableList;
import io.albis.table.manifest.ManifestSource.ManifestCall;
import io.albis.table.version.TableStorage;

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
        ImmutableList.Builder<ManifestCall<R>> calls = ImmutableList.builder();
        for (T input : inputs) {
            calls.add(() -> read.apply(input));
        }
        return storage.manifests().options().source().callAll(calls.build());
    }
}
