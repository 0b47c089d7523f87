package io.albis.format.index;

import it.unimi.dsi.fastutil.ints.IntArrayList;

import static com.google.common.base.Preconditions.checkArgument;
import static io.airlift.slice.SizeOf.instanceSize;
import static io.airlift.slice.SizeOf.sizeOf;

/**
 * The values of an index that a search has found, as the places of their positions. Immutable after the search, and
 * then thread safe.
 */
public final class FoundValues
{
    private static final long INSTANCE_SIZE = instanceSize(FoundValues.class) + 3 * instanceSize(IntArrayList.class);

    private final int maxRows;
    private final long indexRows;
    // where the positions of each value begin and end, and their number
    private final IntArrayList begins = new IntArrayList();
    private final IntArrayList ends = new IntArrayList();
    private final IntArrayList counts = new IntArrayList();
    private long rows;
    private long bytes;

    /**
     * @param maxRows the most rows of all values together
     * @param indexRows number of rows of the index
     */
    FoundValues(int maxRows, long indexRows)
    {
        this.maxRows = maxRows;
        this.indexRows = indexRows;
    }

    /**
     * Adds a value.
     *
     * @param begin where its positions begin in the positions of the index
     * @param length number of bytes of its positions
     * @param count number of its rows
     * @return false if the values have too many rows
     * @throws IllegalArgumentException if they have more rows than the index
     */
    boolean add(int begin, int length, int count)
    {
        // a value has a row, so that the number of values is limited
        checkArgument(count > 0, "a value has no rows");
        rows += count;
        bytes += length;
        checkArgument(rows <= indexRows, "the values have more rows than the index, which has %s", indexRows);
        if (rows > maxRows) {
            return false;
        }
        begins.add(begin);
        ends.add(begin + length);
        counts.add(count);
        return true;
    }

    int size()
    {
        return begins.size();
    }

    /**
     * Returns where the positions of a value are in the positions of the index.
     */
    Span span(int value)
    {
        return new Span(begins.getInt(value), ends.getInt(value));
    }

    /**
     * Returns the number of rows of a value.
     */
    int count(int value)
    {
        return counts.getInt(value);
    }

    /**
     * Returns the number of rows of all values.
     */
    public int rows()
    {
        return (int) rows;
    }

    /**
     * Returns the number of bytes of the positions of all values.
     */
    public long bytes()
    {
        return bytes;
    }

    /**
     * Returns the retained memory in bytes.
     */
    public long retainedSize()
    {
        return INSTANCE_SIZE + sizeOf(begins.elements()) + sizeOf(ends.elements()) + sizeOf(counts.elements());
    }
}
