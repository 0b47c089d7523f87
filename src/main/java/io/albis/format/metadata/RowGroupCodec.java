package io.albis.format.metadata;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.SliceInput;
import io.airlift.slice.SliceOutput;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.statistics.StatisticsCodec;

import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;

import static com.google.common.base.Preconditions.checkArgument;
import static io.albis.format.statistics.StatisticsCodec.readCount;

/**
 * Encodes and decodes a row group as an entry of a manifest, and as the message of a writer to the node that commits.
 */
public final class RowGroupCodec
{
    private static final int UUID_SIZE = 2 * Long.BYTES;
    static final int MIN_SIZE = UUID_SIZE + Long.BYTES + 2 * Integer.BYTES;
    private static final int MIN_INSTANCE_SIZE = UUID_SIZE + Long.BYTES + 3 * Integer.BYTES;

    // keeps the sum over all row groups of a table within the range of a long
    private static final long MAX_BYTES = 1L << 50;

    private RowGroupCodec() {}

    /**
     * Writes a row group.
     */
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
     * Reads a row group.
     *
     * @throws IllegalArgumentException or IndexOutOfBoundsException if the input does not contain a valid row group
     */
    public static RowGroup read(SliceInput input)
    {
        UUID id = readId(input);
        long rows = input.readLong();
        List<ColumnGroupInstance> columnGroups = readColumnGroups(input, columnIds -> columnIds);
        List<ColumnStatistics> statistics = StatisticsCodec.read(input);
        for (ColumnStatistics column : statistics) {
            StatisticsCodec.checkNullCount(column.columnId(), column.nullCount(), rows);
        }
        return new RowGroup(id, rows, columnGroups, statistics);
    }

    /**
     * Reads the column groups of a row group.
     *
     * @param shareColumnIds returns a canonical instance for a list of column ids
     */
    static List<ColumnGroupInstance> readColumnGroups(SliceInput input, UnaryOperator<List<Integer>> shareColumnIds)
    {
        long bytes = 0;
        int columnGroupCount = readCount(input, MIN_INSTANCE_SIZE);
        ImmutableList.Builder<ColumnGroupInstance> columnGroups = ImmutableList.builderWithExpectedSize(columnGroupCount);
        for (int i = 0; i < columnGroupCount; i++) {
            UUID columnGroupId = readId(input);
            long dataBytes = input.readLong();
            int metadataBytes = input.readInt();
            checkArgument(dataBytes >= 0 && metadataBytes >= 0 && dataBytes <= MAX_BYTES - metadataBytes - bytes, "the row group exceeds the maximum size of %s bytes", MAX_BYTES);
            bytes += dataBytes + metadataBytes;
            int columnCount = readCount(input, Integer.BYTES);
            ImmutableList.Builder<Integer> columnIds = ImmutableList.builderWithExpectedSize(columnCount);
            for (int column = 0; column < columnCount; column++) {
                columnIds.add(input.readInt());
            }
            columnGroups.add(new ColumnGroupInstance(columnGroupId, shareColumnIds.apply(columnIds.build()), dataBytes, metadataBytes));
        }
        return columnGroups.build();
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
