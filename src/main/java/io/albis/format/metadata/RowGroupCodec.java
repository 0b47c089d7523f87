package io.albis.format.metadata;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.DynamicSliceOutput;
import io.airlift.slice.SliceInput;
import io.airlift.slice.SliceOutput;
import io.albis.format.io.TooNewException;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.statistics.StatisticsCodec;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.format.statistics.StatisticsCodec.readCount;

/**
 * Encodes and decodes a row group as an entry of a manifest, and as the message of a writer to the node that commits.
 * An entry begins with its length, so that a reader can skip what a newer writer has added at its end.
 */
public final class RowGroupCodec
{
    private static final int UUID_SIZE = 2 * Long.BYTES;
    private static final int MIN_CONTENT_SIZE = UUID_SIZE + 3 * Long.BYTES + 1 + 2 * Integer.BYTES;
    static final int MIN_SIZE = Integer.BYTES + MIN_CONTENT_SIZE;
    private static final int MIN_INSTANCE_SIZE = UUID_SIZE + Long.BYTES + 3 * Integer.BYTES;
    private static final int NOTHING_DELETED = 0;
    private static final int ROWS_DELETED = 1;

    // keeps the sum over all row groups of a table within the range of a long
    private static final long MAX_BYTES = 1L << 50;

    private RowGroupCodec() {}

    /**
     * Writes a row group as a message, which contains the names of its types.
     */
    public static void write(RowGroup rowGroup, SliceOutput output)
    {
        TypeNames types = new TypeNames();
        DynamicSliceOutput entry = new DynamicSliceOutput(256);
        writeEntry(rowGroup, types, entry);
        types.write(output);
        output.writeBytes(entry.slice());
    }

    /**
     * Reads a row group that {@link #write} has written.
     *
     * @throws IllegalArgumentException or IndexOutOfBoundsException if the input does not contain a valid row group
     */
    public static RowGroup read(SliceInput input)
    {
        return readEntry(input, TypeNames.read(input));
    }

    /**
     * Writes a row group as an entry of a file.
     *
     * @param types the names of the types of the file, to which those of the entry are added
     */
    public static void writeEntry(RowGroup rowGroup, TypeNames types, SliceOutput output)
    {
        DynamicSliceOutput content = new DynamicSliceOutput(256);
        writeContent(rowGroup, types, content);
        output.writeInt(content.size());
        output.writeBytes(content.slice());
    }

    private static void writeContent(RowGroup rowGroup, TypeNames types, SliceOutput output)
    {
        writeId(rowGroup.id(), output);
        output.writeLong(rowGroup.addedVersion());
        output.writeLong(rowGroup.rows());
        output.writeLong(rowGroup.liveRows());
        Optional<DeletedRows> deletedRows = rowGroup.deletedRows();
        output.writeByte(deletedRows.isPresent() ? ROWS_DELETED : NOTHING_DELETED);
        if (deletedRows.isPresent()) {
            writeDeletedRows(deletedRows.get(), output);
        }
        output.writeInt(rowGroup.columnGroups().size());
        for (ColumnGroupInstance columnGroup : rowGroup.columnGroups()) {
            writeId(columnGroup.id(), output);
            output.writeLong(columnGroup.dataBytes());
            output.writeInt(columnGroup.metadataBytes());
            output.writeInt(columnGroup.columnIds().size() + columnGroup.supersededIds().size());
            for (int columnId : columnGroup.columnIds()) {
                output.writeInt(columnId);
            }
            for (int columnId : columnGroup.supersededIds()) {
                output.writeInt(-columnId);
            }
        }
        writeStatistics(rowGroup.statistics(), types, output);
        FieldBounds fieldBounds = rowGroup.fieldBounds();
        if (!rowGroup.partition().isEmpty() || !fieldBounds.isEmpty()) {
            PartitionCodec.write(rowGroup.partition(), output);
        }
        if (!fieldBounds.isEmpty()) {
            writeStatistics(fieldBounds.statistics(), types, output);
            FieldBoundsCodec.writePaths(fieldBounds.paths(), output);
        }
    }

    /**
     * Writes statistics, and the index of the type of the bounds of each of them.
     */
    private static void writeStatistics(List<ColumnStatistics> statistics, TypeNames types, SliceOutput output)
    {
        List<ColumnStatistics> stored = statistics.stream()
                .map(column -> column.hasBounds() && typeIndex(column, types) == TypeNames.NONE ? column.withoutBounds() : column)
                .collect(toImmutableList());
        StatisticsCodec.write(stored, output);
        for (ColumnStatistics column : stored) {
            output.writeShort(column.hasBounds() ? typeIndex(column, types) : TypeNames.NONE);
        }
    }

    private static int typeIndex(ColumnStatistics column, TypeNames types)
    {
        return types.index(column.boundsType().orElseThrow(() -> new IllegalArgumentException("the bounds of column %s have no type".formatted(column.columnId()))));
    }

    /**
     * Reads an entry of a file.
     *
     * @param types names of the types of the file
     * @throws TooNewException if the entry contains a code that this reader does not know
     * @throws IllegalArgumentException or IndexOutOfBoundsException if the input does not contain a valid entry
     */
    static RowGroup readEntry(SliceInput input, List<String> types)
    {
        SliceInput content = input.readSlice(readLength(input)).getInput();
        Head head = Head.read(content);
        List<ColumnGroupInstance> columnGroups = readColumnGroups(content, columnIds -> columnIds);
        List<ColumnStatistics> statistics = readStatistics(content, head.rows(), types);
        List<PartitionValue> partition = PartitionCodec.read(content);
        return new RowGroup(head.id(), head.rows(), columnGroups, statistics, readFieldBounds(content, head.rows(), types), head.addedVersion(), head.deletedRows(), partition);
    }

    private static FieldBounds readFieldBounds(SliceInput content, long rows, List<String> types)
    {
        if (!content.isReadable()) {
            return FieldBounds.NONE;
        }
        List<ColumnStatistics> statistics = readStatistics(content, rows, types);
        return new FieldBounds(FieldBoundsCodec.readPaths(content, statistics.size(), path -> path), statistics);
    }

    private static List<ColumnStatistics> readStatistics(SliceInput content, long rows, List<String> types)
    {
        List<ColumnStatistics> untyped = StatisticsCodec.read(content);
        ImmutableList.Builder<ColumnStatistics> statistics = ImmutableList.builderWithExpectedSize(untyped.size());
        for (ColumnStatistics column : untyped) {
            StatisticsCodec.checkNullCount(column.columnId(), column.nullCount(), rows);
            int type = content.readUnsignedShort();
            statistics.add(column.hasBounds() ? column.withBoundsType(typeName(types, type)) : column);
        }
        return statistics.build();
    }

    /**
     * Reads the length of an entry without the length itself.
     */
    static int readLength(SliceInput input)
    {
        int length = input.readInt();
        checkArgument(length >= MIN_CONTENT_SIZE && length <= input.available(), "the entry of a row group with %s bytes does not fit into the remaining %s bytes", length, input.available());
        return length;
    }

    static String typeName(List<String> types, int index)
    {
        checkArgument(index < types.size(), "the type of a bound has the index %s, but there are %s types", index, types.size());
        return types.get(index);
    }

    /**
     * The beginning of an entry.
     */
    record Head(UUID id, long addedVersion, long rows, Optional<DeletedRows> deletedRows)
    {
        static Head read(SliceInput input)
        {
            UUID id = readId(input);
            long addedVersion = input.readLong();
            checkArgument(addedVersion >= 0, "the version that added a row group is negative: %s", addedVersion);
            long rows = input.readLong();
            long liveRows = input.readLong();
            int deleted = input.readUnsignedByte();
            if (deleted != NOTHING_DELETED && deleted != ROWS_DELETED) {
                throw new TooNewException("unknown form of deleted rows: %s", deleted);
            }
            Optional<DeletedRows> deletedRows = Optional.empty();
            if (deleted == ROWS_DELETED) {
                deletedRows = Optional.of(readDeletedRows(input));
            }
            long deletedCount = deletedRows.map(DeletedRows::count).orElse(0L);
            checkArgument(rows > 0 && liveRows >= 0 && rows - deletedCount == liveRows, "%s of %s rows are not deleted, but %s are deleted", liveRows, rows, deletedCount);
            return new Head(id, addedVersion, rows, deletedRows);
        }
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
            ImmutableList.Builder<Integer> supersededIds = ImmutableList.builder();
            for (int column = 0; column < columnCount; column++) {
                int columnId = input.readInt();
                if (columnId >= 0) {
                    columnIds.add(columnId);
                }
                else {
                    supersededIds.add(-columnId);
                }
            }
            columnGroups.add(new ColumnGroupInstance(columnGroupId, shareColumnIds.apply(columnIds.build()), shareColumnIds.apply(supersededIds.build()), dataBytes, metadataBytes));
        }
        return columnGroups.build();
    }

    public static void writeDeletedRows(DeletedRows deletedRows, SliceOutput output)
    {
        writeId(deletedRows.file(), output);
        output.writeLong(deletedRows.offset());
        output.writeInt(deletedRows.length());
        output.writeInt(deletedRows.checksum());
        output.writeLong(deletedRows.count());
    }

    public static DeletedRows readDeletedRows(SliceInput input)
    {
        return new DeletedRows(readId(input), input.readLong(), input.readInt(), input.readInt(), input.readLong());
    }

    public static void writeId(UUID id, SliceOutput output)
    {
        output.writeLong(Long.reverseBytes(id.getMostSignificantBits()));
        output.writeLong(Long.reverseBytes(id.getLeastSignificantBits()));
    }

    public static UUID readId(SliceInput input)
    {
        return new UUID(Long.reverseBytes(input.readLong()), Long.reverseBytes(input.readLong()));
    }
}
