package io.albis.format.scan;

import com.google.common.collect.ImmutableMap;
import io.albis.format.io.ReadCounter;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.ColumnGroupMetadata;
import io.albis.format.metadata.RowGroup;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

import static com.google.common.base.Throwables.throwIfInstanceOf;
import static com.google.common.base.Throwables.throwIfUnchecked;
import static java.util.Collections.disjoint;

/**
 * Reads the metadata of several column groups in parallel. The calling thread performs the reads that no thread of the
 * executor has started, so that it never waits for a free thread.
 */
final class MetadataReads
{
    private MetadataReads() {}

    /**
     * Reads the metadata that a scan is known to need and that is not in memory yet, if the storage benefits from
     * reading ahead.
     *
     * @return metadata by the id of the column group; empty if fewer than two files have to be read
     */
    static Map<UUID, ColumnGroupMetadata> readAhead(TrinoFileSystem fileSystem, Location tableFolder, RowGroup rowGroup, RowGroupScan scan, ReaderOptions options, ReaderResources resources, ReadCounter counter)
            throws IOException
    {
        if (!resources.access().readAhead()) {
            return ImmutableMap.of();
        }
        Set<Integer> columnIds = new HashSet<>();
        scan.columns().forEach(column -> columnIds.add(column.id()));
        ScanFilters.columns(scan, options).forEach(column -> columnIds.add(column.id()));
        List<UUID> ids = new ArrayList<>();
        List<Callable<ColumnGroupMetadata>> reads = new ArrayList<>();
        for (ColumnGroupInstance instance : rowGroup.columnGroups()) {
            if (!disjoint(instance.columnIds(), columnIds) && !resources.metadata().isPresent(rowGroup.metadataFile(tableFolder, instance), instance.metadataBytes())) {
                ids.add(instance.id());
                reads.add(() -> ColumnGroupReader.metadata(fileSystem, tableFolder, rowGroup, instance, resources, counter));
            }
        }
        if (reads.size() < 2) {
            return ImmutableMap.of();
        }
        List<ColumnGroupMetadata> results = readAll(reads, resources.executor());
        ImmutableMap.Builder<UUID, ColumnGroupMetadata> metadata = ImmutableMap.builderWithExpectedSize(ids.size());
        for (int i = 0; i < results.size(); i++) {
            metadata.put(ids.get(i), results.get(i));
        }
        return metadata.buildOrThrow();
    }

    /**
     * Performs all reads, and waits until they have ended.
     *
     * @return the results, in the order of the reads
     */
    private static List<ColumnGroupMetadata> readAll(List<Callable<ColumnGroupMetadata>> reads, Executor executor)
            throws IOException
    {
        AtomicBoolean failed = new AtomicBoolean();
        List<FutureTask<ColumnGroupMetadata>> tasks = new ArrayList<>(reads.size());
        for (Callable<ColumnGroupMetadata> read : reads) {
            // the remaining results are not needed after a failure
            tasks.add(new FutureTask<>(() -> failed.get() ? null : read.call()));
        }
        try {
            for (FutureTask<ColumnGroupMetadata> task : tasks.subList(1, tasks.size())) {
                executor.execute(task);
            }
        }
        catch (RejectedExecutionException _) {
            // The executor is shut down because the catalog is being closed. The calling thread performs all reads.
        }
        List<ColumnGroupMetadata> metadata = new ArrayList<>(reads.size());
        Throwable failure = null;
        for (FutureTask<ColumnGroupMetadata> task : tasks) {
            // has no effect if another thread has started the task
            task.run();
            try {
                metadata.add(task.get());
            }
            catch (InterruptedException e) {
                failed.set(true);
                Thread.currentThread().interrupt();
                InterruptedIOException exception = new InterruptedIOException("interrupted while waiting for storage");
                exception.initCause(e);
                throw exception;
            }
            catch (ExecutionException e) {
                failed.set(true);
                failure = failure == null ? e.getCause() : failure;
            }
        }
        if (failure != null) {
            throwIfInstanceOf(failure, IOException.class);
            throwIfUnchecked(failure);
            throw new IOException(failure);
        }
        return metadata;
    }
}
