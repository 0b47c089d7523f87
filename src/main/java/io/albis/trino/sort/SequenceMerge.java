package io.albis.trino.sort;

import com.google.common.collect.ImmutableList;
import com.google.common.io.Closer;
import io.trino.spi.Page;
import io.trino.spi.type.Type;
import jakarta.annotation.Nullable;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Merges sorted sequences into one.
 */
final class SequenceMerge
        implements Closeable
{
    private final List<Type> types;
    private final List<SequenceCursor> cursors;
    // the cursors that are not at the end
    private final PriorityQueue<SequenceCursor> queue = new PriorityQueue<>(SequenceCursor::compareTo);
    private int opened;

    /**
     * @param cursors cursors before the first row of each sequence, which this class closes
     */
    SequenceMerge(List<Type> types, List<SequenceCursor> cursors)
    {
        this.types = ImmutableList.copyOf(types);
        this.cursors = ImmutableList.copyOf(cursors);
    }

    /**
     * Returns the next rows of all sequences.
     *
     * @return null if there are no more rows
     */
    @Nullable
    Page next()
            throws IOException
    {
        for (; opened < cursors.size(); opened++) {
            addNextPage(cursors.get(opened));
        }
        MergedRows rows = new MergedRows(types);
        while (!queue.isEmpty() && !rows.isFull()) {
            SequenceCursor first = queue.poll();
            int begin = first.position();
            int end = first.endOfRowsBefore(queue.peek(), rows.available(first.page()));
            rows.add(first.page(), begin, end - begin);
            if (first.moveTo(end)) {
                queue.add(first);
            }
            else {
                addNextPage(first);
            }
        }
        return rows.isEmpty() ? null : rows.toPage();
    }

    private void addNextPage(SequenceCursor cursor)
            throws IOException
    {
        if (cursor.nextPage()) {
            queue.add(cursor);
        }
    }

    long memoryUsage()
    {
        long bytes = 0;
        for (SequenceCursor cursor : cursors) {
            bytes += cursor.memoryUsage();
        }
        return bytes;
    }

    @Override
    public void close()
            throws IOException
    {
        try (Closer closer = Closer.create()) {
            cursors.forEach(closer::register);
        }
    }
}
