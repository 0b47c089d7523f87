package io.albis.format.metadata;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slice;
import io.airlift.slice.SliceInput;
import io.airlift.slice.SliceOutput;
import io.airlift.slice.Slices;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * The names of the types with which bounds were written. A file stores each name once, and entries refer to it by its
 * index. An index never changes while names are added, so several files can begin with the same names.
 */
public final class TypeNames
{
    /**
     * The index that means no type.
     */
    static final int NONE = 0xFFFF;

    private final Map<String, Integer> indexes = new LinkedHashMap<>();
    private int length = Short.BYTES;

    /**
     * Returns the index of a name, and adds the name if necessary; {@link #NONE} if there are too many names.
     */
    int index(String name)
    {
        Integer known = indexes.get(name);
        if (known != null) {
            return known;
        }
        if (indexes.size() == NONE) {
            return NONE;
        }
        indexes.put(name, indexes.size());
        length += Short.BYTES + encode(name).length();
        return indexes.size() - 1;
    }

    /**
     * Returns the number of bytes that {@link #write} writes.
     */
    public int length()
    {
        return length;
    }

    public void write(SliceOutput output)
    {
        output.writeShort(indexes.size());
        for (String name : indexes.keySet()) {
            Slice bytes = encode(name);
            output.writeShort(bytes.length());
            output.writeBytes(bytes);
        }
    }

    /**
     * Reads names.
     *
     * @return the names by their indexes
     * @throws IndexOutOfBoundsException if the input is too short
     */
    public static List<String> read(SliceInput input)
    {
        int count = input.readUnsignedShort();
        ImmutableList.Builder<String> names = ImmutableList.builder();
        for (int i = 0; i < count; i++) {
            names.add(input.readSlice(input.readUnsignedShort()).toStringUtf8());
        }
        return names.build();
    }

    private static Slice encode(String name)
    {
        Slice bytes = Slices.utf8Slice(name);
        checkArgument(bytes.length() <= 0xFFFF, "the name of a type has %s bytes", bytes.length());
        return bytes;
    }
}
