package io.albis.trino.sink;

import io.airlift.slice.Slice;
import io.albis.trino.sort.RowSorter;
import io.albis.trino.sort.SpilledSequences;
import io.trino.spi.Page;
import io.trino.spi.connector.ConnectorPageSink;

import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;
import static io.albis.trino.error.AlbisErrors.toTrinoException;
import static io.albis.trino.error.AlbisErrors.translate;
import static io.albis.trino.error.AlbisErrors.translateAction;
import static java.util.Objects.requireNonNull;

/**
 * Sorts all rows of a writer before another sink writes them. It collects rows until they need a certain memory, and
 * then writes them to the storage as a sorted sequence. At the end, it merges the sequences. If all rows fit into the
 * memory, no sequence is written.
 */
final class SortingPageSink
        implements RowSink
{
    // Sorting needs the address of each row, which is an int for its page and one for its position
    private static final int BYTES_PER_ROW = Long.BYTES;

    private final ConnectorPageSink sink;
    private final RowSorter sorter;
    private final SpilledSequences spilled;
    private final long maxBytes;

    private final List<Page> pages = new ArrayList<>();
    private long bytes;

    /**
     * @param spilled sequences of no rows, which this sink merges or aborts
     * @param maxBytes memory of rows in bytes from which on they are sorted and written as a sequence
     */
    SortingPageSink(ConnectorPageSink sink, RowSorter sorter, SpilledSequences spilled, long maxBytes)
    {
        this.sink = requireNonNull(sink, "sink is null");
        this.sorter = requireNonNull(sorter, "sorter is null");
        this.spilled = requireNonNull(spilled, "spilled is null");
        checkArgument(maxBytes >= 0, "maxBytes is negative: %s", maxBytes);
        this.maxBytes = maxBytes;
    }

    @Override
    public CompletableFuture<?> appendPage(Page page)
    {
        // A page may retain a large buffer or dictionary of which it uses a small part
        page.compact();
        pages.add(page);
        bytes += page.getRetainedSizeInBytes() + (long) page.getPositionCount() * BYTES_PER_ROW;
        if (bytes >= maxBytes) {
            spill();
        }
        return NOT_BLOCKED;
    }

    private void spill()
    {
        translateAction(() -> spilled.add(sorter.sort(pages)));
        clear();
    }

    private void clear()
    {
        pages.clear();
        bytes = 0;
    }

    private void write(Page page)
    {
        checkState(sink.appendPage(page).isDone(), "the sink of sorted rows blocks");
    }

    @Override
    public boolean advance()
    {
        if (!pages.isEmpty()) {
            writeLast();
            return !spilled.isEmpty();
        }
        return translate(() -> spilled.advance(this::write));
    }

    private void writeLast()
    {
        if (!spilled.isEmpty()) {
            spill();
            return;
        }
        Iterator<Page> sorted = sorter.sort(pages);
        while (sorted.hasNext()) {
            write(sorted.next());
        }
        clear();
    }

    @Override
    public CompletableFuture<Collection<Slice>> finish()
    {
        while (advance()) {
            // the engine interrupts the thread of a canceled query
            if (Thread.currentThread().isInterrupted()) {
                throw toTrinoException(new InterruptedIOException("interrupted while rows were merged"));
            }
        }
        return sink.finish();
    }

    @Override
    public void abort()
    {
        clear();
        spilled.abort();
        sink.abort();
    }

    @Override
    public long getCompletedBytes()
    {
        return sink.getCompletedBytes();
    }

    @Override
    public long getMemoryUsage()
    {
        // rows are not collected any more when the merge begins
        return Math.max(bytes, spilled.reservedMemory()) + spilled.memoryUsage() + sink.getMemoryUsage();
    }
}
