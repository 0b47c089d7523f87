package io.albis.format.layout.block.node;

import io.albis.format.run.NodeSegment;
import it.unimi.dsi.fastutil.ints.IntArrayList;

/**
 * Values of a node that are requested, in this order: ranges of values, each within one group of a {@link NodeSegment}.
 */
public final class NodeRows
{
    private final IntArrayList groups = new IntArrayList();
    private final IntArrayList begins = new IntArrayList();
    private final IntArrayList ends = new IntArrayList();
    private int count;

    /**
     * Adds the values of a group from {@code begin} to {@code end}, exclusive.
     *
     * @throws IllegalArgumentException if there are too many values for a block
     */
    public void add(int group, int begin, int end)
    {
        if (begin == end) {
            return;
        }
        if (end - begin > Integer.MAX_VALUE - count) {
            throw new IllegalArgumentException("a page has more than %s nested values".formatted(Integer.MAX_VALUE));
        }
        count += end - begin;
        int last = groups.size() - 1;
        if (last >= 0 && groups.getInt(last) == group && ends.getInt(last) == begin) {
            ends.set(last, end);
            return;
        }
        groups.add(group);
        begins.add(begin);
        ends.add(end);
    }

    /**
     * Returns the number of values.
     */
    int count()
    {
        return count;
    }

    int ranges()
    {
        return groups.size();
    }

    int group(int range)
    {
        return groups.getInt(range);
    }

    int begin(int range)
    {
        return begins.getInt(range);
    }

    /**
     * Returns the end of a range, exclusive.
     */
    int end(int range)
    {
        return ends.getInt(range);
    }
}
