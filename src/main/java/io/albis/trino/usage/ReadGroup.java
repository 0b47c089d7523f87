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

    boolean isRead()
    {
        return !reads.isEmpty();
    }
}
