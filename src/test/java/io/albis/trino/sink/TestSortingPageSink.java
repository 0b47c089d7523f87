package io.albis.trino.sink;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slice;
import io.trino.operator.PagesIndex;
import io.trino.operator.PagesIndexPageSorter;
import io.trino.spi.Page;
import io.trino.spi.PageSorter;
import io.trino.spi.block.Block;
import io.trino.spi.block.LongArrayBlock;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.connector.ConnectorPageSink;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import static io.trino.spi.connector.SortOrder.DESC_NULLS_LAST;
import static io.trino.spi.type.BigintType.BIGINT;
import static java.util.concurrent.CompletableFuture.completedFuture;
import static org.assertj.core.api.Assertions.assertThat;

class TestSortingPageSink
{
    private static final PageSorter SORTER = new PagesIndexPageSorter(new PagesIndex.TestingFactory(false));

    private final List<Long> written = new ArrayList<>();
    private boolean aborted;

    @Test
    void testOneSequence()
            throws Exception
    {
        SortingPageSink sink = sink(1 << 20);
        assertThat(sink.getMemoryUsage()).isEqualTo(7);
        sink.appendPage(page(3, 1, 2));
        sink.appendPage(page(5, 0));
        assertThat(written).isEmpty();
        assertThat(sink.getMemoryUsage()).isBetween(50L, 1000L);
        assertThat(sink.finish().get()).isEmpty();
        assertThat(written).containsExactly(5L, 3L, 2L, 1L, 0L);
        assertThat(sink.getMemoryUsage()).isEqualTo(7);
    }

    @Test
    void testSeveralSequences()
            throws Exception
    {
        SortingPageSink sink = sink(1);
        sink.appendPage(page(1, 2));
        assertThat(written).containsExactly(2L, 1L);
        sink.appendPage(page(5, 4, 6));
        assertThat(written).containsExactly(2L, 1L, 6L, 5L, 4L);
        sink.finish().get();
        assertThat(written).hasSize(5);
    }

    @Test
    void testWithoutRows()
            throws Exception
    {
        assertThat(sink(100).finish().get()).isEmpty();
        assertThat(written).isEmpty();
    }

    /**
     * A page of a few rows can retain a large block.
     */
    @Test
    void testLargeBlocks()
            throws Exception
    {
        SortingPageSink sink = sink(100_000);
        Block large = new LongArrayBlock(10_000, Optional.empty(), new long[10_000]);
        for (int i = 0; i < 100; i++) {
            sink.appendPage(new Page(large.getRegion(i, 2)));
            sink.appendPage(new Page(RunLengthEncodedBlock.create(large.getSingleValueBlock(i), 3)));
        }
        assertThat(sink.getMemoryUsage()).isBetween(1000L, 50_000L);
        assertThat(written).isEmpty();
        sink.finish().get();
        assertThat(written).hasSize(500).containsOnly(0L);
    }

    @Test
    void testAbort()
    {
        SortingPageSink sink = sink(1 << 20);
        sink.appendPage(page(1));
        sink.abort();
        assertThat(written).isEmpty();
        assertThat(aborted).isTrue();
        assertThat(sink.getMemoryUsage()).isEqualTo(7);
    }

    private SortingPageSink sink(long maxBytes)
    {
        ConnectorPageSink target = new ConnectorPageSink()
        {
            @Override
            public CompletableFuture<?> appendPage(Page page)
            {
                for (int position = 0; position < page.getPositionCount(); position++) {
                    written.add(BIGINT.getLong(page.getBlock(0), position));
                }
                return NOT_BLOCKED;
            }

            @Override
            public CompletableFuture<Collection<Slice>> finish()
            {
                return completedFuture(ImmutableList.of());
            }

            @Override
            public void abort()
            {
                aborted = true;
            }

            @Override
            public long getMemoryUsage()
            {
                return 7;
            }
        };
        return new SortingPageSink(target, pages -> SORTER.sort(List.of(BIGINT), pages, List.of(0), List.of(DESC_NULLS_LAST), 10), maxBytes);
    }

    private static Page page(long... values)
    {
        return new Page(new LongArrayBlock(values.length, Optional.empty(), values));
    }
}
