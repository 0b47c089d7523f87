package io.albis.format.metadata;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.SliceInput;
import io.airlift.slice.SliceOutput;

import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;

import static io.albis.format.metadata.StatisticsCodec.readCount;

/**
 * A row group as bytes: an entry of a manifest, and what a writer hands to the one that commits.
 */
public final class RowGroupCodec
{
    private static final int UUID_SIZE = 2 * Long.BYTES;
    static final int MIN_INSTANCE_SIZE = UUID_SIZE + Long.BYTES + 3 * Integer.BYTES;

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
            columnGroups.add(readInstance(input, columnIds -> columnIds));
        }
        return new RowGroup(id, rows, columnGroups.build(), StatisticsCodec.read(input));
    }

    /**
     * @param shareColumnIds gives the list to keep in place of an equal one
     */
    static ColumnGroupInstance readInstance(SliceInput input, UnaryOperator<List<Integer>> shareColumnIds)
    {
        UUID columnGroupId = readId(input);
        long dataBytes = input.readLong();
        int metadataBytes = input.readInt();
        int columnCount = readCount(input, Integer.BYTES);
        ImmutableList.Builder<Integer> columnIds = ImmutableList.builderWithExpectedSize(columnCount);
        for (int column = 0; column < columnCount; column++) {
            columnIds.add(input.readInt());
        }
        return new ColumnGroupInstance(columnGroupId, shareColumnIds.apply(columnIds.build()), dataBytes, metadataBytes);
    }

    private static void writeId(UUID id, SliceOutput output)
    {
        output.writeLong(Long.reverseBytes(id.getMostSignificantBits()));
        output.writeLong(Long.reverseBytes(id.getLeastSignificantBits()));
    }

    static UUID readId(SliceInput input)
    {
        return new UUID(Long.reverseBytes(input.readLong()), Long.reverseBytes(input.readLong()));
    }
}
