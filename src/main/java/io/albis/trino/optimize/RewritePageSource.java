package io.albis.trino.optimize;

import io.airlift.slice.Slice;
import io.albis.trino.fragment.OptimizedUnit;
import io.albis.trino.sink.UnitRewriter;
import io.trino.spi.block.VariableWidthBlock;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.MemoryContext;
import io.trino.spi.connector.SourcePage;

import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

import static io.albis.trino.error.AlbisErrors.translate;
import static java.util.Objects.requireNonNull;

/**
 * Writes columns of some row groups again. The only row that it returns describes what it has written. Each call of
 * {@link #getNextSourcePage} writes one batch, as in {@link OptimizePageSource}.
 */
final class RewritePageSource
        implements ConnectorPageSource
{
    private final int unit;
    private final UnitRewriter rewriter;
    private final MemoryContext memoryContext;
    private boolean finished;

    /**
     * @param unit index of the unit in the plan
     * @param rewriter writes the row groups; this page source closes it
     */
    RewritePageSource(int unit, UnitRewriter rewriter, MemoryContext memoryContext)
    {
        this.unit = unit;
        this.rewriter = requireNonNull(rewriter, "rewriter is null");
        this.memoryContext = requireNonNull(memoryContext, "memoryContext is null");
    }

    @Override
    public SourcePage getNextSourcePage()
    {
        if (finished) {
            return null;
        }
        if (translate(rewriter::advance)) {
            memoryContext.setBytes(rewriter.memoryUsage());
            return null;
        }
        finished = true;
        memoryContext.setBytes(0);
        Slice result = new OptimizedUnit(unit, rewriter.finish()).encode();
        return SourcePage.create(new VariableWidthBlock(1, result, new int[] {0, result.length()}, Optional.empty()));
    }

    @Override
    public boolean isFinished()
    {
        return finished;
    }

    @Override
    public long getCompletedBytes()
    {
        return rewriter.completedBytes();
    }

    @Override
    public OptionalLong getCompletedPositions()
    {
        return OptionalLong.of(rewriter.completedRows());
    }

    @Override
    public long getReadTimeNanos()
    {
        return rewriter.readNanos();
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
            rewriter.close();
        }
        finally {
            memoryContext.setBytes(0);
        }
    }
}
