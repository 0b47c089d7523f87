package io.albis.trino.read;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.scan.AlbisBatch;
import io.albis.format.scan.ReaderMetrics;
import io.albis.format.scan.RowGroupReader;
import io.albis.trino.topn.TopNRows;
import io.trino.plugin.base.metrics.LongCount;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.MemoryContext;
import io.trino.spi.connector.SourcePage;
import io.trino.spi.metrics.Metric;
import io.trino.spi.metrics.Metrics;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.ObjLongConsumer;

import static com.google.common.base.Preconditions.checkState;
import static io.airlift.slice.SizeOf.instanceSize;
import static io.albis.trino.error.AlbisErrors.toTrinoException;
import static java.util.Objects.requireNonNull;

/**
 * Reads the rows of one split. The columns of a page are read and decoded when the engine requests them.
 */
class AlbisPageSource
        implements ConnectorPageSource
{
    private final RowGroupReader reader;
    private final ScanStats stats;
    private final boolean firstPart;
    private final List<PageChannel> channels;
    private final Optional<TopNRows> topN;
    private final MemoryContext memoryContext;

    private long completedPositions;
    private long pageNumber;
    private boolean finished;
    private boolean closed;
    private CompletableFuture<?> blocked = NOT_BLOCKED;

    /**
     * Creates a page source for a split.
     *
     * @param firstPart whether this is the first split of its row group. Only the first split counts the row group in
     *         the metrics.
     * @param channels the channels of a page
     * @param topN selects the rows that the query may need; empty if it may need all
     */
    public AlbisPageSource(RowGroupReader reader, ScanStats stats, boolean firstPart, List<PageChannel> channels, Optional<TopNRows> topN, MemoryContext memoryContext)
    {
        this.reader = requireNonNull(reader, "reader is null");
        this.stats = requireNonNull(stats, "stats is null");
        this.firstPart = firstPart;
        this.channels = ImmutableList.copyOf(channels);
        this.topN = requireNonNull(topN, "topN is null");
        this.memoryContext = requireNonNull(memoryContext, "memoryContext is null");
    }

    @Override
    public SourcePage getNextSourcePage()
    {
        if (finished) {
            return null;
        }
        pageNumber++;
        AlbisBatch batch;
        try {
            CompletableFuture<?> ready = reader.prepare();
            // An undecided reader does not block: the engine calls again after it has given other work a turn
            if (!ready.isDone() || !reader.isDecided()) {
                updateMemory();
                blocked = ready;
                return null;
            }
            batch = reader.next();
            if (batch != null && topN.isPresent() && !topN.get().select(batch)) {
                updateMemory();
                return null;
            }
        }
        catch (IOException | UncheckedIOException e) {
            throw toTrinoException(e);
        }
        updateMemory();
        if (batch == null) {
            finished = true;
            return null;
        }
        completedPositions += batch.positionCount();
        return new BatchPage(batch);
    }

    private void updateMemory()
    {
        memoryContext.setBytes(reader.memoryUsage() + topN.map(TopNRows::retainedSize).orElse(0L));
    }

    /**
     * Waits for read-ahead requests. Data that was not read ahead is read by the thread that requests it.
     */
    @Override
    public CompletableFuture<?> isBlocked()
    {
        return blocked.isDone() ? NOT_BLOCKED : blocked;
    }

    @Override
    public boolean isFinished()
    {
        return finished;
    }

    @Override
    public long getCompletedBytes()
    {
        return reader.metrics().bytesRead();
    }

    @Override
    public OptionalLong getCompletedPositions()
    {
        return OptionalLong.of(completedPositions);
    }

    @Override
    public long getReadTimeNanos()
    {
        return reader.metrics().readNanos();
    }

    @Override
    public Metrics getMetrics()
    {
        ReaderMetrics metrics = reader.metrics();
        ImmutableMap.Builder<String, Metric<?>> counts = ImmutableMap.<String, Metric<?>>builder()
                .put("Albis row groups", new LongCount(firstPart ? 1 : 0))
                .put("Albis segments", new LongCount(metrics.segments()))
                .put("Albis segments skipped", new LongCount(metrics.segmentsSkipped()))
                .put("Albis runs skipped", new LongCount(metrics.runsSkipped()))
                .put("Albis rows", new LongCount(metrics.rows()))
                .put("Albis rows skipped", new LongCount(metrics.rowsSkipped()))
                .put("Albis bytes read", new LongCount(metrics.bytesRead()))
                .put("Albis reads", new LongCount(metrics.reads()));
        if (metrics.rowsExcluded() > 0) {
            counts.put("Albis rows excluded by indexes", new LongCount(metrics.rowsExcluded()));
        }
        topN.ifPresent(rows -> counts.put("Albis rows dropped by top N", new LongCount(rows.droppedRows())));
        return new Metrics(counts.buildOrThrow());
    }

    @Override
    public void close()
            throws IOException
    {
        finished = true;
        if (!closed) {
            closed = true;
            stats.add(reader.metrics());
        }
        // pages that the engine still holds must not read any more
        pageNumber++;
        topN.ifPresent(TopNRows::close);
        reader.close();
        memoryContext.setBytes(0);
    }

    private class BatchPage
            implements SourcePage
    {
        private static final int INSTANCE_SIZE = instanceSize(BatchPage.class);

        private final AlbisBatch batch;
        private final long expectedPageNumber = pageNumber;

        public BatchPage(AlbisBatch batch)
        {
            this.batch = requireNonNull(batch, "batch is null");
        }

        @Override
        public int getPositionCount()
        {
            return batch.positionCount();
        }

        @Override
        public long getSizeInBytes()
        {
            return batch.sizeInBytes();
        }

        @Override
        public long getRetainedSizeInBytes()
        {
            return INSTANCE_SIZE + batch.retainedSizeInBytes();
        }

        @Override
        public void retainedBytesForEachPart(ObjLongConsumer<Object> consumer)
        {
            consumer.accept(this, INSTANCE_SIZE);
            consumer.accept(batch, batch.retainedSizeInBytes());
        }

        @Override
        public int getChannelCount()
        {
            return channels.size();
        }

        @Override
        public Block getBlock(int channel)
        {
            checkState(pageNumber == expectedPageNumber, "the reader has moved past this page");
            try {
                Block block = channels.get(channel).read(batch);
                updateMemory();
                return block;
            }
            catch (IOException | UncheckedIOException e) {
                throw toTrinoException(e);
            }
        }

        @Override
        public Page getPage()
        {
            Block[] blocks = new Block[channels.size()];
            for (int channel = 0; channel < blocks.length; channel++) {
                blocks[channel] = getBlock(channel);
            }
            return new Page(batch.positionCount(), blocks);
        }

        @Override
        public void selectPositions(int[] positions, int offset, int size)
        {
            batch.selectPositions(positions, offset, size);
        }
    }
}
