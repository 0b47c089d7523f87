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
import io.albis.format.metadata.ColumnGroupMetadata.StoredColumn;
import io.albis.format.run.Chunk;
import io.albis.format.run.ChunkCodec;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.statistics.StatisticsCodec;
import io.albis.format.type.StorageType;
import io.trino.filesystem.Location;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiConsumer;

import static com.google.common.base.Preconditions.checkArgument;
import static io.albis.format.io.AlbisDataException.damaged;
import static io.albis.format.statistics.StatisticsCodec.readCount;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Encodes and decodes the {@code metadata} file of a column group; see {@code docs/format.md}.
 */
public final class MetadataCodec
{
    private static final int MIN_COLUMN_SIZE = Integer.BYTES + 1 + Short.BYTES;

    private MetadataCodec() {}

    /**
     * Encodes a {@code metadata} file.
     *
     * @param dataBytes size of the data file in bytes
     * @param segmentRows number of rows of each segment
     * @param chunks the chunks of all segments, for each column in the block layout and once in the row layout
     * @param statistics for each column, the statistics of all segments
     */
    public static Slice encode(
            UUID id,
            AlbisLayout layout,
            List<StoredColumn> columns,
            long dataBytes,
            List<Integer> segmentRows,
            List<List<Chunk>> chunks,
            List<List<ColumnStatistics>> statistics)
    {
        SliceOutput output = new DynamicSliceOutput(1024);
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
        writeSections(chunks, (stream, section) -> stream.forEach(chunk -> ChunkCodec.write(chunk, section)), output);
        writeSections(statistics, StatisticsCodec::write, output);
        return FileFrame.frame(FileKind.METADATA, id, output.slice());
    }

    // Each section is preceded by its length, so that a reader can skip the columns that it does not need.
    private static <T> void writeSections(List<T> contents, BiConsumer<T, SliceOutput> writer, SliceOutput output)
    {
        for (T content : contents) {
            SliceOutput section = new DynamicSliceOutput(256);
            writer.accept(content, section);
            output.writeInt(section.size());
            output.writeBytes(section.slice());
        }
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
            SliceInput input = body.getInput();
            ColumnGroupMetadata metadata = decode(location, body, input);
            checkArgument(input.available() == 0, "%s unexpected bytes at the end", input.available());
            return metadata;
        }
        catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw damaged("Damaged Albis file %s: %s", location, e.getMessage());
        }
    }

    private static ColumnGroupMetadata decode(Location location, Slice body, SliceInput input)
    {
        AlbisLayout layout = AlbisLayout.ofCode(input.readUnsignedByte());
        int columnCount = readCount(input, MIN_COLUMN_SIZE);
        ImmutableList.Builder<StoredColumn> columns = ImmutableList.builderWithExpectedSize(columnCount);
        for (int i = 0; i < columnCount; i++) {
            int id = input.readInt();
            StorageType storageType = StorageType.ofCode(input.readUnsignedByte());
            Slice typeId = Slices.allocate(input.readUnsignedShort());
            input.readBytes(typeId);
            columns.add(new StoredColumn(id, storageType, typeId.toStringUtf8()));
        }
        long dataBytes = input.readLong();
        int[] segmentRows = new int[readCount(input, Integer.BYTES)];
        for (int segment = 0; segment < segmentRows.length; segment++) {
            segmentRows[segment] = input.readInt();
        }
        List<Slice> chunks = readSections(ColumnGroupMetadata.streams(layout, columnCount), body, input);
        List<Slice> statistics = readSections(columnCount, body, input);
        return new ColumnGroupMetadata(location, layout, columns.build(), dataBytes, segmentRows, chunks, statistics);
    }

    private static List<Slice> readSections(int count, Slice body, SliceInput input)
    {
        ImmutableList.Builder<Slice> sections = ImmutableList.builderWithExpectedSize(count);
        for (int i = 0; i < count; i++) {
            int length = readCount(input, 1);
            sections.add(body.slice((int) input.position(), length));
            input.skip(length);
        }
        return sections.build();
    }
}
