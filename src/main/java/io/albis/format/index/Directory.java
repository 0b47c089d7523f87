package io.albis.format.index;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slice;
import io.airlift.slice.SliceInput;
import io.albis.format.type.OrderKeys;

import java.util.List;
import java.util.function.Predicate;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * The pages of an index.
 */
final class Directory
{
    /**
     * A page.
     *
     * @param first the key of its first value, or a prefix of it that is greater than all keys before it
     * @param begin offset in the values
     * @param end offset of its end in the values
     * @param positions offset of the positions of its first value
     * @param rows number of rows of the values before it
     */
    record Page(Slice first, int begin, int end, int positions, int rows) {}

    private static final int MIN_ENTRY_SIZE = Short.BYTES + 3 * Integer.BYTES;

    private final OrderKeys orderKeys;
    private final List<Page> pages;

    private Directory(OrderKeys orderKeys, List<Page> pages)
    {
        this.orderKeys = orderKeys;
        this.pages = pages;
    }

    /**
     * Reads a directory.
     *
     * @throws IllegalArgumentException or IndexOutOfBoundsException if it is damaged
     */
    static Directory read(OrderKeys orderKeys, ValueList list, SliceInput input)
    {
        int count = input.readInt();
        checkArgument(count >= 0 && (long) count * MIN_ENTRY_SIZE <= input.available(), "the directory has %s pages", count);
        Slice[] first = new Slice[count];
        int[] begin = new int[count + 1];
        int[] positions = new int[count + 1];
        int[] rows = new int[count + 1];
        for (int page = 0; page < count; page++) {
            first[page] = input.readSlice(input.readUnsignedShort());
            begin[page] = input.readInt();
            positions[page] = input.readInt();
            rows[page] = input.readInt();
        }
        checkArgument(input.available() == 0, "the directory has %s unexpected bytes", input.available());
        begin[count] = list.pages().length();
        positions[count] = list.postings().length();
        rows[count] = list.rows();
        ImmutableList.Builder<Page> pages = ImmutableList.builderWithExpectedSize(count);
        for (int page = 0; page < count; page++) {
            boolean ordered = 0 <= begin[page] && begin[page] <= begin[page + 1] && list.nullsLength() <= positions[page] && positions[page] <= positions[page + 1] && 0 <= rows[page] && rows[page] <= rows[page + 1];
            checkArgument(ordered, "page %s of the directory is invalid", page);
            pages.add(new Page(first[page], begin[page], begin[page + 1], positions[page], rows[page]));
        }
        return new Directory(orderKeys, pages.build());
    }

    /**
     * Returns the pages that may contain values of a range.
     */
    List<Page> pages(KeyRange range)
    {
        // the page before the first one that begins in the range may end in it
        int begin = Math.max(find(page -> !range.isAfter(orderKeys, page.first())) - 1, 0);
        int end = find(page -> range.isBefore(orderKeys, page.first()));
        return pages.subList(Math.min(begin, end), end);
    }

    /**
     * Returns the index of the first page with a property that all pages after it have, too.
     */
    private int find(Predicate<Page> property)
    {
        int begin = 0;
        int end = pages.size();
        while (begin < end) {
            int middle = (begin + end) >>> 1;
            if (property.test(pages.get(middle))) {
                end = middle;
            }
            else {
                begin = middle + 1;
            }
        }
        return begin;
    }
}
