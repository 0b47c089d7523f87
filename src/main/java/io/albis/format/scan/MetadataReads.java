package io.albis.format.scan;

import com.google.common.collect.ImmutableMap;
import io.albis.format.delete.DeletedPositions;
import io.albis.format.io.ReadCounter;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.ColumnGroupMetadata;
import io.albis.format.metadata.RowGroup;
import io.albis.format.request.ParallelReads;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.FutureTask;

import static java.util.Collections.disjoint;
import static java.util.Objects.requireNonNull;

/**
 * Reads the metadata of several column groups and the deleted rows in parallel.
 */
final class MetadataReads
{
    /**
     * The metadata that was read ahead.
     *
     * @param columnGroups metadata by the id of the column group
     * @param deleted the deleted rows, if they were read ahead
     */
    record Results(Map<UUID, ColumnGroupMetadata> columnGroups, Optional<DeletedPositions> deleted)
    {
        static final Results NONE = new Results(ImmutableMap.of(), Optional.empty());

        Results
        {
            columnGroups = ImmutableMap.copyOf(columnGroups);
            requireNonNull(deleted, "deleted is null");
        }
    }

    private MetadataReads() {}

    /**
     * Reads what a scan is known to need and what is not in memory yet, if the storage benefits from reading ahead.
     *
     * @return nothing if fewer than two files have to be read
     */
    static Results readAhead(TrinoFileSystem fileSystem, Location tableFolder, RowGroup rowGroup, RowGroupScan scan, ReaderOptions options, ReaderResources resources, ReadCounter counter)
            throws IOException
    {
        if (!resources.access().readAhead()) {
            return Results.NONE;
        }
        Set<Integer> columnIds = new HashSet<>();
        scan.columns().forEach(column -> columnIds.add(column.id()));
        FilteredColumns.of(scan, options).forEach(column -> columnIds.add(column.id()));
        ParallelReads reads = new ParallelReads();
        Map<UUID, FutureTask<ColumnGroupMetadata>> columnGroups = new LinkedHashMap<>();
        boolean needsColumns = false;
        for (ColumnGroupInstance instance : rowGroup.columnGroups()) {
            if (!disjoint(instance.columnIds(), columnIds)) {
                needsColumns = true;
                if (!resources.metadata().isPresent(rowGroup.metadataFile(tableFolder, instance), instance.metadataBytes())) {
                    columnGroups.put(instance.id(), reads.add(() -> ColumnGroupReader.metadata(fileSystem, tableFolder, rowGroup, instance, resources, counter)));
                }
            }
        }
        Optional<FutureTask<DeletedPositions>> deleted = Optional.empty();
        if (needsColumns && !CachedDeletes.isPresent(tableFolder, rowGroup, resources)) {
            deleted = Optional.of(reads.add(() -> CachedDeletes.read(fileSystem, tableFolder, rowGroup, resources, counter)));
        }
        if (reads.size() < 2) {
            return Results.NONE;
        }
        reads.runAll(resources.executor());
        ImmutableMap.Builder<UUID, ColumnGroupMetadata> metadata = ImmutableMap.builderWithExpectedSize(columnGroups.size());
        columnGroups.forEach((id, task) -> metadata.put(id, task.resultNow()));
        return new Results(metadata.buildOrThrow(), deleted.map(FutureTask::resultNow));
    }
}
