package io.albis.format.scan;

import io.albis.format.filter.FilterCache;
import io.albis.format.io.StorageAccess;
import io.albis.format.search.SearchCache;
import io.trino.filesystem.Location;

import java.util.concurrent.Executor;

import static java.util.Objects.requireNonNull;

/**
 * The resources that the readers of a scan share.
 *
 * @param metadata provides the metadata of column groups
 * @param access how requests to storage are made
 * @param executor performs the reads ahead, if the access enables them
 * @param history which columns the scan has needed so far
 * @param filters the prepared values of filters
 * @param searches the searches of indexes
 */
public record ReaderResources(MetadataSource metadata, StorageAccess access, Executor executor, ScanHistory history, FilterCache filters, SearchCache searches)
{
    public ReaderResources
    {
        requireNonNull(metadata, "metadata is null");
        requireNonNull(access, "access is null");
        requireNonNull(executor, "executor is null");
        requireNonNull(history, "history is null");
        requireNonNull(filters, "filters is null");
        requireNonNull(searches, "searches is null");
    }

    public ReaderResources(MetadataSource metadata, StorageAccess access, Executor executor, ScanHistory history)
    {
        this(metadata, access, executor, history, new FilterCache(), new SearchCache());
    }

    /**
     * Creates the resources of a reader that shares nothing and reads only in its own thread.
     */
    public static ReaderResources alone(Location tableFolder, int channels)
    {
        return new ReaderResources(MetadataSource.FILES, StorageAccess.of(tableFolder), Runnable::run, new ScanHistory(channels));
    }
}
