package io.albis.trino.optimize;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slice;
import io.albis.format.metadata.RowGroup;
import io.albis.trino.fragment.OptimizedUnit;
import io.albis.trino.sink.RowSink;
import io.trino.spi.Page;
import io.trino.spi.block.VariableWidthBlock;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.MemoryContext;
import io.trino.spi.connector.SourcePage;
import io.trino.spi.metrics.Metrics;

import java.io.IOException;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

import static com.google.common.base.Preconditions.checkState;
import static io.albis.trino.error.AlbisErrors.toTrinoException;
import static java.util.Objects.requireNonNull;

/**
 * Writes the live rows of some row groups to new ones. The only row that it returns describes what it has written. Each
 * call of {@link #getNextSourcePage} moves one page, so the engine can run other work in between, cancel the statement,
 * and account for the time and the memory.
 */
final class OptimizePageSource
        implements ConnectorPageSource
{
    private final int unit;
    private final Iterator<RowGroup> rowGroups;
    private final Reader reader;
    private final RowSink sink;
    private final MemoryContext memoryContext;

    private ConnectorPageSource source;
    private long sourceMemory;
    private long completedBytes;
    private long completedPositions;
    private long readTimeNanos;
    private Metrics metrics = Metrics.EMPTY;
    private boolean finished;
    private boolean written;

    /**
     * Opens row groups.
     */
    interface Reader
    {
        /**
         * Returns the live rows of a row group with all columns of the sink.
         */
        ConnectorPageSource open(RowGroup rowGroup, MemoryContext memoryContext);
    }

    /**
     * @param unit index of the unit in the plan
     * @param sink writes the new row groups; this page source finishes or aborts it
     */
    OptimizePageSource(int unit, List<RowGroup> rowGroups, Reader reader, RowSink sink, MemoryContext memoryContext)
    {
        this.unit = unit;
        this.rowGroups = ImmutableList.copyOf(rowGroups).iterator();
        this.reader = requireNonNull(reader, "reader is null");
        this.sink = requireNonNull(sink, "sink is null");
        this.memoryContext = requireNonNull(memoryContext, "memoryContext is null");
    }

    @Override
    public SourcePage getNextSourcePage()
    {
        if (finished) {
            return null;
        }
        if (source == null) {
            if (!rowGroups.hasNext()) {
                return advance();
            }
            source = reader.open(rowGroups.next(), this::setSourceMemory);
        }
        SourcePage page = source.getNextSourcePage();
        if (page != null) {
            Page rows = page.getPage();
            checkState(sink.appendPage(rows).isDone(), "the sink of new rows blocks");
            completedPositions += rows.getPositionCount();
        }
        if (source.isFinished()) {
            closeSource();
        }
        reportMemory();
        return null;
    }

    private SourcePage advance()
    {
        if (!sink.advance()) {
            return finish();
        }
        reportMemory();
        return null;
    }

    private SourcePage finish()
    {
        Collection<Slice> fragments = sink.finish().join();
        written = true;
        finished = true;
        memoryContext.setBytes(0);
        Slice result = new OptimizedUnit(unit, ImmutableList.copyOf(fragments)).encode();
        return SourcePage.create(new VariableWidthBlock(1, result, new int[] {0, result.length()}, Optional.empty()));
    }

    private void closeSource()
    {
        try {
            source.close();
        }
        catch (IOException e) {
            throw toTrinoException(e);
        }
        count(source);
        source = null;
    }

    private void count(ConnectorPageSource closed)
    {
        completedBytes += closed.getCompletedBytes();
        readTimeNanos += closed.getReadTimeNanos();
        metrics = metrics.mergeWith(closed.getMetrics());
    }

    private void setSourceMemory(long bytes)
    {
        sourceMemory = bytes;
    }

    private void reportMemory()
    {
        memoryContext.setBytes(sourceMemory + sink.getMemoryUsage());
    }

    @Override
    public CompletableFuture<?> isBlocked()
    {
        return source == null ? NOT_BLOCKED : source.isBlocked();
    }

    @Override
    public boolean isFinished()
    {
        return finished;
    }

    @Override
    public long getCompletedBytes()
    {
        return completedBytes + (source == null ? 0 : source.getCompletedBytes());
    }

    @Override
    public OptionalLong getCompletedPositions()
    {
        return OptionalLong.of(completedPositions);
    }

    @Override
    public long getReadTimeNanos()
    {
        return readTimeNanos + (source == null ? 0 : source.getReadTimeNanos());
    }

    /**
     * Returns the metrics of all row groups that were read.
     */
    @Override
    public Metrics getMetrics()
    {
        return source == null ? metrics : metrics.mergeWith(source.getMetrics());
    }

    /**
     * Also removes the files that are not complete.
     */
    @Override
    public void close()
            throws IOException
    {
        finished = true;
        try {
            if (source != null) {
                ConnectorPageSource open = source;
                source = null;
                count(open);
                open.close();
            }
        }
        finally {
            if (!written) {
                written = true;
                sink.abort();
            }
            memoryContext.setBytes(0);
        }
    }
}
