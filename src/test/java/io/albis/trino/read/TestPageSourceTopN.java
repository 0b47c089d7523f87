package io.albis.trino.read;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.RowGroup;
import io.albis.format.run.SegmentShare;
import io.albis.format.scan.MetadataSource;
import io.albis.format.schema.AlbisLayout;
import io.albis.trino.ReadRecordingFileSystemFactory.Read;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.handle.AlbisSplit;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.handle.AlbisTransactionHandle;
import io.albis.trino.handle.TopN;
import io.albis.trino.pushdown.SettableDynamicFilter;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorExpressionEvaluator;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.DynamicFilter;
import io.trino.spi.connector.MemoryContext;
import io.trino.spi.connector.SortOrder;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import static io.trino.spi.connector.SortOrder.ASC_NULLS_LAST;
import static io.trino.spi.connector.SortOrder.DESC_NULLS_LAST;
import static io.trino.spi.type.BigintType.BIGINT;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests page sources of scans that need only the first rows of an order.
 */
final class TestPageSourceTopN
        extends BasePageSourceTest
{
    private static final int FIRST = 10;

    @ParameterizedTest
    @EnumSource
    void testBothEnds(AlbisLayout layout)
            throws IOException
    {
        RowGroup rowGroup = write(layout);
        assertThat(readIds(open(provider, rowGroup, SegmentShare.ALL, ID, ASC_NULLS_LAST, DynamicFilter.EMPTY))).containsExactlyElementsOf(ids(0));
        // the last segment is read first
        ConnectorPageSource source = open(provider(), rowGroup, SegmentShare.ALL, ID, DESC_NULLS_LAST, DynamicFilter.EMPTY);
        List<Long> last = readIds(source);
        assertThat(last).containsAll(ids(ROWS - FIRST)).hasSizeLessThanOrEqualTo(8 * FIRST);
        assertThat(metric(source, "Albis segments")).isEqualTo(1);
    }

    @Test
    void testOtherColumns()
            throws IOException
    {
        RowGroup rowGroup = write(AlbisLayout.BLOCK);
        List<Read> reads = readsOf(() -> {
            List<Long> ids = readIds(open(provider(), rowGroup, SegmentShare.ALL, SCATTERED, ASC_NULLS_LAST, DynamicFilter.EMPTY));
            assertThat(ids.stream().map(BasePageSourceTest::scatter)).containsAll(ids(0));
            // the expected number of rows that are among the first ones of those before them
            assertThat(ids).hasSizeLessThan(300);
        });
        // the order is read once, and few pages of the other columns
        assertEachByteOnce(reads.stream().filter(read -> read.location().equals(dataFile(rowGroup, SCATTERED))).toList());
        assertThat(bytes(reads.stream().filter(read -> read.location().equals(dataFile(rowGroup, ID))).toList())).isLessThan(dataBytes(rowGroup, ID));
    }

    /**
     * Splits share a threshold if they belong to one attempt of a task.
     */
    @Test
    void testAttempts()
            throws IOException
    {
        RowGroup rowGroup = write(AlbisLayout.BLOCK);
        AlbisPageSourceProvider first = provider();
        assertThat(readIds(open(first, rowGroup, new SegmentShare(2, 3), ID, DESC_NULLS_LAST, DynamicFilter.EMPTY))).containsAll(ids(ROWS - FIRST));
        assertThat(readIds(open(first, rowGroup, new SegmentShare(0, 3), ID, DESC_NULLS_LAST, DynamicFilter.EMPTY))).isEmpty();
        // another attempt reads the same splits in another order, and needs the same rows
        AlbisPageSourceProvider second = provider();
        assertThat(readIds(open(second, rowGroup, new SegmentShare(0, 3), ID, DESC_NULLS_LAST, DynamicFilter.EMPTY))).isNotEmpty();
        assertThat(readIds(open(second, rowGroup, new SegmentShare(2, 3), ID, DESC_NULLS_LAST, DynamicFilter.EMPTY))).containsAll(ids(ROWS - FIRST));
    }

    /**
     * The engine may drop rows that do not match a dynamic filter, so they do not count.
     */
    @Test
    void testDynamicFilter()
            throws IOException
    {
        RowGroup rowGroup = write(AlbisLayout.BLOCK);
        SettableDynamicFilter filter = new SettableDynamicFilter();
        filter.set(TupleDomain.withColumnDomains(ImmutableMap.of((ColumnHandle) SCATTERED, Domain.notNull(BIGINT))));
        assertThat(readIds(open(provider(), rowGroup, SegmentShare.ALL, ID, ASC_NULLS_LAST, filter))).hasSize(ROWS);
    }

    private static List<Long> ids(long from)
    {
        List<Long> ids = new ArrayList<>();
        for (long id = from; id < from + FIRST; id++) {
            ids.add(id);
        }
        return ids;
    }

    private AlbisPageSourceProvider provider()
    {
        return new AlbisPageSourceProvider(fileSystems, new ReaderResourcesFactory(MetadataSource.FILES, new ReadAheadExecutor("test", 1)), new ScanStats(), ConnectorExpressionEvaluator.NO_OP);
    }

    private static ConnectorPageSource open(AlbisPageSourceProvider provider, RowGroup rowGroup, SegmentShare share, AlbisColumnHandle key, SortOrder order, DynamicFilter dynamicFilter)
    {
        AlbisTableHandle table = new AlbisTableHandle("s", "t", new UUID(0, 0), "memory:///table", 1, TupleDomain.all(), TupleDomain.all())
                .withTopN(Optional.of(new TopN(FIRST, key, order, false)));
        AlbisSplit split = new AlbisSplit(rowGroup, share, 1, ImmutableList.of());
        return provider.createPageSource(new AlbisTransactionHandle(new UUID(0, 0)), session(), split, table, Optional.empty(), ImmutableList.of(ID, SCATTERED), dynamicFilter, MemoryContext.NO_LIMIT);
    }
}
