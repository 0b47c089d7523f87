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
 * Reads the metadata of several column groups at the same time. The thread that needs them reads what no other has begun, so
 * that it never waits for a place among those of the executor.
 */
final class MetadataReads
{
    private MetadataReads() {}

    /**
     * Reads what is known to be needed and not in memory yet, if a request takes long.
     *
     * @return by the id of the column group; nothing if there is but one to read
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
     * @return what the reads gave, in their order
     */
    private static List<ColumnGroupMetadata> readAll(List<Callable<ColumnGroupMetadata>> reads, Executor executor)
            throws IOException
    {
        AtomicBoolean failed = new AtomicBoolean();
        List<FutureTask<ColumnGroupMetadata>> tasks = new ArrayList<>(reads.size());
        for (Callable<ColumnGroupMetadata> read : reads) {
            // after a failure nobody needs the others
            tasks.add(new FutureTask<>(() -> failed.get() ? null : read.call()));
        }
        try {
            for (FutureTask<ColumnGroupMetadata> task : tasks.subList(1, tasks.size())) {
                executor.execute(task);
            }
        }
        catch (RejectedExecutionException _) {
            // the catalog is being closed
        }
        List<ColumnGroupMetadata> metadata = new ArrayList<>(reads.size());
        Throwable failure = null;
        for (FutureTask<ColumnGroupMetadata> task : tasks) {
            // nothing happens if another thread has begun
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
