package io.albis.format.scan;

import io.albis.format.filter.FilterCache;
import io.albis.format.io.StorageAccess;
import io.trino.filesystem.Location;

import java.util.concurrent.Executor;

import static java.util.Objects.requireNonNull;

/**
 * What the readers of a scan share.
 *
 * @param metadata where the metadata of column groups comes from
 * @param executor reads ahead, if the access is to do that
 * @param history what was needed so far
 * @param filters the values that filters look for
 */
public record ReaderResources(MetadataSource metadata, StorageAccess access, Executor executor, ScanHistory history, FilterCache filters)
{
    public ReaderResources
    {
        requireNonNull(metadata, "metadata is null");
        requireNonNull(access, "access is null");
        requireNonNull(executor, "executor is null");
        requireNonNull(history, "history is null");
        requireNonNull(filters, "filters is null");
    }

    public ReaderResources(MetadataSource metadata, StorageAccess access, Executor executor, ScanHistory history)
    {
        this(metadata, access, executor, history, new FilterCache());
    }

    /**
     * For a reader that shares nothing, and whose thread does all.
     */
    public static ReaderResources alone(Location tableFolder, int channels)
    {
        return new ReaderResources(MetadataSource.FILES, StorageAccess.of(tableFolder), Runnable::run, new ScanHistory(channels));
    }
}
