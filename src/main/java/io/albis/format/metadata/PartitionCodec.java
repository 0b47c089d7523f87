package io.albis.format.metadata;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.SliceInput;
import io.airlift.slice.SliceOutput;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Encodes and decodes the partition in the entry of a row group. The entry of a row group without a partition ends
 * before it, unless something follows it. Writers that do not support partitions write entries without one.
 */
final class PartitionCodec
{
    private static final int NULL = 0;
    private static final int VALUE = 1;
    private static final int MIN_SIZE = 2 * Integer.BYTES + 2;

    private PartitionCodec() {}

    private record Function(int columnId, int transform, int parameter) {}

    static void write(List<PartitionValue> partition, SliceOutput output)
    {
        output.writeInt(partition.size());
        for (PartitionValue value : partition) {
            output.writeInt(value.columnId());
            output.writeByte(value.transform());
            output.writeInt(value.parameter());
            output.writeByte(value.value().isPresent() ? VALUE : NULL);
            if (value.value().isPresent()) {
                output.writeInt(value.value().get().length);
                output.writeBytes(value.value().get());
            }
        }
    }

    /**
     * Reads the partition, if the entry of the row group does not end before it.
     *
     * @throws IllegalArgumentException or IndexOutOfBoundsException if the input does not contain a valid partition
     */
    static List<PartitionValue> read(SliceInput input)
    {
        if (!input.isReadable()) {
            return ImmutableList.of();
        }
        int count = input.readInt();
        checkArgument(count >= 0 && count <= input.available() / MIN_SIZE, "%s values of a partition do not fit into the remaining %s bytes", count, input.available());
        ImmutableList.Builder<PartitionValue> partition = ImmutableList.builderWithExpectedSize(count);
        for (int i = 0; i < count; i++) {
            int columnId = input.readInt();
            int transform = input.readUnsignedByte();
            int parameter = input.readInt();
            partition.add(new PartitionValue(columnId, transform, parameter, readValue(input)));
        }
        return checkFunctions(partition.build());
    }

    /**
     * Two values of a function would contradict each other.
     */
    private static List<PartitionValue> checkFunctions(List<PartitionValue> partition)
    {
        if (partition.size() > 1) {
            Set<Function> functions = new HashSet<>();
            for (PartitionValue value : partition) {
                checkArgument(functions.add(new Function(value.columnId(), value.transform(), value.parameter())), "the partition has two values of the same function of column %s", value.columnId());
            }
        }
        return partition;
    }

    private static Optional<byte[]> readValue(SliceInput input)
    {
        int form = input.readUnsignedByte();
        checkArgument(form == NULL || form == VALUE, "unknown form of the value of a partition: %s", form);
        if (form == NULL) {
            return Optional.empty();
        }
        int length = input.readInt();
        checkArgument(length >= 0 && length <= input.available(), "the value of a partition with %s bytes does not fit into the remaining %s bytes", length, input.available());
        byte[] value = new byte[length];
        input.readBytes(value);
        return Optional.of(value);
    }
}
