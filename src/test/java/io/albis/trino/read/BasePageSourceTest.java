package io.albis.trino.read;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.AlbisSchema;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.format.run.Segment;
import io.albis.format.run.SegmentShare;
import io.albis.format.scan.MetadataSource;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.write.RollingRowGroupWriter;
import io.albis.format.write.WriterOptions;
import io.albis.trino.ReadRecordingFileSystemFactory;
import io.albis.trino.ReadRecordingFileSystemFactory.Read;
import io.albis.trino.config.AlbisConfig;
import io.albis.trino.config.AlbisReadConfig;
import io.albis.trino.config.AlbisSessionProperties;
import io.albis.trino.config.ReadAhead;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.handle.AlbisSplit;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.handle.AlbisTransactionHandle;
import io.trino.filesystem.Location;
import io.trino.filesystem.memory.MemoryFileSystemFactory;
import io.trino.plugin.base.metrics.LongCount;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorExpressionEvaluator;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.DynamicFilter;
import io.trino.spi.connector.MemoryContext;
import io.trino.spi.connector.SourcePage;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.predicate.ValueSet;
import io.trino.testing.TestingConnectorSession;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import static io.airlift.slice.Slices.utf8Slice;
import static io.trino.spi.security.ConnectorIdentity.ofUser;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Opens page sources on row groups in memory, and records what they read.
 */
abstract class BasePageSourceTest
{
    private static final Location FOLDER = Location.of("memory:///table");
    static final int ROWS = 100_000;
    // In row groups written with this limit, a segment has a few thousand rows
    private static final int SEGMENT_BYTES = 1 << 16;

    static final AlbisColumnHandle ID = new AlbisColumnHandle(1, "id", BIGINT);
    static final AlbisColumnHandle NAME = new AlbisColumnHandle(2, "name", VARCHAR);
    static final AlbisColumnHandle SCATTERED = new AlbisColumnHandle(3, "scattered", BIGINT);

    final ReadRecordingFileSystemFactory fileSystems = new ReadRecordingFileSystemFactory(new MemoryFileSystemFactory());
    final AlbisPageSourceProvider provider = new AlbisPageSourceProvider(
            fileSystems,
            new ReaderResourcesFactory(MetadataSource.FILES, new ReadAheadExecutor("test", 1)),
            new ScanStats(),
            ConnectorExpressionEvaluator.NO_OP);

    interface Action
    {
        void run()
                throws IOException;
    }

    List<Read> readsOf(Action action)
            throws IOException
    {
        fileSystems.takeReads();
        action.run();
        return fileSystems.takeReads();
    }

    static void assertEachByteOnce(List<Read> reads)
    {
        for (int i = 0; i < reads.size(); i++) {
            for (int j = 0; j < i; j++) {
                assertThat(reads.get(i).overlaps(reads.get(j))).as("%s and %s", reads.get(i), reads.get(j)).isFalse();
            }
        }
    }

    static long bytes(List<Read> reads)
    {
        return reads.stream().mapToLong(Read::length).sum();
    }

    static long dataBytes(List<Read> reads)
    {
        return bytes(reads.stream().filter(read -> read.location().fileName().equals(ColumnGroupInstance.DATA_FILE)).toList());
    }

    static long bytes(RowGroup rowGroup, AlbisColumnHandle column)
    {
        return instance(rowGroup, column).metadataBytes() + dataBytes(rowGroup, column);
    }

    /**
     * Returns the size of a data file without the zeros at its end, which no reader reads.
     */
    static long dataBytes(RowGroup rowGroup, AlbisColumnHandle column)
    {
        return instance(rowGroup, column).dataBytes() - Segment.END_SLACK;
    }

    static Location dataFile(RowGroup rowGroup, AlbisColumnHandle column)
    {
        return rowGroup.dataFile(FOLDER, instance(rowGroup, column));
    }

    private static ColumnGroupInstance instance(RowGroup rowGroup, AlbisColumnHandle column)
    {
        return rowGroup.columnGroups().stream()
                .filter(columnGroup -> columnGroup.columnIds().contains(column.id()))
                .findFirst().orElseThrow();
    }

    static long metric(ConnectorPageSource source, String name)
    {
        return ((LongCount) source.getMetrics().getMetrics().get(name)).getTotal();
    }

    static TupleDomain<AlbisColumnHandle> ids(long from, long to)
    {
        return TupleDomain.withColumnDomains(ImmutableMap.of(ID, Domain.create(ValueSet.ofRanges(Range.range(BIGINT, from, true, to, false)), false)));
    }

    static AlbisSplit split(RowGroup rowGroup)
    {
        return new AlbisSplit(rowGroup, SegmentShare.ALL, 1, ImmutableList.of());
    }

    /**
     * @param off the properties to disable, which are enabled by default
     */
    static ConnectorSession session(String... off)
    {
        ImmutableMap.Builder<String, Object> values = ImmutableMap.builder();
        for (String property : off) {
            values.put(property, false);
        }
        return TestingConnectorSession.builder()
                .setPropertyMetadata(new AlbisSessionProperties(new AlbisConfig(), new AlbisReadConfig().setReadAhead(ReadAhead.NEVER)).getSessionProperties())
                .setPropertyValues(values.buildOrThrow())
                .build();
    }

    ConnectorPageSource open(AlbisSplit split, TupleDomain<AlbisColumnHandle> enforced, DynamicFilter dynamicFilter, ColumnHandle... columns)
    {
        return open(session(), split, enforced, dynamicFilter, columns);
    }

    ConnectorPageSource open(ConnectorSession session, AlbisSplit split, TupleDomain<AlbisColumnHandle> enforced, DynamicFilter dynamicFilter, ColumnHandle... columns)
    {
        AlbisTableHandle table = new AlbisTableHandle("s", "t", new UUID(0, 0), FOLDER.toString(), 1, enforced, TupleDomain.all());
        return provider.createPageSource(new AlbisTransactionHandle(new UUID(0, 0)), session, split, table, Optional.empty(), ImmutableList.copyOf(columns), dynamicFilter, MemoryContext.NO_LIMIT);
    }

    static List<Long> readIds(ConnectorPageSource source)
            throws IOException
    {
        List<Long> ids = new ArrayList<>();
        while (!source.isFinished()) {
            SourcePage page = source.getNextSourcePage();
            if (page != null) {
                addIds(page, ids);
            }
        }
        source.close();
        return ids;
    }

    /**
     * Adds the ids from the first channel, and checks that the values of the other channels match them.
     */
    static void addIds(SourcePage sourcePage, List<Long> ids)
    {
        Page page = sourcePage.getPage();
        for (int position = 0; position < page.getPositionCount(); position++) {
            long id = BIGINT.getLong(page.getBlock(0), position);
            ids.add(id);
            if (page.getChannelCount() > 1) {
                Block block = page.getBlock(1);
                if (block.getUnderlyingValueBlock().getClass().getSimpleName().startsWith("Variable")) {
                    assertThat(VARCHAR.getSlice(block, position)).isEqualTo(utf8Slice(name(id)));
                }
                else {
                    assertThat(BIGINT.getLong(block, position)).isEqualTo(scatter(id));
                }
            }
        }
    }

    static long readCount(ConnectorPageSource source)
            throws IOException
    {
        long count = 0;
        while (!source.isFinished()) {
            SourcePage page = source.getNextSourcePage();
            count += page == null ? 0 : page.getPositionCount();
        }
        source.close();
        return count;
    }

    RowGroup write(AlbisLayout layout)
            throws IOException
    {
        return write(layout, switch (layout) {
            case BLOCK -> ImmutableList.of(ImmutableList.of(ID), ImmutableList.of(NAME), ImmutableList.of(SCATTERED));
            case ROW -> ImmutableList.of(ImmutableList.of(ID, NAME, SCATTERED));
        });
    }

    RowGroup write(AlbisLayout layout, List<List<AlbisColumnHandle>> groups)
            throws IOException
    {
        return write(layout, groups, 0);
    }

    RowGroup write(AlbisLayout layout, List<List<AlbisColumnHandle>> groups, long firstId)
            throws IOException
    {
        AlbisSchema schema = AlbisSchema.makeSchema(
                ImmutableList.of(ID.toColumn(), NAME.toColumn(), SCATTERED.toColumn()),
                groups.stream()
                        .map(group -> AlbisColumnGroup.make(layout, group.stream().map(AlbisColumnHandle::toColumn).toList()))
                        .toList());
        WriterOptions options = WriterOptions.DEFAULTS.withRowGroupBytes(1L << 40).withSegmentBytes(SEGMENT_BYTES);
        RollingRowGroupWriter writer = new RollingRowGroupWriter(fileSystems.create(ofUser("test")), FOLDER, schema.rowGroupSchema(), options);
        BlockBuilder ids = BIGINT.createBlockBuilder(null, ROWS);
        BlockBuilder names = VARCHAR.createBlockBuilder(null, ROWS);
        BlockBuilder scattered = BIGINT.createBlockBuilder(null, ROWS);
        for (long id = firstId; id < firstId + ROWS; id++) {
            BIGINT.writeLong(ids, id);
            VARCHAR.writeSlice(names, utf8Slice(name(id)));
            BIGINT.writeLong(scattered, scatter(id));
        }
        writer.append(new Page(ids.build(), names.build(), scattered.build()));
        return writer.finish().getFirst();
    }

    static String name(long id)
    {
        return "number " + id;
    }

    /**
     * Returns a permutation of the numbers below the number of rows.
     */
    static long scatter(long id)
    {
        return (id * 48_271) % ROWS;
    }
}
