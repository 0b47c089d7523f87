package io.albis.table.manifest;

import com.google.common.collect.ImmutableList;
import io.albis.table.sketch.ColumnSketches;
import io.trino.filesystem.Location;

import java.io.IOException;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Provides manifests on behalf of one identity, from their files or from a cache. Implementations are thread-safe.
 */
public interface ManifestSource
        extends ConcurrentReads
{
    /**
     * Reads the file for each request, and reads files one after the other.
     */
    ManifestSource FILES = (_, file) -> file.read();

    /**
     * A manifest on storage.
     */
    interface ManifestFile
    {
        /**
         * Reads and decodes the file.
         *
         * @throws io.albis.format.io.AlbisDataException if the file is missing or damaged
         */
        Manifest read()
                throws IOException;

        /**
         * Checks with a request to storage that the file exists and that this identity may read it.
         *
         * @throws IOException the same exception as {@link #read} if the identity cannot read the file
         */
        void checkReadable()
                throws IOException;
    }

    /**
     * Returns a manifest.
     *
     * @param location location of the manifest, whose file name is a unique id
     * @param file reads the file if necessary
     */
    Manifest get(Location location, ManifestFile file)
            throws IOException;

    /**
     * Returns the sketches of a version of a table. Call this only after the manifests of the version were read.
     * A source without a cache merges them for each request.
     *
     * @param folder folder of the table
     * @param commitId commit id of the version
     * @param merge merges the sketches of the manifests if necessary
     */
    default ColumnSketches getSketches(Location folder, UUID commitId, Supplier<ColumnSketches> merge)
    {
        return merge.get();
    }

    /**
     * Runs the calls one after the other, unless a source reads concurrently.
     */
    @Override
    default <T> List<T> callAll(List<ReadCall<T>> calls)
            throws IOException
    {
        ImmutableList.Builder<T> results = ImmutableList.builder();
        for (ReadCall<T> call : calls) {
            results.add(call.call());
        }
        return results.build();
    }
}
