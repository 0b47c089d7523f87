package io.albis.format.metadata;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.SliceInput;
import io.airlift.slice.SliceOutput;

import java.util.UUID;

import static io.albis.format.metadata.StatisticsCodec.readCount;

/**
 * A row group as bytes: an entry of a manifest, and what a writer hands to the one that commits.
 */
public final class RowGroupCodec
{
    private static final int UUID_SIZE = 2 * Long.BYTES;
    private static final int MIN_INSTANCE_SIZE = UUID_SIZE + Long.BYTES + 3 * Integer.BYTES;

    private RowGroupCodec() {}

    public static void write(RowGroup rowGroup, SliceOutput output)
    {
        writeId(rowGroup.id(), output);
        output.writeLong(rowGroup.rows());
        output.writeInt(rowGroup.columnGroups().size());
        for (ColumnGroupInstance columnGroup : rowGroup.columnGroups()) {
            writeId(columnGroup.id(), output);
            output.writeLong(columnGroup.dataBytes());
            output.writeInt(columnGroup.metadataBytes());
            output.writeInt(columnGroup.columnIds().size());
            for (int columnId : columnGroup.columnIds()) {
                output.writeInt(columnId);
            }
        }
        StatisticsCodec.write(rowGroup.statistics(), output);
    }

    /**
     * @throws IllegalArgumentException or IndexOutOfBoundsException if this is no row group
     */
    public static RowGroup read(SliceInput input)
    {
        UUID id = readId(input);
        long rows = input.readLong();
        int columnGroupCount = readCount(input, MIN_INSTANCE_SIZE);
        ImmutableList.Builder<ColumnGroupInstance> columnGroups = ImmutableList.builderWithExpectedSize(columnGroupCount);
        for (int i = 0; i < columnGroupCount; i++) {
            UUID columnGroupId = readId(input);
            long dataBytes = input.readLong();
            int metadataBytes = input.readInt();
            int columnCount = readCount(input, Integer.BYTES);
            ImmutableList.Builder<Integer> columnIds = ImmutableList.builderWithExpectedSize(columnCount);
            for (int column = 0; column < columnCount; column++) {
                columnIds.add(input.readInt());
            }
            columnGroups.add(new ColumnGroupInstance(columnGroupId, columnIds.build(), dataBytes, metadataBytes));
        }
        return new RowGroup(id, rows, columnGroups.build(), StatisticsCodec.read(input));
    }

    private static void writeId(UUID id, SliceOutput output)
    {
        output.writeLong(Long.reverseBytes(id.getMostSignificantBits()));
        output.writeLong(Long.reverseBytes(id.getLeastSignificantBits()));
    }

    private static UUID readId(SliceInput input)
    {
        return new UUID(Long.reverseBytes(input.readLong()), Long.reverseBytes(input.readLong()));
    }
}
