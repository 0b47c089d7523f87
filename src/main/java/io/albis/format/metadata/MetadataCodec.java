package io.albis.format.metadata;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.DynamicSliceOutput;
import io.airlift.slice.Slice;
import io.airlift.slice.SliceInput;
import io.airlift.slice.SliceOutput;
import io.airlift.slice.Slices;
import io.albis.format.AlbisDataException;
import io.albis.format.AlbisLayout;
import io.albis.format.metadata.ColumnGroupMetadata.StoredColumn;
import io.albis.format.type.StorageType;
import io.trino.filesystem.Location;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

import static com.google.common.base.Preconditions.checkArgument;
import static io.albis.format.AlbisDataException.damaged;
import static io.albis.format.metadata.StatisticsCodec.readCount;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The {@code metadata} file of a column group as bytes; see {@code docs/format.md}.
 */
public final class MetadataCodec
{
    private static final List<AlbisLayout> LAYOUTS = ImmutableList.copyOf(AlbisLayout.values());
    private static final List<StorageType> STORAGE_TYPES = ImmutableList.copyOf(StorageType.values());
    private static final int MIN_COLUMN_SIZE = Integer.BYTES + 1 + Short.BYTES;
    private static final int MIN_SEGMENT_SIZE = 2 * Integer.BYTES;
    private static final int RUN_SIZE = Long.BYTES + 3 * Integer.BYTES;

    private MetadataCodec() {}

    public static Slice encode(UUID id, ColumnGroupMetadata metadata)
    {
        SliceOutput output = new DynamicSliceOutput(1024);
        output.writeByte(metadata.layout().ordinal());
        output.writeInt(metadata.columns().size());
        for (StoredColumn column : metadata.columns()) {
            output.writeInt(column.id());
            output.writeByte(column.storageType().ordinal());
            byte[] typeId = column.typeId().getBytes(UTF_8);
            output.writeShort(typeId.length);
            output.writeBytes(typeId);
        }
        output.writeLong(metadata.dataBytes());
        output.writeInt(metadata.segments().size());
        for (Segment segment : metadata.segments()) {
            output.writeInt(segment.runs().size());
            for (Run run : segment.runs()) {
                output.writeLong(run.offset());
                output.writeInt(run.rows());
                output.writeInt(run.length());
                output.writeInt(run.checksum());
            }
            StatisticsCodec.write(segment.statistics(), output);
        }
        return FileFrame.frame(FileKind.METADATA, id, output.slice());
    }

    public static ColumnGroupMetadata decode(Location location, Optional<UUID> expectedId, Slice file)
            throws AlbisDataException
    {
        Slice body = FileFrame.unframe(location, FileKind.METADATA, expectedId, file);
        try {
            SliceInput input = body.getInput();
            ColumnGroupMetadata metadata = decode(input);
            checkArgument(input.available() == 0, "%s bytes are left over", input.available());
            return metadata;
        }
        catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw damaged("Damaged Albis file %s: %s", location, e.getMessage());
        }
    }

    private static ColumnGroupMetadata decode(SliceInput input)
    {
        AlbisLayout layout = readLayout(input);
        int columnCount = readCount(input, MIN_COLUMN_SIZE);
        ImmutableList.Builder<StoredColumn> columns = ImmutableList.builderWithExpectedSize(columnCount);
        for (int i = 0; i < columnCount; i++) {
            int id = input.readInt();
            int storageType = input.readUnsignedByte();
            checkArgument(storageType < STORAGE_TYPES.size(), "unknown storage type %s", storageType);
            Slice typeId = Slices.allocate(input.readUnsignedShort());
            input.readBytes(typeId);
            columns.add(new StoredColumn(id, STORAGE_TYPES.get(storageType), typeId.toStringUtf8()));
        }
        long dataBytes = input.readLong();
        int segmentCount = readCount(input, MIN_SEGMENT_SIZE);
        ImmutableList.Builder<Segment> segments = ImmutableList.builderWithExpectedSize(segmentCount);
        for (int i = 0; i < segmentCount; i++) {
            int runCount = readCount(input, RUN_SIZE);
            ImmutableList.Builder<Run> runs = ImmutableList.builderWithExpectedSize(runCount);
            for (int run = 0; run < runCount; run++) {
                long offset = input.readLong();
                int rows = input.readInt();
                int length = input.readInt();
                runs.add(new Run(rows, offset, length, input.readInt()));
            }
            segments.add(new Segment(runs.build(), StatisticsCodec.read(input)));
        }
        return new ColumnGroupMetadata(layout, columns.build(), dataBytes, segments.build());
    }

    static AlbisLayout readLayout(SliceInput input)
    {
        int layout = input.readUnsignedByte();
        checkArgument(layout < LAYOUTS.size(), "unknown layout %s", layout);
        return LAYOUTS.get(layout);
    }
}
