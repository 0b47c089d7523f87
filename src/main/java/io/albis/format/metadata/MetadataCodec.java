package io.albis.format.metadata;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.DynamicSliceOutput;
import io.airlift.slice.Slice;
import io.airlift.slice.SliceInput;
import io.airlift.slice.SliceOutput;
import io.airlift.slice.Slices;
import io.albis.format.io.AlbisDataException;
import io.albis.format.io.FileFrame;
import io.albis.format.io.FileKind;
import io.albis.format.io.FileSection;
import io.albis.format.io.TooNewException;
import io.albis.format.metadata.ColumnGroupMetadata.StoredColumn;
import io.albis.format.run.Chunk;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.type.StorageType;
import io.trino.filesystem.Location;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

import static io.albis.format.io.AlbisDataException.damaged;
import static io.albis.format.statistics.StatisticsCodec.readCount;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Encodes and decodes the {@code metadata} file of a column group; see {@code docs/format.md}.
 */
public final class MetadataCodec
{
    // a bit for each feature that a reader must know to read the file; there is none yet
    private static final long FEATURES = 0;
    private static final int MIN_COLUMN_SIZE = Integer.BYTES + 1 + Short.BYTES;

    private MetadataCodec() {}

    /**
     * Encodes the sections of a {@code metadata} file.
     *
     * @param chunks the chunks of all segments, for each column in the block layout and once in the row layout
     * @param statistics for each column, the statistics of all segments
     * @param runBounds for each column, the encoded bounds of the runs, if they are stored
     */
    public static List<FileSection> sections(AlbisLayout layout, List<List<Chunk>> chunks, List<List<ColumnStatistics>> statistics, List<Optional<Slice>> runBounds)
    {
        ImmutableList.Builder<FileSection> sections = ImmutableList.builder();
        for (int stream = 0; stream < chunks.size(); stream++) {
            sections.add(MetadataSections.chunks(layout == AlbisLayout.ROW ? FileSection.NO_COLUMN : stream, chunks.get(stream)));
        }
        for (int column = 0; column < statistics.size(); column++) {
            sections.add(MetadataSections.statistics(column, statistics.get(column)));
            if (runBounds.get(column).isPresent()) {
                sections.add(new FileSection(MetadataSections.RUN_BOUNDS, column, runBounds.get(column).get()));
            }
        }
        return sections.build();
    }

    /**
     * Encodes a {@code metadata} file.
     *
     * @param dataBytes size of the data file in bytes
     * @param segmentRows number of rows of each segment
     */
    public static Slice encode(UUID id, AlbisLayout layout, List<StoredColumn> columns, long dataBytes, List<Integer> segmentRows, List<FileSection> sections)
    {
        SliceOutput output = new DynamicSliceOutput(1024);
        output.writeLong(FEATURES);
        output.writeByte(layout.code());
        output.writeInt(columns.size());
        for (StoredColumn column : columns) {
            output.writeInt(column.id());
            output.writeByte(column.storageType().code());
            byte[] typeId = column.typeId().getBytes(UTF_8);
            output.writeShort(typeId.length);
            output.writeBytes(typeId);
        }
        output.writeLong(dataBytes);
        output.writeInt(segmentRows.size());
        for (int rows : segmentRows) {
            output.writeInt(rows);
        }
        FileSection.write(sections, output);
        return FileFrame.frame(FileKind.METADATA, id, output.slice());
    }

    /**
     * Verifies and decodes a {@code metadata} file. Chunks and statistics are decoded later, when they are requested.
     *
     * @param location name of the file, for error messages
     * @throws AlbisDataException if the file is damaged, belongs to another column group, or has an unsupported version
     */
    public static ColumnGroupMetadata decode(Location location, Optional<UUID> expectedId, Slice file)
            throws AlbisDataException
    {
        Slice body = FileFrame.unframe(location, FileKind.METADATA, expectedId, file);
        try {
            return decode(location, body);
        }
        catch (TooNewException e) {
            throw AlbisDataException.tooNew(location, e);
        }
        catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw damaged("Damaged Albis file %s: %s", location, e.getMessage());
        }
    }

    private static ColumnGroupMetadata decode(Location location, Slice body)
    {
        SliceInput input = body.getInput();
        long features = input.readLong();
        if (features != FEATURES) {
            throw new TooNewException("unknown features %s", Long.toHexString(features));
        }
        int layoutCode = input.readUnsignedByte();
        AlbisLayout layout = AlbisLayout.find(layoutCode).orElseThrow(() -> new TooNewException("unknown layout %s", layoutCode));
        int columnCount = readCount(input, MIN_COLUMN_SIZE);
        ImmutableList.Builder<StoredColumn> columns = ImmutableList.builderWithExpectedSize(columnCount);
        for (int i = 0; i < columnCount; i++) {
            columns.add(readColumn(input));
        }
        long dataBytes = input.readLong();
        int[] segmentRows = new int[readCount(input, Integer.BYTES)];
        for (int segment = 0; segment < segmentRows.length; segment++) {
            segmentRows[segment] = input.readInt();
        }
        MetadataSections sections = MetadataSections.find(layout, columnCount, FileSection.read(body, input));
        return new ColumnGroupMetadata(location, layout, columns.build(), dataBytes, segmentRows, sections);
    }

    private static StoredColumn readColumn(SliceInput input)
    {
        int id = input.readInt();
        int storageCode = input.readUnsignedByte();
        StorageType storageType = StorageType.find(storageCode).orElseThrow(() -> new TooNewException("unknown storage type %s", storageCode));
        Slice typeId = Slices.allocate(input.readUnsignedShort());
        input.readBytes(typeId);
        return new StoredColumn(id, storageType, typeId.toStringUtf8());
    }
}
