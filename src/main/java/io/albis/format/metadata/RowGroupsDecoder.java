package io.albis.format.metadata;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.SizeOf;
import io.airlift.slice.Slice;
import io.airlift.slice.SliceInput;
import io.albis.format.statistics.EncodedStatistics;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import static io.airlift.slice.SizeOf.instanceSize;
import static io.airlift.slice.SizeOf.sizeOfObjectArray;
import static io.albis.format.metadata.RowGroupCodec.readColumnGroups;
import static io.albis.format.metadata.RowGroupCodec.readLength;
import static java.util.Objects.requireNonNull;

/**
 * Decodes many row groups in a form that takes little memory. All bytes are validated immediately. Statistics objects
 * are created on demand, and lists that occur in many row groups are stored once. The row groups refer to the bytes,
 * which must not change.
 */
public final class RowGroupsDecoder
{
    /**
     * Minimum size of an encoded row group in bytes.
     */
    public static final int MIN_SIZE = RowGroupCodec.MIN_SIZE;

    private static final int ROW_GROUP_SIZE = instanceSize(RowGroup.class) + instanceSize(UUID.class) + instanceSize(ImmutableList.of().getClass()) + EncodedStatistics.INSTANCE_SIZE + instanceSize(Slice.class);
    private static final int DELETED_ROWS_SIZE = instanceSize(DeletedRows.class) + instanceSize(UUID.class) + instanceSize(Optional.class);
    private static final int COLUMN_GROUP_SIZE = instanceSize(ColumnGroupInstance.class) + instanceSize(UUID.class);
    private static final int PARTITION_VALUE_SIZE = instanceSize(PartitionValue.class) + instanceSize(Optional.class);
    private static final int FIELD_BOUNDS_SIZE = instanceSize(FieldBounds.class) + EncodedStatistics.INSTANCE_SIZE;
    private static final int INTEGER_SIZE = instanceSize(Integer.class);

    private final SliceInput input;
    private final List<String> types;
    // of columns, and of the fields of a path
    private final Map<List<Integer>, List<Integer>> ids = new HashMap<>();
    private final Map<List<List<Integer>>, List<List<Integer>>> fieldPaths = new HashMap<>();

    private long retainedSize;

    /**
     * Creates a decoder of the row groups that follow in an input.
     *
     * @param input input that reads immutable bytes
     * @param types names of the types of the file
     */
    public RowGroupsDecoder(SliceInput input, List<String> types)
    {
        this.input = requireNonNull(input, "input is null");
        this.types = ImmutableList.copyOf(types);
    }

    /**
     * Reads the next row group.
     *
     * @throws io.albis.format.io.TooNewException if the row group contains a code that this reader does not know
     * @throws IllegalArgumentException or IndexOutOfBoundsException if the input does not contain a valid row group
     */
    public RowGroup read()
    {
        Slice bytes = input.readSlice(readLength(input));
        SliceInput content = bytes.getInput();
        RowGroupCodec.Head head = RowGroupCodec.Head.read(content);
        List<ColumnGroupInstance> columnGroups = readColumnGroups(content, this::share);
        EncodedStatistics statistics = EncodedStatistics.readTyped(bytes, content, head.rows(), types);
        List<PartitionValue> partition = PartitionCodec.read(content);
        retainedSize += sizeOfObjectArray(partition.size()) + (long) partition.size() * PARTITION_VALUE_SIZE;
        for (PartitionValue value : partition) {
            retainedSize += value.value().map(SizeOf::sizeOf).orElse(0L);
        }
        FieldBounds fieldBounds = readFieldBounds(bytes, content, head.rows());
        retainedSize += ROW_GROUP_SIZE + sizeOfObjectArray(columnGroups.size()) + (long) columnGroups.size() * COLUMN_GROUP_SIZE;
        retainedSize += head.deletedRows().isPresent() ? DELETED_ROWS_SIZE : 0;
        return new RowGroup(head.id(), head.rows(), columnGroups, statistics, fieldBounds, head.addedVersion(), head.deletedRows(), partition);
    }

    private FieldBounds readFieldBounds(Slice bytes, SliceInput content, long rows)
    {
        if (!content.isReadable()) {
            return FieldBounds.NONE;
        }
        EncodedStatistics statistics = EncodedStatistics.readTyped(bytes, content, rows, types);
        List<List<Integer>> paths = FieldBoundsCodec.readPaths(content, statistics.size(), this::share);
        retainedSize += FIELD_BOUNDS_SIZE;
        List<List<Integer>> known = fieldPaths.putIfAbsent(paths, paths);
        if (known == null) {
            retainedSize += sizeOfObjectArray(paths.size());
        }
        return new FieldBounds(known == null ? paths : known, statistics);
    }

    /**
     * Returns the memory in bytes of all row groups that were read, excluding {@code bytes} itself.
     */
    public long retainedSize()
    {
        return retainedSize;
    }

    private List<Integer> share(List<Integer> list)
    {
        List<Integer> known = ids.putIfAbsent(list, list);
        if (known != null) {
            return known;
        }
        retainedSize += instanceSize(list.getClass()) + sizeOfObjectArray(list.size()) + (long) list.size() * INTEGER_SIZE;
        return list;
    }
}
