package io.albis.format.filter;

import io.airlift.slice.Slice;
import io.airlift.slice.XxHash64;

import java.util.List;

import static io.airlift.slice.SizeOf.instanceSize;
import static io.airlift.slice.SizeOf.sizeOf;

/**
 * A set of single byte strings in a hash table with open addressing, so that a lookup allocates nothing.
 */
final class HashBytesSet
        implements BytesSet
{
    private static final int SLICE_SIZE = instanceSize(Slice.class);

    private final Slice[] table;
    private final int mask;
    private final long retainedSize;

    HashBytesSet(List<Slice> values)
    {
        // at most half full
        this.table = new Slice[Math.max(2, Integer.highestOneBit(Math.max(1, values.size())) << 2)];
        this.mask = table.length - 1;
        for (Slice value : values) {
            int index = index(value, 0, value.length());
            while (table[index] != null) {
                index = (index + 1) & mask;
            }
            table[index] = value;
        }
        // excludes the bytes of the values, which the domain retains
        this.retainedSize = sizeOf(table) + (long) values.size() * SLICE_SIZE;
    }

    @Override
    public boolean contains(Slice slice, int offset, int length)
    {
        int index = index(slice, offset, length);
        while (table[index] != null) {
            if (table[index].equals(0, table[index].length(), slice, offset, length)) {
                return true;
            }
            index = (index + 1) & mask;
        }
        return false;
    }

    private int index(Slice slice, int offset, int length)
    {
        return (int) XxHash64.hash(slice, offset, length) & mask;
    }

    @Override
    public long retainedSize()
    {
        return retainedSize;
    }
}
