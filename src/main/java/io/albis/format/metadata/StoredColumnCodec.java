package io.albis.format.metadata;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slice;
import io.airlift.slice.SliceInput;
import io.airlift.slice.SliceOutput;
import io.airlift.slice.Slices;
import io.albis.format.io.TooNewException;
import io.albis.format.type.NestedKind;
import io.albis.format.type.NestedTypes;
import io.albis.format.type.StorageType;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import static com.google.common.base.Preconditions.checkArgument;
import static io.albis.format.statistics.StatisticsCodec.readCount;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Encodes and decodes the description of a column and of the nodes below it; see {@code docs/format.md}.
 */
final class StoredColumnCodec
{
    private static final int MIN_SIZE = Integer.BYTES + 1 + Short.BYTES;

    private StoredColumnCodec() {}

    static void write(StoredColumn column, SliceOutput output)
    {
        output.writeInt(column.id());
        output.writeByte(column.kind().map(NestedKind::code).orElse(column.storageType().code()));
        if (column.kind().isPresent()) {
            output.writeInt(column.children().size());
            for (StoredColumn child : column.children()) {
                write(child, output);
            }
            return;
        }
        byte[] typeId = column.typeId().getBytes(UTF_8);
        output.writeShort(typeId.length);
        output.writeBytes(typeId);
    }

    /**
     * Reads a column and the nodes below it.
     *
     * @throws TooNewException if the column contains a storage type that this reader does not know
     * @throws IllegalArgumentException or IndexOutOfBoundsException if the input does not contain a valid column
     */
    static StoredColumn read(SliceInput input)
    {
        return read(input, 1);
    }

    private static StoredColumn read(SliceInput input, int depth)
    {
        // a damaged file cannot overflow the stack
        checkArgument(depth <= NestedTypes.MAX_DEPTH, "a column has more than %s levels", NestedTypes.MAX_DEPTH);
        int id = input.readInt();
        int code = input.readUnsignedByte();
        Optional<NestedKind> kind = NestedKind.find(code);
        if (kind.isPresent()) {
            return new StoredColumn(id, kind.get().storageType(), "", kind, readChildren(kind.get(), input, depth));
        }
        StorageType storageType = StorageType.find(code).orElseThrow(() -> new TooNewException("unknown storage type %s", code));
        Slice typeId = Slices.allocate(input.readUnsignedShort());
        input.readBytes(typeId);
        return new StoredColumn(id, storageType, typeId.toStringUtf8());
    }

    private static List<StoredColumn> readChildren(NestedKind kind, SliceInput input, int depth)
    {
        int count = readCount(input, MIN_SIZE);
        checkArgument(kind.hasChildren(count), "a column of kind %s has %s children", kind, count);
        ImmutableList.Builder<StoredColumn> children = ImmutableList.builder();
        Set<Integer> ids = new HashSet<>();
        for (int child = 0; child < count; child++) {
            StoredColumn column = read(input, depth + 1);
            checkArgument(ids.add(column.id()), "a column of kind %s has two children with the id %s", kind, column.id());
            children.add(column);
        }
        return children.build();
    }
}
