package io.albis.format.scan;

import io.albis.format.filter.ValueFilter;
import io.trino.spi.block.ValueBlock;
import jakarta.annotation.Nullable;

import static io.airlift.slice.SizeOf.sizeOf;

/**
 * A filter, what it found out about the values of a dictionary, and room to work in.
 */
final class FilterState
{
    private final ValueFilter filter;
    private int[] selected = new int[0];
    @Nullable
    private ValueBlock values;
    private boolean[] matches = new boolean[0];

    FilterState(ValueFilter filter)
    {
        this.filter = filter;
    }

    ValueFilter filter()
    {
        return filter;
    }

    /**
     * Bytes of the room to work in.
     */
    long retainedSize()
    {
        return sizeOf(selected) + sizeOf(matches) + filter.retainedSize();
    }

    /**
     * Which of the values of a dictionary match.
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
            this.values = values;
        }
        return matches;
    }

    /**
     * Keeps the rows whose values match.
     *
     * @param block has the values of the rows
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
