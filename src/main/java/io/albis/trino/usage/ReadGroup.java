package io.albis.trino.usage;

import com.google.common.collect.ImmutableList;

import java.util.BitSet;
import java.util.List;

/**
 * Columns that are grouped together.
 *
 * @param columns ids of the columns
 * @param reads a bit for each read that needs at least one of the columns; it must not be changed
 */
record ReadGroup(List<Integer> columns, BitSet reads)
{
    ReadGroup
    {
        columns = ImmutableList.copyOf(columns);
    }

    /**
     * Returns one group for all columns of some groups.
     *
     * @param columns ids of these columns, in the order that they have in the group
     */
    static ReadGroup union(List<ReadGroup> groups, List<Integer> columns)
    {
        BitSet reads = new BitSet();
        groups.forEach(group -> reads.or(group.reads()));
        return new ReadGroup(columns, reads);
    }

    boolean isRead()
    {
        return !reads.isEmpty();
    }
}
