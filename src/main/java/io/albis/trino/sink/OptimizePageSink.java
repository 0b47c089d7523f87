package io.albis.trino.sink;

import io.airlift.slice.Slice;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.connector.ConnectorPageSink;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import static com.google.common.base.Preconditions.checkArgument;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.concurrent.CompletableFuture.completedFuture;

/**
 * Passes what the scan of a procedure has written on to the commit.
 */
final class OptimizePageSink
        implements ConnectorPageSink
{
    private final List<Slice> units = new ArrayList<>();

    @Override
    public CompletableFuture<?> appendPage(Page page)
    {
        checkArgument(page.getChannelCount() == 1, "the page has %s channels instead of one", page.getChannelCount());
        Block block = page.getBlock(0);
        for (int position = 0; position < page.getPositionCount(); position++) {
            units.add(VARCHAR.getSlice(block, position).copy());
        }
        return NOT_BLOCKED;
    }

    @Override
    public CompletableFuture<Collection<Slice>> finish()
    {
        return completedFuture(units);
    }

    @Override
    public void abort() {}
}
