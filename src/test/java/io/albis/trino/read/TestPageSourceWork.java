package io.albis.trino.read;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.AlbisSchema;
import io.albis.format.metadata.RowGroup;
import io.albis.format.run.SegmentShare;
import io.albis.format.scan.MetadataSource;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.write.RollingRowGroupWriter;
import io.albis.format.write.WriterOptions;
import io.albis.trino.config.AlbisConfig;
import io.albis.trino.config.AlbisReadConfig;
import io.albis.trino.config.AlbisSessionProperties;
import io.albis.trino.config.ReadAhead;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.handle.AlbisSplit;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.handle.AlbisTransactionHandle;
import io.albis.trino.pushdown.SettableDynamicFilter;
import io.trino.filesystem.Location;
import io.trino.filesystem.memory.MemoryFileSystemFactory;
import io.trino.spi.Page;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorExpressionEvaluator;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.DynamicFilter;
import io.trino.spi.connector.MemoryContext;
import io.trino.spi.connector.SourcePage;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import io.trino.testing.TestingConnectorSession;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.Iterables.getOnlyElement;
import static io.airlift.slice.Slices.utf8Slice;
import static io.trino.spi.security.ConnectorIdentity.ofUser;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A page source returns control to the engine after a bounded amount of work, and reports all the memory that it uses.
 */
final class TestPageSourceWork
{
    private static final Location FOLDER = Location.of("memory:///table");
    // The unit of work is a byte that the reader examines, plus eight bytes for each row
    private static final long MAX_BYTES = 1 << 22;
    private static final int MAX_ROWS = 1 << 19;

    private static final AlbisColumnHandle KEY = new AlbisColumnHandle(1, "key", BIGINT);
    private static final AlbisColumnHandle TEXT = new AlbisColumnHandle(2, "text", VARCHAR);

    private final MemoryFileSystemFactory fileSystems = new MemoryFileSystemFactory();
    private final AlbisPageSourceProvider provider = new AlbisPageSourceProvider(
            fileSystems,
            new ReaderResourcesFactory(MetadataSource.FILES, new ReadAheadExecutor("test", 1)),
            new ScanStats(),
            ConnectorExpressionEvaluator.NO_OP);

    private static final class RecordingMemoryContext
            implements MemoryContext
    {
        private final List<Long> reports = new ArrayList<>();

        @Override
        public void setBytes(long bytes)
        {
            reports.add(bytes);
        }

        private long last()
        {
            return reports.getLast();
        }
    }

    @Test
    void testReturnsWhileNoRowMatches()
            throws IOException
    {
        int rows = 3_000_000;
        RowGroup rowGroup = write(ImmutableList.of(KEY), rows, 1 << 20);
        // No key has this value, although the bounds of each segment include it
        TupleDomain<AlbisColumnHandle> predicate = TupleDomain.withColumnDomains(ImmutableMap.of(KEY, Domain.singleValue(BIGINT, key(1) + 1)));
        assertReturns(rowGroup, rows, predicate, TupleDomain.all(), rows / MAX_ROWS);
        assertReturns(rowGroup, rows, TupleDomain.all(), predicate.transformKeys(ColumnHandle.class::cast), rows / MAX_ROWS);
    }

    @Test
    void testReturnsWhileNoTextMatches()
            throws IOException
    {
        // One segment of about 25 MB and eight runs
        int rows = 60_000;
        RowGroup rowGroup = write(ImmutableList.of(TEXT), rows, WriterOptions.MAX_SEGMENT_BYTES);
        TupleDomain<AlbisColumnHandle> predicate = TupleDomain.withColumnDomains(ImmutableMap.of(TEXT, Domain.singleValue(VARCHAR, utf8Slice("500"))));
        assertReturns(rowGroup, rows, predicate, TupleDomain.all(), 3);
    }

    private void assertReturns(RowGroup rowGroup, int rows, TupleDomain<AlbisColumnHandle> predicate, TupleDomain<ColumnHandle> dynamicPredicate, int leastReturns)
            throws IOException
    {
        SettableDynamicFilter dynamicFilter = new SettableDynamicFilter();
        dynamicFilter.set(dynamicPredicate);
        RecordingMemoryContext memory = new RecordingMemoryContext();
        long returns = 0;
        try (ConnectorPageSource source = open(rowGroup, predicate, dynamicFilter, memory, getOnlyElement(rowGroup.columnIds()) == 1 ? KEY : TEXT)) {
            long bytes = 0;
            while (!source.isFinished()) {
                assertThat(source.isBlocked()).isDone();
                SourcePage page = source.getNextSourcePage();
                assertThat(page).isNull();
                returns++;
                assertThat(memory.reports).hasSize((int) returns);
                long more = source.getCompletedBytes() - bytes;
                bytes += more;
                // The run that exceeds the limit is included
                assertThat(more).isLessThan(2 * MAX_BYTES);
            }
            assertThat(bytes).isGreaterThan(rows);
        }
        assertThat(returns).isGreaterThan(leastReturns);
        assertThat(memory.last()).isZero();
    }

    /**
     * All splits of a scan share the lookup table of a dynamic filter's values, and only one split accounts for its
     * memory.
     */
    @Test
    void testValuesOfADynamicFilterAreCountedOnce()
            throws IOException
    {
        RowGroup rowGroup = write(ImmutableList.of(KEY), 1000, 1 << 20);
        int values = 200_000;
        List<Long> keys = new ArrayList<>();
        for (int i = 0; i < values; i++) {
            keys.add(key(i) * 1000);
        }
        SettableDynamicFilter filter = new SettableDynamicFilter();
        filter.set(TupleDomain.withColumnDomains(ImmutableMap.of(KEY, Domain.multipleValues(BIGINT, keys))));
        long least = (long) values * Long.BYTES;

        RecordingMemoryContext firstMemory = new RecordingMemoryContext();
        RecordingMemoryContext secondMemory = new RecordingMemoryContext();
        ConnectorPageSource first = open(rowGroup, TupleDomain.all(), filter, firstMemory, KEY);
        ConnectorPageSource second = open(rowGroup, TupleDomain.all(), filter, secondMemory, KEY);
        first.getNextSourcePage();
        second.getNextSourcePage();
        assertThat(firstMemory.last()).isGreaterThan(least);
        assertThat(secondMemory.last()).isLessThan(least);

        // Another split must account for memory that is still in use
        first.close();
        assertThat(firstMemory.last()).isZero();
        second.getNextSourcePage();
        assertThat(secondMemory.last()).isGreaterThan(least);

        // The filter has narrowed to a few values
        filter.set(TupleDomain.withColumnDomains(ImmutableMap.of(KEY, Domain.multipleValues(BIGINT, keys.subList(0, 3)))));
        RecordingMemoryContext thirdMemory = new RecordingMemoryContext();
        ConnectorPageSource third = open(rowGroup, TupleDomain.all(), filter, thirdMemory, KEY);
        third.getNextSourcePage();
        assertThat(thirdMemory.last()).isLessThan(least);
        second.close();
        assertThat(secondMemory.last()).isZero();
        third.close();
    }

    private ConnectorPageSource open(RowGroup rowGroup, TupleDomain<AlbisColumnHandle> predicate, DynamicFilter dynamicFilter, MemoryContext memory, ColumnHandle column)
    {
        AlbisTableHandle table = new AlbisTableHandle("s", "t", new UUID(0, 0), FOLDER.toString(), 1, predicate, TupleDomain.all());
        AlbisSplit split = new AlbisSplit(rowGroup, SegmentShare.ALL, 1, ImmutableList.of());
        return provider.createPageSource(new AlbisTransactionHandle(new UUID(0, 0)), session(), split, table, Optional.empty(), ImmutableList.of(column), dynamicFilter, memory);
    }

    private static ConnectorSession session()
    {
        return TestingConnectorSession.builder()
                .setPropertyMetadata(new AlbisSessionProperties(new AlbisConfig(), new AlbisReadConfig().setReadAhead(ReadAhead.NEVER)).getSessionProperties())
                .build();
    }

    private static long key(int row)
    {
        return 4 * (row * 7919L % 1_000_003);
    }

    private RowGroup write(List<AlbisColumnHandle> columns, int rows, int segmentBytes)
            throws IOException
    {
        AlbisSchema schema = AlbisSchema.makeSchema(
                columns.stream().map(AlbisColumnHandle::toColumn).collect(toImmutableList()),
                ImmutableList.of(AlbisColumnGroup.make(AlbisLayout.BLOCK, columns.stream().map(AlbisColumnHandle::toColumn).collect(toImmutableList()))));
        WriterOptions options = WriterOptions.DEFAULTS.withRowGroupBytes(1L << 40).withSegmentBytes(segmentBytes);
        RollingRowGroupWriter writer = new RollingRowGroupWriter(fileSystems.create(ofUser("test")), FOLDER, schema.rowGroupSchema(), options);
        String padding = "x".repeat(400);
        AlbisColumnHandle column = getOnlyElement(columns);
        BlockBuilder builder = column.type().createBlockBuilder(null, rows);
        for (int row = 0; row < rows; row++) {
            if (column.equals(KEY)) {
                BIGINT.writeLong(builder, key(row));
            }
            else {
                VARCHAR.writeSlice(builder, utf8Slice(key(row) + padding));
            }
        }
        writer.append(new Page(builder.build()));
        return getOnlyElement(writer.finish());
    }
}
