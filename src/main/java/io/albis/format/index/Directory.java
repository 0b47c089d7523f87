package io.albis.format.index;

import io.airlift.slice.Slice;
import io.airlift.slice.SliceInput;
import io.albis.format.type.OrderKeys;

import java.util.function.Predicate;

import static com.google.common.base.Preconditions.checkArgument;
import static io.airlift.slice.SizeOf.instanceSize;
import static io.airlift.slice.SizeOf.sizeOf;

/**
 * The pages of an index. Immutable and thread safe.
 */
public final class Directory
{
    /**
     * A page.
     *
     * @param begin offset in the values
     * @param end offset of its end in the values
     * @param positions offset of the positions of its first value
     * @param rows number of rows of the values before it
     */
    record Page(int begin, int end, int positions, int rows) {}

    private static final long INSTANCE_SIZE = instanceSize(Directory.class);
    private static final int MIN_ENTRY_SIZE = Short.BYTES + 3 * Integer.BYTES;

    private final OrderKeys orderKeys;
    private final Slice bytes;
    // by page: where the key of its first value is, or a prefix of it that is greater than all keys before it
    private final int[] keyBegin;
    private final int[] keyEnd;
    // by page, with one element more for the end of the last page
    private final int[] begin;
    private final int[] positions;
    private final int[] rows;

    /**
     * Reads a directory.
     *
     * @throws IllegalArgumentException or IndexOutOfBoundsException if it is damaged
     */
    Directory(OrderKeys orderKeys, ValueList list, Slice bytes)
    {
        this.orderKeys = orderKeys;
        this.bytes = bytes;
        SliceInput input = bytes.getInput();
        int count = input.readInt();
        checkArgument(count >= 0 && (long) count * MIN_ENTRY_SIZE <= input.available(), "the directory has %s pages", count);
        keyBegin = new int[count];
        keyEnd = new int[count];
        begin = new int[count + 1];
        positions = new int[count + 1];
        rows = new int[count + 1];
        for (int page = 0; page < count; page++) {
            int length = input.readUnsignedShort();
            keyBegin[page] = (int) input.position();
            keyEnd[page] = keyBegin[page] + length;
            checkArgument(input.skip(length) == length, "page %s of the directory is incomplete", page);
            begin[page] = input.readInt();
            positions[page] = input.readInt();
            rows[page] = input.readInt();
        }
        checkArgument(input.available() == 0, "the directory has %s unexpected bytes", input.available());
        begin[count] = list.pages().length();
        positions[count] = list.postings().length();
        rows[count] = list.rows();
        for (int page = 0; page < count; page++) {
            boolean ordered = 0 <= begin[page] && begin[page] <= begin[page + 1] && list.nullsLength() <= positions[page] && positions[page] <= positions[page + 1] && 0 <= rows[page] && rows[page] <= rows[page + 1];
            checkArgument(ordered, "page %s of the directory is invalid", page);
        }
    }

    /**
     * Returns the number of the first page that may contain values of a range.
     */
    int firstPage(KeyRange range)
    {
        // the page before the first one that begins in the range may end in it
        return Math.max(find(key -> !range.isAfter(orderKeys, key)) - 1, 0);
    }

    /**
     * Returns the number after that of the last page that may contain values of a range. It is not greater than that of
     * the first page if no page can contain them.
     */
    int endPage(KeyRange range)
    {
        return find(key -> range.isBefore(orderKeys, key));
    }

    Page page(int page)
    {
        return new Page(begin[page], begin[page + 1], positions[page], rows[page]);
    }

    private Slice key(int page)
    {
        return bytes.slice(keyBegin[page], keyEnd[page] - keyBegin[page]);
    }

    /**
     * Returns the index of the first page whose key has a property that all keys after it have, too.
     */
    private int find(Predicate<Slice> property)
    {
        int low = 0;
        int high = keyBegin.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (property.test(key(middle))) {
                high = middle;
            }
            else {
                low = middle + 1;
            }
        }
        return low;
    }

    /**
     * Returns the retained memory in bytes.
     */
    public long retainedSize()
    {
        return INSTANCE_SIZE + bytes.getRetainedSize() + sizeOf(keyBegin) + sizeOf(keyEnd) + sizeOf(begin) + sizeOf(positions) + sizeOf(rows);
    }
}
