package io.albis.table.manifest;

import com.google.common.collect.ImmutableList;
import io.albis.table.sketch.ColumnSketches;
import io.trino.filesystem.Location;

import java.io.IOException;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Where the manifests of one identity come from: the files, or a cache in front of them; and how many are read at a time. Thread safe.
 */
public interface ManifestSource
{
    /**
     * Reads each file each time, one after the other.
     */
    ManifestSource FILES = new ManifestSource()
    {
        @Override
        public Manifest get(Location location, ManifestFile file)
                throws IOException
        {
            return file.read();
        }

        @Override
        public ColumnSketches getSketches(Location folder, UUID commitId, Supplier<ColumnSketches> merge)
        {
            return merge.get();
        }

        @Override
        public <T> List<T> callAll(List<ManifestCall<T>> calls)
                throws IOException
        {
            ImmutableList.Builder<T> results = ImmutableList.builder();
            for (ManifestCall<T> call : calls) {
                results.add(call.call());
            }
            return results.build();
        }
    };

    interface ManifestFile
    {
        Manifest read()
                throws IOException;

        /**
         * Asks storage, and fails as {@link #read} would, if the file is missing or this identity may not read it.
         */
        void checkReadable()
                throws IOException;
    }

    interface ManifestCall<T>
    {
        T call()
                throws IOException;
    }

    /**
     * @param location whose name is an id that no other manifest has
     */
    Manifest get(Location location, ManifestFile file)
            throws IOException;

    /**
     * The sketches of a version of a table. To be called once its manifests were read.
     *
     * @param commitId of the version
     * @param merge makes them of the sketches of the manifests
     */
    ColumnSketches getSketches(Location folder, UUID commitId, Supplier<ColumnSketches> merge);

    /**
     * @return the results in the order of the calls
     * @throws IOException of the first call that fails
     */
    <T> List<T> callAll(List<ManifestCall<T>> calls)
            throws IOException;
}
