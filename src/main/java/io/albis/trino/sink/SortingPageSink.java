package io.albis.trino.sink;

import io.airlift.slice.Slice;
import io.trino.spi.Page;
import io.trino.spi.connector.ConnectorPageSink;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;
import static java.util.Objects.requireNonNull;

/**
 * Sorts rows before another sink writes them. It collects rows until they need a certain memory, and then sorts and
 * writes them. So the rows of the sink are a few sorted sequences, one after the other.
 */
final class SortingPageSink
        implements ConnectorPageSink
{
    // Sorting needs the address of each row, which is an int for its page and one for its position
    private static final int BYTES_PER_ROW = Long.BYTES;

    private final ConnectorPageSink sink;
    private final Function<List<Page>, Iterator<Page>> sorter;
    private final long maxBytes;

    private final List<Page> pages = new ArrayList<>();
    private long bytes;

    /**
     * @param sorter sorts the rows of pages
     * @param maxBytes memory of rows from which on they are sorted and written
     */
    SortingPageSink(ConnectorPageSink sink, Function<List<Page>, Iterator<Page>> sorter, long maxBytes)
    {
        this.sink = requireNonNull(sink, "sink is null");
        this.sorter = requireNonNull(sorter, "sorter is null");
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
            write();
        }
        return NOT_BLOCKED;
    }

    private void write()
    {
        Iterator<Page> sorted = sorter.apply(pages);
        while (sorted.hasNext()) {
            checkState(sink.appendPage(sorted.next()).isDone(), "the sink of sorted rows blocks");
        }
        pages.clear();
        bytes = 0;
    }

    @Override
    public CompletableFuture<Collection<Slice>> finish()
    {
        if (!pages.isEmpty()) {
            write();
        }
        return sink.finish();
    }

    @Override
    public void abort()
    {
        pages.clear();
        bytes = 0;
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
        return bytes + sink.getMemoryUsage();
    }
}
