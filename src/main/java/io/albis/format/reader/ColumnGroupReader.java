package io.albis.format.reader;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slices;
import io.albis.format.AlbisColumn;
import io.albis.format.AlbisDataException;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.ColumnGroupMetadata;
import io.albis.format.metadata.ColumnGroupMetadata.StoredColumn;
import io.albis.format.metadata.ColumnStatistics;
import io.albis.format.metadata.FileFrame;
import io.albis.format.metadata.FileKind;
import io.albis.format.metadata.MetadataCodec;
import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.Run;
import io.albis.format.metadata.RunChecksum;
import io.albis.format.metadata.Segment;
import io.albis.format.row.RowDecoder;
import io.albis.format.row.RowLayout;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.spi.block.Block;
import jakarta.annotation.Nullable;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.format.AlbisDataException.damaged;

/**
 * Reads one column group of one row group. Holds the bytes of one segment.
 */
final class ColumnGroupReader
        implements Closeable
{
    private static final int NONE = -1;

    private final ColumnGroupInstance instance;
    private final ColumnGroupMetadata metadata;
    private final RowLayout layout;
    private final StorageInput input;
    private final RunChecksum checksum;

    private byte[] buffer = new byte[0];
    private int bufferedSegment = NONE;
    private int segmentStart;
    private int decodedSegment = NONE;
    private int decodedRun = NONE;
    @Nullable
    private RowDecoder decoder;

    static ColumnGroupReader open(TrinoFileSystem fileSystem, Location tableFolder, RowGroup rowGroup, ColumnGroupInstance instance, ReadCounter counter)
            throws IOException
    {
        byte[] file = new byte[instance.metadataBytes()];
        Location metadataFile = rowGroup.metadataFile(tableFolder, instance);
        try (StorageInput input = new StorageInput(fileSystem, metadataFile, file.length, counter)) {
            input.readFully(0, file, file.length, "column group " + instance.id());
        }
        ColumnGroupMetadata metadata = MetadataCodec.decode(metadataFile, Optional.of(instance.id()), Slices.wrappedBuffer(file));
        List<Integer> columnIds = metadata.columns().stream()
                .map(StoredColumn::id)
                .collect(toImmutableList());
        if (!columnIds.equals(instance.columnIds()) || metadata.dataBytes() != instance.dataBytes() || metadata.rows() != rowGroup.rows()) {
            throw damaged(
                    "Damaged Albis file %s: it has %s rows of columns %s in %s bytes, the table says %s rows of columns %s in %s bytes",
                    metadataFile,
                    metadata.rows(),
                    columnIds,
                    metadata.dataBytes(),
                    rowGroup.rows(),
                    instance.columnIds(),
                    instance.dataBytes());
        }
        return new ColumnGroupReader(
                instance,
                metadata,
                new StorageInput(fileSystem, rowGroup.dataFile(tableFolder, instance), instance.dataBytes(), counter));
    }

    private ColumnGroupReader(ColumnGroupInstance instance, ColumnGroupMetadata metadata, StorageInput input)
    {
        this.instance = instance;
        this.metadata = metadata;
        this.layout = new RowLayout(metadata.columns().stream()
                .map(StoredColumn::storageType)
                .collect(toImmutableList()));
        this.input = input;
        this.checksum = new RunChecksum(instance.id());
    }

    List<Segment> segments()
    {
        return metadata.segments();
    }

    /**
     * Rows of the runs of all segments: the same in all column groups of a row group.
     */
    List<List<Integer>> runRows()
    {
        ImmutableList.Builder<List<Integer>> segments = ImmutableList.builder();
        for (Segment segment : metadata.segments()) {
            segments.add(segment.runs().stream()
                    .map(Run::rows)
                    .collect(toImmutableList()));
        }
        return segments.build();
    }

    /**
     * Index of a column in this group.
     */
    int indexOf(AlbisColumn column)
            throws IOException
    {
        int index = instance.columnIds().indexOf(column.id());
        StoredColumn stored = metadata.columns().get(index);
        if (stored.storageType() != column.storageType()) {
            throw damaged("Damaged Albis file %s: column %s stands there as %s (%s), the table says %s", input.location(), column.name(), stored.storageType(), stored.typeId(), column.type().getDisplayName());
        }
        return index;
    }

    ColumnStatistics statistics(int segment, int column)
    {
        return metadata.segments().get(segment).statistics().get(column);
    }

    /**
     * Values of one column in one run.
     *
     * @param positions rows within the run; null for all
     */
    Block read(int segment, int run, int column, @Nullable int[] positions, int count)
            throws IOException
    {
        try {
            ColumnStatistics statistics = statistics(segment, column);
            return decoder(segment, run).decode(column, positions, count, statistics.nullCount() > 0);
        }
        catch (IllegalArgumentException e) {
            throw damaged("Damaged Albis file %s: column group %s, segment %s, run %s: %s", input.location(), instance.id(), segment, run, e.getMessage());
        }
    }

    private RowDecoder decoder(int segment, int runIndex)
            throws IOException
    {
        if (decodedSegment != segment || decodedRun != runIndex) {
            decodedSegment = NONE;
            loadSegment(segment);
            Run run = metadata.segments().get(segment).runs().get(runIndex);
            int offset = segmentStart + (int) (run.offset() - metadata.segments().get(segment).offset());
            if (checksum.of(buffer, offset, run.paddedLength()) != run.checksum()) {
                throw damaged(
                        "Damaged Albis file %s: column group %s, segment %s, run %s: the checksum of its %s bytes at %s does not match",
                        input.location(),
                        instance.id(),
                        segment,
                        runIndex,
                        run.paddedLength(),
                        run.offset());
            }
            decoder = new RowDecoder(layout, buffer, offset, run.length(), run.rows());
            decodedSegment = segment;
            decodedRun = runIndex;
        }
        return decoder;
    }

    private String place(int segment)
    {
        return "column group %s, segment %s".formatted(instance.id(), segment);
    }

    private void loadSegment(int segmentIndex)
            throws IOException
    {
        if (bufferedSegment == segmentIndex) {
            return;
        }
        Segment segment = metadata.segments().get(segmentIndex);
        // the header is read and checked with the first segment; those behind it are bound to the file by their checksums
        int header = segmentIndex == 0 ? FileFrame.HEADER_SIZE : 0;
        long length = header + segment.length();
        if (length > Integer.MAX_VALUE - 8) {
            throw damaged("Damaged Albis file %s: column group %s, segment %s has %s bytes", input.location(), instance.id(), segmentIndex, segment.length());
        }
        bufferedSegment = NONE;
        if (buffer.length < length) {
            buffer = new byte[(int) length];
        }
        input.readFully(segment.offset() - header, buffer, (int) length, place(segmentIndex));
        if (header > 0) {
            try {
                FileFrame.checkHeader(input.location(), FileKind.DATA, Optional.of(instance.id()), Slices.wrappedBuffer(buffer, 0, header));
            }
            catch (AlbisDataException e) {
                throw e.at(place(segmentIndex));
            }
        }
        segmentStart = header;
        bufferedSegment = segmentIndex;
    }

    long retainedSize()
    {
        return buffer.length + (decoder == null ? 0 : decoder.retainedSize());
    }

    @Override
    public void close()
            throws IOException
    {
        input.close();
        buffer = new byte[0];
        bufferedSegment = NONE;
        decodedSegment = NONE;
        decoder = null;
    }
}
