package io.albis.benchmarks.format.file;

import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.connector.SourcePage;
import jakarta.annotation.Nullable;

import java.io.IOException;
import java.util.List;
import java.util.Map.Entry;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * Filters the pages of a reader that does not skip rows, as the engine does: the filter is evaluated on the columns
 * that it refers to, and the other columns of a page are loaded only if at least one row matches.
 */
class FilteredPages
        implements Pages
{
    private final SourcePages source;
    private final List<LongRangeFilter> filters;
    private int[] positions = new int[0];

    public FilteredPages(Scan scan, SourcePages source)
    {
        this.source = requireNonNull(source, "source is null");
        checkArgument(!scan.predicate().isNone(), "there is nothing to read");
        this.filters = scan.predicate().getDomains().orElseThrow().entrySet().stream()
                .sorted(Entry.comparingByKey())
                .map(entry -> new LongRangeFilter(scan.columns().indexOf(entry.getKey()), entry.getValue()))
                .collect(toImmutableList());
    }

    @Nullable
    @Override
    public Page next()
            throws IOException
    {
        while (true) {
            SourcePage page = source.next();
            if (page == null) {
                return null;
            }
            if (select(page)) {
                return load(page);
            }
        }
    }

    private boolean select(SourcePage page)
    {
        for (LongRangeFilter filter : filters) {
            int count = page.getPositionCount();
            if (positions.length < count) {
                positions = new int[count];
            }
            int selected = filter.select(page.getBlock(filter.channel()), positions);
            if (selected == 0) {
                return false;
            }
            if (selected < count) {
                page.selectPositions(positions, 0, selected);
            }
        }
        return true;
    }

    private static Page load(SourcePage page)
    {
        Block[] blocks = new Block[page.getChannelCount()];
        for (int channel = 0; channel < blocks.length; channel++) {
            blocks[channel] = page.getBlock(channel);
        }
        return new Page(page.getPositionCount(), blocks);
    }

    @Override
    public void close()
            throws IOException
    {
        source.close();
    }
}
