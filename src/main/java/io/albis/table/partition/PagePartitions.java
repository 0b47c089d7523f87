package io.albis.table.partition;

import it.unimi.dsi.fastutil.ints.IntArrayList;

import java.io.IOException;
import java.util.IdentityHashMap;
import java.util.Map;

import static com.google.common.base.Preconditions.checkState;

/**
 * The rows of a page by partition, in the order in which the page has them.
 */
final class PagePartitions
{
    /**
     * The minimum number of rows of a page that is written without a copy.
     */
    static final int MIN_DIRECT_ROWS = 1024;

    private final Map<OpenPartition, IntArrayList> positions = new IdentityHashMap<>();
    private OpenPartition last;
    private IntArrayList lastPositions;

    interface Consumer
    {
        /**
         * @param positions an array that begins with the positions of the rows
         */
        void accept(OpenPartition partition, int[] positions, int count)
                throws IOException;
    }

    void add(OpenPartition partition, int position)
    {
        if (partition != last) {
            last = partition;
            lastPositions = positions.computeIfAbsent(partition, _ -> new IntArrayList());
        }
        lastPositions.add(position);
    }

    int size()
    {
        return positions.size();
    }

    /**
     * Returns the only partition.
     */
    OpenPartition only()
    {
        checkState(positions.size() == 1, "the page has %s partitions", positions.size());
        return last;
    }

    void forEach(Consumer consumer)
            throws IOException
    {
        for (Map.Entry<OpenPartition, IntArrayList> entry : positions.entrySet()) {
            consumer.accept(entry.getKey(), entry.getValue().elements(), entry.getValue().size());
        }
    }
}
