package io.albis.trino.system;

import io.albis.table.manifest.ConcurrentReads;
import io.albis.table.manifest.ConcurrentReads.ReadCall;
import io.trino.spi.PageBuilder;
import io.trino.spi.classloader.ThreadContextClassLoader;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.SourcePage;
import io.trino.spi.type.Type;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import static com.google.common.math.IntMath.saturatedMultiply;
import static io.albis.trino.error.AlbisErrors.translate;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static java.util.Objects.requireNonNull;

/**
 * Collects rows into pages. It makes only the rows of the next page. The first pages have few rows, so a query with
 * LIMIT reads only what it needs.
 */
final class RowsPageSource
        implements ConnectorPageSource
{
    private final List<Type> types;
    private final PageBuilder page;
    // the values of the last column in the page, if they are deferred
    private final List<ReadCall<Object>> deferred = new ArrayList<>();
    private final Optional<ConcurrentReads> deferredReads;
    private final Supplier<Iterator<Object[]>> source;
    private Iterator<Object[]> rows;
    // the most rows of the next page
    private int maxRows = 1;
    private long readTimeNanos;
    private boolean finished;

    /**
     * @param deferredReads reads the values of the last column if they are {@link DeferredValue}s; empty if they are
     *         not
     */
    RowsPageSource(List<Type> types, Optional<ConcurrentReads> deferredReads, Supplier<Iterator<Object[]>> source)
    {
        this.types = requireNonNull(types, "types is null");
        this.deferredReads = requireNonNull(deferredReads, "deferredReads is null");
        this.page = new PageBuilder(deferredReads.isPresent() ? types.subList(0, types.size() - 1) : types);
        this.source = requireNonNull(source, "source is null");
    }

    @Override
    public SourcePage getNextSourcePage()
    {
        if (finished) {
            return null;
        }
        long start = System.nanoTime();
        // the engine calls this without the class loader of the plugin, which the file system may need
        try (ThreadContextClassLoader _ = new ThreadContextClassLoader(getClass().getClassLoader())) {
            return translate(this::nextPage);
        }
        finally {
            readTimeNanos += System.nanoTime() - start;
        }
    }

    private SourcePage nextPage()
    {
        if (rows == null) {
            rows = source.get();
        }
        page.reset();
        deferred.clear();
        for (int count = 0; count < maxRows && !page.isFull() && !finished; count++) {
            // to find out whether there is another row may take as long as to make it
            if (rows.hasNext()) {
                append(rows.next());
            }
            else {
                finished = true;
            }
        }
        maxRows = saturatedMultiply(2, maxRows);
        return deferredReads.<SourcePage>map(reads -> new DeferredPage(page.build(), types.getLast(), deferred, reads))
                .orElseGet(() -> SourcePage.create(page.build()));
    }

    private void append(Object[] row)
    {
        page.declarePosition();
        for (int channel = 0; channel < row.length; channel++) {
            if (row[channel] instanceof DeferredValue value) {
                deferred.add(value);
            }
            else {
                writeNativeValue(types.get(channel), page.getBlockBuilder(channel), row[channel]);
            }
        }
    }

    @Override
    public boolean isFinished()
    {
        return finished;
    }

    @Override
    public long getCompletedBytes()
    {
        return 0;
    }

    @Override
    public long getReadTimeNanos()
    {
        return readTimeNanos;
    }

    @Override
    public long getMemoryUsage()
    {
        return page.getSizeInBytes();
    }

    @Override
    public void close()
    {
        finished = true;
    }
}
