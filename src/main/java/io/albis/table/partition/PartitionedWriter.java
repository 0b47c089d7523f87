package io.albis.table.partition;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.DynamicSliceOutput;
import io.airlift.slice.SizeOf;
import io.airlift.slice.Slice;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.PartitionValue;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.RowGroupSchema;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.write.PageWriter;
import io.albis.format.write.RepeatedValues;
import io.albis.format.write.RollingRowGroupWriter;
import io.albis.format.write.RowSizes;
import io.albis.table.model.PartitionField;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.spi.Page;
import io.trino.spi.type.Type;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.airlift.slice.SizeOf.estimatedSizeOf;
import static io.airlift.slice.SizeOf.instanceSize;
import static io.airlift.slice.SizeOf.sizeOf;
import static java.util.Collections.newSetFromMap;
import static java.util.Objects.requireNonNull;

/**
 * Writes row groups that each contain the rows of one partition. Its memory is limited: when it exceeds the limit, the
 * writer writes the rows of the largest partition as a row group, unless it is the only one in memory. It does the same
 * when too many files are open. The number of partitions is therefore not limited, and row groups are as large as the
 * memory and the number of files allow.
 */
public final class PartitionedWriter
        implements PageWriter
{
    /**
     * The maximum number of partitions with open files. On HDFS, each file needs a thread.
     */
    static final int MAX_OPEN_FILES = 100;

    private static final int ID_SIZE = instanceSize(UUID.class);
    private static final int ROW_GROUP_SIZE = instanceSize(RowGroup.class) + ID_SIZE;
    private static final int COLUMN_GROUP_SIZE = instanceSize(ColumnGroupInstance.class) + ID_SIZE;
    private static final int STATISTICS_SIZE = instanceSize(ColumnStatistics.class);
    private static final int PARTITION_VALUE_SIZE = instanceSize(PartitionValue.class);

    private final PartitionKeys keys;
    private final DynamicSliceOutput keyBuffer = PartitionKeys.newBuffer();
    private final List<Type> types;
    private final TrinoFileSystem fileSystem;
    private final Location tableFolder;
    private final Supplier<RollingRowGroupWriter> writers;
    private final long maxBytes;
    private final Map<Slice, OpenPartition> open = new HashMap<>();
    // writers of row groups that are not finished, for an abort
    private final Set<RollingRowGroupWriter> unfinished = newSetFromMap(new IdentityHashMap<>());
    private final List<RowGroup> rowGroups = new ArrayList<>();
    private int openFiles;
    private long openBytes;
    private long finishedBytes;
    private long rowGroupsMemory;

    /**
     * @param writers creates a writer of row groups in the folder of the table
     * @param maxBytes limit of the memory of all partitions
     */
    public PartitionedWriter(TrinoFileSystem fileSystem, Location tableFolder, List<PartitionField> fields, RowGroupSchema schema, Supplier<RollingRowGroupWriter> writers, long maxBytes)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.tableFolder = requireNonNull(tableFolder, "tableFolder is null");
        this.types = schema.columns().stream()
                .map(AlbisColumn::type)
                .collect(toImmutableList());
        int[] channels = channels(fields, schema);
        this.keys = new PartitionKeys(fields, Arrays.stream(channels).mapToObj(types::get).collect(toImmutableList()), channels);
        this.writers = requireNonNull(writers, "writers is null");
        checkArgument(maxBytes >= 0, "maxBytes is negative: %s", maxBytes);
        this.maxBytes = maxBytes;
    }

    private static int[] channels(List<PartitionField> fields, RowGroupSchema schema)
    {
        List<Integer> ids = schema.columns().stream()
                .map(AlbisColumn::id)
                .collect(toImmutableList());
        return fields.stream()
                .mapToInt(field -> ids.indexOf(field.columnId()))
                .toArray();
    }

    @Override
    public void append(Page page)
            throws IOException
    {
        checkArgument(page.getChannelCount() == types.size(), "the page has %s channels, but the schema has %s columns", page.getChannelCount(), types.size());
        // before any row is written
        RowSizes.check(types, page);
        PagePartitions partitions = new PagePartitions();
        for (int position = 0; position < page.getPositionCount(); position++) {
            partitions.add(find(keys.get(page, position, keyBuffer)), position);
        }
        if (partitions.size() == 1) {
            appendTo(partitions.only(), page);
        }
        else {
            RepeatedValues repeated = RepeatedValues.ofAll(types, page);
            partitions.forEach((partition, positions, count) -> appendTo(partition, page, repeated, positions, count));
        }
    }

    private OpenPartition find(Slice key)
    {
        OpenPartition partition = open.get(key);
        if (partition == null) {
            Slice copy = key.copy();
            partition = new OpenPartition(copy, types);
            open.put(copy, partition);
        }
        return partition;
    }

    /**
     * Appends a page whose rows all belong to one partition, as in most pages if the engine partitions the rows.
     */
    private void appendTo(OpenPartition partition, Page page)
            throws IOException
    {
        if (partition.writer() == null && page.getPositionCount() < PagePartitions.MIN_DIRECT_ROWS) {
            int[] positions = new int[page.getPositionCount()];
            Arrays.setAll(positions, position -> position);
            appendTo(partition, page, RepeatedValues.ofAll(types, page), positions, positions.length);
            return;
        }
        if (partition.isBuffered()) {
            write(partition, partition.takeBuffer());
        }
        write(partition, page);
        limitMemory(partition);
    }

    private void appendTo(OpenPartition partition, Page page, RepeatedValues repeated, int[] positions, int count)
            throws IOException
    {
        int begin = 0;
        while (begin < count) {
            // Rows of an earlier part of the page may have closed it
            open.putIfAbsent(partition.key(), partition);
            begin += partition.add(page, repeated, positions, begin, count);
            if (partition.isBufferFull()) {
                write(partition, partition.takeBuffer());
            }
            limitMemory(partition);
        }
    }

    private void write(OpenPartition partition, Page page)
            throws IOException
    {
        if (partition.writer() == null) {
            if (openFiles == MAX_OPEN_FILES) {
                close(largest(true));
            }
            RollingRowGroupWriter writer = writers.get();
            unfinished.add(writer);
            partition.setWriter(writer);
            openFiles++;
        }
        partition.writer().append(page);
    }

    private void limitMemory(OpenPartition changed)
            throws IOException
    {
        openBytes += changed.countMemory();
        // The only partition would need as much memory again, and its row groups end when they are full
        while (openBytes > maxBytes && open.size() > 1) {
            close(largest(false));
        }
    }

    private OpenPartition largest(boolean withFiles)
    {
        OpenPartition largest = null;
        for (OpenPartition partition : open.values()) {
            if ((!withFiles || partition.writer() != null) && (largest == null || partition.bytes() > largest.bytes())) {
                largest = partition;
            }
        }
        return requireNonNull(largest, "no partition is open");
    }

    /**
     * Writes the rows of a partition that are in memory.
     */
    private void close(OpenPartition partition)
            throws IOException
    {
        if (!open.remove(partition.key(), partition)) {
            // another partition needed its files
            return;
        }
        openBytes -= partition.releaseMemory();
        if (partition.isBuffered()) {
            write(partition, partition.takeBuffer());
        }
        RollingRowGroupWriter writer = partition.writer();
        if (writer != null) {
            for (RowGroup rowGroup : writer.finish()) {
                RowGroup partitioned = rowGroup.withPartition(keys.values(partition.key()));
                rowGroups.add(partitioned);
                rowGroupsMemory += retainedSize(partitioned);
            }
            unfinished.remove(writer);
            finishedBytes += writer.writtenBytes();
            partition.setWriter(null);
            openFiles--;
        }
    }

    private static long retainedSize(RowGroup rowGroup)
    {
        return ROW_GROUP_SIZE +
                estimatedSizeOf(rowGroup.columnGroups(), columnGroup -> COLUMN_GROUP_SIZE + estimatedSizeOf(columnGroup.columnIds(), SizeOf::sizeOf)) +
                estimatedSizeOf(rowGroup.statistics(), statistics -> STATISTICS_SIZE + sizeOf(statistics.min(), SizeOf::sizeOf) + sizeOf(statistics.max(), SizeOf::sizeOf)) +
                estimatedSizeOf(rowGroup.partition(), value -> PARTITION_VALUE_SIZE + sizeOf(value.value(), SizeOf::sizeOf));
    }

    @Override
    public List<RowGroup> finish()
            throws IOException
    {
        for (OpenPartition partition : ImmutableList.copyOf(open.values())) {
            close(partition);
        }
        return ImmutableList.copyOf(rowGroups);
    }

    @Override
    public void abort()
            throws IOException
    {
        IOException failure = new IOException("Failed to delete all files of the partitions that were written");
        for (RollingRowGroupWriter writer : unfinished) {
            try {
                writer.abort();
            }
            catch (IOException | RuntimeException e) {
                failure.addSuppressed(e);
            }
        }
        try {
            fileSystem.deleteFiles(RollingRowGroupWriter.files(tableFolder, rowGroups));
        }
        catch (IOException | RuntimeException e) {
            failure.addSuppressed(e);
        }
        open.clear();
        if (failure.getSuppressed().length > 0) {
            throw failure;
        }
    }

    @Override
    public long writtenBytes()
    {
        long bytes = finishedBytes;
        for (OpenPartition partition : open.values()) {
            bytes += partition.writer() == null ? 0 : partition.writer().writtenBytes();
        }
        return bytes;
    }

    @Override
    public long memoryUsage()
    {
        return openBytes + rowGroupsMemory;
    }
}
