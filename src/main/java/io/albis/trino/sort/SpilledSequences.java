package io.albis.trino.sort;

import com.google.common.collect.ImmutableList;
import io.airlift.log.Logger;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.schema.RowGroupSchema;
import io.albis.format.write.RollingRowGroupWriter;
import io.albis.format.write.WriterOptions;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.spi.Page;
import jakarta.annotation.Nullable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Comparator.comparingLong;
import static java.util.Objects.requireNonNull;

/**
 * Sorted sequences of rows in temporary files, which are merged into one sequence.
 * <p>
 * A sequence is stored as row groups in the folder of the table, with ids of the statement that writes. No version
 * refers to them, so no reader finds them, and whatever removes the files of failed writes removes those that a killed
 * server has left.
 */
public final class SpilledSequences
{
    private static final Logger log = Logger.get(SpilledSequences.class);

    // More sequences than that are merged in several passes. Each of them needs an open file.
    private static final int MAX_MERGED = 50;
    private static final int MIN_MERGED = 10;
    private static final int MIN_SEGMENT_BYTES = 1 << 14;
    private static final int MAX_SEGMENT_BYTES = 1 << 20;
    // A sequence is several row groups, because a reader has the metadata of all segments of a row group in memory
    private static final int SEGMENTS_OF_ROW_GROUP = 16;
    // For each sequence, a merge needs the buffer of a reader, the metadata of each column in each segment of a row
    // group, the decoded rows of a segment, and the bytes from which they were decoded
    private static final int READER_BYTES = 1 << 16;
    private static final int METADATA_BYTES = 700;
    private static final int COPIES = 2;

    private final TrinoFileSystem fileSystem;
    private final Location tableFolder;
    private final RowGroupSchema schema;
    private final WriterOptions options;
    private final Supplier<UUID> ids;
    private final RowSorter sorter;
    private final int maxMerged;
    private final long memoryOfSequence;

    private final List<Sequence> sequences = new ArrayList<>();
    // writes a sequence; null between two of them, and during the last merge
    @Nullable
    private RollingRowGroupWriter writer;
    @Nullable
    private SequenceMerge merge;
    private final List<Sequence> merged = new ArrayList<>();

    private record Sequence(List<RowGroup> rowGroups)
    {
        private Sequence
        {
            rowGroups = ImmutableList.copyOf(rowGroups);
        }

        private long bytes()
        {
            long bytes = 0;
            for (RowGroup rowGroup : rowGroups) {
                bytes += rowGroup.bytes();
            }
            return bytes;
        }
    }

    /**
     * Creates sequences of no rows.
     *
     * @param schema the columns of the rows; their groups do not matter
     * @param ids supplies ids of row groups and column groups that are never used again
     * @param maxBytes memory that a merge may need in bytes, unless rows are very large or it is very small
     */
    public SpilledSequences(TrinoFileSystem fileSystem, Location tableFolder, RowGroupSchema schema, Supplier<UUID> ids, RowSorter sorter, long maxBytes)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.tableFolder = requireNonNull(tableFolder, "tableFolder is null");
        // Rows are always read as a whole. The size of a segment limits that of all columns only in the row layout
        this.schema = new RowGroupSchema(schema.columns(), ImmutableList.of(AlbisColumnGroup.make(AlbisLayout.ROW, schema.columns())));
        this.ids = requireNonNull(ids, "ids is null");
        this.sorter = requireNonNull(sorter, "sorter is null");
        checkArgument(maxBytes >= 0, "maxBytes is negative: %s", maxBytes);
        long fixedBytes = READER_BYTES + (long) SEGMENTS_OF_ROW_GROUP * METADATA_BYTES * schema.columns().size();
        maxMerged = Math.clamp(maxBytes / (fixedBytes + COPIES * MIN_SEGMENT_BYTES), MIN_MERGED, MAX_MERGED);
        int segmentBytes = Math.clamp((maxBytes / maxMerged - fixedBytes) / COPIES, MIN_SEGMENT_BYTES, MAX_SEGMENT_BYTES);
        memoryOfSequence = fixedBytes + (long) COPIES * segmentBytes;
        options = WriterOptions.DEFAULTS
                .withRowGroupBytes((long) SEGMENTS_OF_ROW_GROUP * segmentBytes)
                .withSegmentBytes(segmentBytes);
    }

    public boolean isEmpty()
    {
        return sequences.isEmpty() && merge == null;
    }

    /**
     * Writes a sequence. No sequence can be added after the merge has begun.
     *
     * @param sorted at least one row
     * @throws io.albis.format.run.RowTooLargeException if a row is larger than {@code RowTooLargeException.MAX_SIZE}
     */
    public void add(Iterator<Page> sorted)
            throws IOException
    {
        checkState(merge == null, "the merge has begun");
        writer = newWriter();
        while (sorted.hasNext()) {
            writer.append(sorted.next());
        }
        finishSequence();
    }

    private RollingRowGroupWriter newWriter()
    {
        return new RollingRowGroupWriter(fileSystem, tableFolder, schema, options, ids);
    }

    private void finishSequence()
            throws IOException
    {
        sequences.add(new Sequence(writer.finish()));
        writer = null;
    }

    /**
     * Merges some rows, and removes files that are not needed any more.
     *
     * @param output gets the rows of all sequences in their order, a page in some of the calls
     * @return whether there is more to merge
     */
    public boolean advance(Consumer<Page> output)
            throws IOException
    {
        if (isEmpty()) {
            return false;
        }
        if (merge == null) {
            beginMerge();
        }
        Page page = merge.next();
        if (page == null) {
            finishMerge();
        }
        else if (writer == null) {
            output.accept(page);
        }
        else {
            writer.append(page);
        }
        return !isEmpty();
    }

    /**
     * Begins to merge all sequences, or only the smallest ones if they are too many.
     */
    private void beginMerge()
    {
        int count = sequences.size();
        if (count > maxMerged) {
            sequences.sort(comparingLong(Sequence::bytes));
            count = Math.min(maxMerged, count - maxMerged + 1);
            writer = newWriter();
        }
        List<Sequence> smallest = sequences.subList(0, count);
        merged.addAll(smallest);
        smallest.clear();
        merge = new SequenceMerge(sorter.types(), merged.stream()
                .map(sequence -> new SequenceCursor(fileSystem, tableFolder, schema.columns(), sequence.rowGroups(), sorter))
                .collect(toImmutableList()));
    }

    private void finishMerge()
            throws IOException
    {
        if (writer != null) {
            finishSequence();
        }
        SequenceMerge finished = merge;
        merge = null;
        finished.close();
        remove(merged);
    }

    /**
     * Stops a merge, and removes all files. If this fails, files remain and do no harm.
     */
    public void abort()
    {
        try {
            if (merge != null) {
                merge.close();
            }
        }
        catch (IOException | RuntimeException e) {
            log.warn(e, "Cannot close the temporary files of a sort in %s", tableFolder);
        }
        try {
            if (writer != null) {
                writer.abort();
            }
        }
        catch (IOException | RuntimeException e) {
            log.warn(e, "Cannot remove a temporary file of a sort in %s", tableFolder);
        }
        merge = null;
        writer = null;
        remove(merged);
        remove(sequences);
    }

    private void remove(List<Sequence> removed)
    {
        for (Sequence sequence : removed) {
            for (RowGroup rowGroup : sequence.rowGroups()) {
                Location folder = RowGroup.folder(tableFolder, rowGroup.id());
                try {
                    fileSystem.deleteDirectory(folder);
                }
                catch (IOException | RuntimeException e) {
                    // not thrown: no table refers to the files, and the rows are complete
                    log.warn(e, "Cannot remove %s, a temporary folder of a sort", folder);
                }
            }
        }
        removed.clear();
    }

    /**
     * Returns the memory in bytes that a merge of the sequences will need; 0 after it has begun.
     */
    public long reservedMemory()
    {
        return merge == null ? Math.min(sequences.size(), maxMerged) * memoryOfSequence : 0;
    }

    /**
     * Returns the memory in bytes of the merge, and of the sequence that is being written.
     */
    public long memoryUsage()
    {
        return (writer == null ? 0 : writer.memoryUsage()) + (merge == null ? 0 : merge.memoryUsage());
    }
}
