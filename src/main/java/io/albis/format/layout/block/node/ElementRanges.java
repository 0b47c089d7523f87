package io.albis.format.layout.block.node;

import io.albis.format.run.Run;
import io.trino.spi.block.Bitmap;

import java.io.IOException;
import java.util.Optional;

/**
 * Stores where the elements of requested arrays or maps are.
 */
final class ElementRanges
{
    // by row: the group of the elements, where they begin in it, and their number
    private final int[] groups;
    private final int[] begins;
    private final int[] lengths;
    private final long[] valid;
    // the elements of all rows, one row after the other
    private final NodeRows elements = new NodeRows();
    private int nulls;

    private ElementRanges(int count)
    {
        groups = new int[count];
        begins = new int[count];
        lengths = new int[count];
        valid = new long[Bitmap.wordsForBits(count)];
    }

    /**
     * Finds the elements of rows.
     *
     * @throws IllegalArgumentException if the lengths contradict the metadata
     */
    static ElementRanges find(NodeRows rows, RunLengths lengths)
            throws IOException
    {
        ElementRanges ranges = new ElementRanges(rows.count());
        int filled = 0;
        for (int range = 0; range < rows.ranges(); range++) {
            int begin = rows.begin(range);
            while (begin < rows.end(range)) {
                int runBegin = begin / Run.MAX_ROWS * Run.MAX_ROWS;
                int end = Math.min(rows.end(range), runBegin + Run.MAX_ROWS);
                lengths.load(rows.group(range), runBegin);
                ranges.add(lengths, begin - runBegin, end - runBegin, filled);
                filled += end - begin;
                begin = end;
            }
        }
        return ranges;
    }

    private void add(RunLengths run, int begin, int end, int filled)
    {
        elements.add(run.run(), run.offset(begin), run.offset(end));
        for (int row = begin; row < end; row++) {
            int index = filled + row - begin;
            groups[index] = run.run();
            begins[index] = run.offset(row);
            lengths[index] = run.offset(row + 1) - run.offset(row);
            if (run.isNull(row)) {
                nulls++;
            }
            else {
                Bitmap.set(valid, 0, index);
            }
        }
    }

    /**
     * Returns the number of rows.
     */
    int count()
    {
        return groups.length;
    }

    /**
     * Returns the number of elements of a row, which is 0 for a null.
     */
    int length(int row)
    {
        return lengths[row];
    }

    /**
     * Returns the elements of all rows, one row after the other.
     */
    NodeRows elements()
    {
        return elements;
    }

    /**
     * Returns the validity words of the rows, or empty if none is null.
     */
    Optional<long[]> validity()
    {
        return nulls == 0 ? Optional.empty() : Optional.of(valid);
    }

    /**
     * Requests at most one element of each row.
     *
     * @param indexes by row, the index of the element in the row, or a negative number for none
     */
    NodeRows select(int[] indexes)
    {
        NodeRows selected = new NodeRows();
        for (int row = 0; row < indexes.length; row++) {
            if (indexes[row] >= 0) {
                int element = begins[row] + indexes[row];
                selected.add(groups[row], element, element + 1);
            }
        }
        return selected;
    }

    /**
     * Returns the positions of at most one element of each row among the elements of all rows.
     *
     * @param indexes by row, the index of the element in the row, or a negative number for none
     * @param count number of indexes that are not negative
     */
    int[] positions(int[] indexes, int count)
    {
        int[] positions = new int[count];
        int selected = 0;
        int begin = 0;
        for (int row = 0; row < indexes.length; row++) {
            if (indexes[row] >= 0) {
                positions[selected] = begin + indexes[row];
                selected++;
            }
            begin += lengths[row];
        }
        return positions;
    }
}
