package io.albis.format.column;

import io.albis.format.filter.ValueFilter;
import io.trino.spi.block.ValueBlock;
import jakarta.annotation.Nullable;

import static io.airlift.slice.SizeOf.sizeOf;

/**
 * The state of a filter in one reader: the matches of the current dictionary, and arrays to work in.
 */
public final class FilterState
{
    private final ValueFilter filter;
    private int[] selected = new int[0];
    @Nullable
    private ValueBlock values;
    private boolean[] matches = new boolean[0];
    private boolean matchesNone;

    public FilterState(ValueFilter filter)
    {
        this.filter = filter;
    }

    ValueFilter filter()
    {
        return filter;
    }

    /**
     * Returns the size in bytes of the arrays to work in.
     */
    public long retainedSize()
    {
        return sizeOf(selected) + sizeOf(matches) + filter.retainedSize();
    }

    /**
     * Returns which values of a dictionary match. The result is remembered for the last dictionary.
     */
    boolean[] matches(ValueBlock values)
    {
        if (this.values != values) {
            int count = values.getPositionCount();
            int[] positions = new int[count];
            int size = filter.select(values, count, positions);
            matches = new boolean[count];
            for (int i = 0; i < size; i++) {
                matches[positions[i]] = true;
            }
            matchesNone = size == 0;
            this.values = values;
        }
        return matches;
    }

    /**
     * Returns whether no value of a dictionary matches, so that the rows need not be read.
     */
    boolean matchesNone(ValueBlock values)
    {
        matches(values);
        return matchesNone;
    }

    /**
     * Returns whether the only value of a block matches.
     */
    boolean matchesOne(ValueBlock value)
    {
        return filter.select(value, 1, new int[1]) == 1;
    }

    /**
     * Selects the rows whose values match.
     *
     * @param block the values of the rows
     * @param rows the rows; those that match are moved to the front
     * @return the number of rows that match
     */
    int select(ValueBlock block, int[] rows, int count)
    {
        if (selected.length < count) {
            selected = new int[count];
        }
        int size = filter.select(block, count, selected);
        for (int i = 0; i < size; i++) {
            rows[i] = rows[selected[i]];
        }
        return size;
    }
}
