package io.albis.table.partition;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.DynamicSliceOutput;
import io.airlift.slice.Slice;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.RowGroupSchema;
import io.albis.format.write.PageWriter;
import io.albis.format.write.RollingRowGroupWriter;
import io.albis.format.write.RowSizes;
import io.albis.table.model.PartitionField;
import io.trino.spi.Page;
import io.trino.spi.type.Type;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * Writes row groups that each contain the rows of one partition. Its memory is limited: when it exceeds the limit, the
 * writer writes the rows of the largest partition as a row group. The number of partitions is therefore not limited,
 * and row groups are as large as the memory allows.
 */
public final class PartitionedWriter
        implements PageWriter
{
    /**
     * The maximum number of partitions with open files. On HDFS, each file needs a thread.
     */
    static final int MAX_OPEN_FILES = 100;

    private final PartitionKeys keys;
    private final DynamicSliceOutput keyBuffer = PartitionKeys.newBuffer();
    private final List<Type> types;
    private final Supplier<RollingRowGroupWriter> writers;
    private final long maxBytes;
    private final Map<Slice, OpenPartition> open = new HashMap<>();
    // writers of row groups that are finished or in use, for an abort
    private final List<RollingRowGroupWriter> created = new ArrayList<>();
    private final List<RowGroup> rowGroups = new ArrayList<>();
    private int openFiles;
    private long openBytes;
    private long finishedBytes;

    /**
     * @param writers creates a writer of row groups
     * @param maxBytes limit of the memory of all partitions
     */
    public PartitionedWriter(List<PartitionField> fields, RowGroupSchema schema, Supplier<RollingRowGroupWriter> writers, long maxBytes)
    {
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
            appendTo(partitions.get(0), page);
        }
        else {
            partitions.forEach((partition, positions, offset, count) -> appendTo(partition, page, positions, offset, count));
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
            appendTo(partition, page, positions, 0, positions.length);
            return;
        }
        if (partition.isBuffered()) {
            write(partition, partition.takeBuffer());
        }
        write(partition, page);
        limitMemory(partition);
    }

    private void appendTo(OpenPartition partition, Page page, int[] positions, int offset, int count)
            throws IOException
    {
        // Rows of an earlier part of the page may have closed it
        open.putIfAbsent(partition.key(), partition);
        partition.add(page, positions, offset, count);
        if (partition.isBufferFull()) {
            write(partition, partition.takeBuffer());
        }
        limitMemory(partition);
    }

    private void write(OpenPartition partition, Page page)
            throws IOException
    {
        if (partition.writer() == null) {
            if (openFiles == MAX_OPEN_FILES) {
                close(largest(true));
            }
            RollingRowGroupWriter writer = writers.get();
            created.add(writer);
            partition.setWriter(writer);
            openFiles++;
        }
        partition.writer().append(page);
    }

    private void limitMemory(OpenPartition changed)
            throws IOException
    {
        openBytes += changed.countMemory();
        while (openBytes > maxBytes && !open.isEmpty()) {
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
                rowGroups.add(rowGroup.withPartition(keys.values(partition.key())));
            }
            finishedBytes += writer.writtenBytes();
            partition.setWriter(null);
            openFiles--;
        }
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
        for (RollingRowGroupWriter writer : created) {
            try {
                writer.abort();
            }
            catch (IOException | RuntimeException e) {
                failure.addSuppressed(e);
            }
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
        return openBytes;
    }
}
