package io.albis.format.metadata;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.SliceInput;
import io.airlift.slice.SliceOutput;

import java.util.List;
import java.util.function.UnaryOperator;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Encodes and decodes the paths of the fields in the entry of a row group. They follow the statistics of the fields,
 * which are stored in the same form as those of columns.
 */
final class FieldBoundsCodec
{
    private FieldBoundsCodec() {}

    static void writePaths(List<List<Integer>> paths, SliceOutput output)
    {
        for (List<Integer> path : paths) {
            output.writeShort(path.size());
            path.forEach(output::writeInt);
        }
    }

    /**
     * Reads the paths of a number of fields.
     *
     * @param share returns a canonical instance for a path
     * @throws IllegalArgumentException or IndexOutOfBoundsException if the input does not contain valid paths
     */
    static List<List<Integer>> readPaths(SliceInput input, int count, UnaryOperator<List<Integer>> share)
    {
        ImmutableList.Builder<List<Integer>> paths = ImmutableList.builderWithExpectedSize(count);
        for (int field = 0; field < count; field++) {
            int length = input.readUnsignedShort();
            checkArgument(length > 0 && length <= input.available() / Integer.BYTES, "the path of a field with %s ids does not fit into the remaining %s bytes", length, input.available());
            ImmutableList.Builder<Integer> path = ImmutableList.builderWithExpectedSize(length);
            for (int i = 0; i < length; i++) {
                path.add(input.readInt());
            }
            paths.add(share.apply(path.build()));
        }
        return paths.build();
    }
}
