package io.albis.trino.read;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.AlbisSchema;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.format.scan.MetadataSource;
import io.albis.format.scan.SegmentShare;
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
import io.albis.trino.pushdown.SettableDynamicFilter;
import io.trino.filesystem.Location;
import io.trino.filesystem.memory.MemoryFileSystemFactory;
import io.trino.plugin.base.metrics.LongCount;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.connector.ColumnHandle;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.LongStream;

import static io.airlift.slice.Slices.utf8Slice;
import static io.albis.trino.config.AlbisSessionProperties.DYNAMIC_ROW_FILTERING;
import static io.albis.trino.config.AlbisSessionProperties.LAZY_READING;
import static io.albis.trino.config.AlbisSessionProperties.SEGMENT_PRUNING;
import static io.trino.spi.security.ConnectorIdentity.ofUser;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests which parts of a row group are read, and with how many requests.
 */
final class TestAlbisPageSource
{
    private static final Location FOLDER = Location.of("memory:///table");
    private static final int ROWS = 100_000;
    private static final int MAX_SEGMENT_ROWS = 65_536;
    // In row groups written with this limit, a segment has a few thousand rows
    private static final int SEGMENT_BYTES = 1 << 16;

    private static final AlbisColumnHandle ID = new AlbisColumnHandle(1, "id", BIGINT);
    private static final AlbisColumnHandle NAME = new AlbisColumnHandle(2, "name", VARCHAR);
    private static final AlbisColumnHandle SCATTERED = new AlbisColumnHandle(3, "scattered", BIGINT);
    private static final ColumnHandle FOREIGN = new ColumnHandle() {};

    private final ReadRecordingFileSystemFactory fileSystems = new ReadRecordingFileSystemFactory(new MemoryFileSystemFactory());
    private final AlbisPageSourceProvider provider = new AlbisPageSourceProvider(
            fileSystems,
            new ReaderResourcesFactory(MetadataSource.FILES, new ReadAheadExecutor("test", 1)),
            new ScanStats());

    @ParameterizedTest
    @EnumSource
    void testSharesAreTheRowGroup(AlbisLayout layout)
            throws IOException
    {
        RowGroup rowGroup = write(layout);
        List<Long> all = LongStream.range(0, ROWS).boxed().toList();
        for (int shares : new int[] {1, 2, 3, 7, 1000}) {
            List<Long> ids = new ArrayList<>();
            long rowGroups = 0;
            for (int share = 0; share < shares; share++) {
                ConnectorPageSource source = open(new AlbisSplit(rowGroup, new SegmentShare(share, shares), 1, ImmutableList.of()), TupleDomain.all(), DynamicFilter.EMPTY, ID, NAME);
                ids.addAll(readIds(source));
                rowGroups += metric(source, "Albis row groups");
            }
            assertThat(ids).isEqualTo(all);
            assertThat(rowGroups).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void testSharesAreCountedOnce(AlbisLayout layout)
            throws IOException
    {
        RowGroup rowGroup = write(layout);
        fileSystems.takeReads();
        for (int shares : new int[] {1, 2, 5}) {
            long count = 0;
            for (int share = 0; share < shares; share++) {
                count += readCount(open(new AlbisSplit(rowGroup, new SegmentShare(share, shares), 1, ImmutableList.of()), TupleDomain.all(), DynamicFilter.EMPTY));
            }
            assertThat(count).isEqualTo(ROWS);
            assertThat(fileSystems.takeReads()).isEmpty();

            count = 0;
            for (int share = 0; share < shares; share++) {
                count += readCount(open(new AlbisSplit(rowGroup, new SegmentShare(share, shares), 1, ImmutableList.of()), ids(10, 70_000), DynamicFilter.EMPTY));
            }
            assertThat(count).isEqualTo(69_990);
            fileSystems.takeReads();
        }
    }

    /**
     * The shares of a row group are opened at different times, and all have to agree which of them counts it.
     */
    @Test
    void testSharesAreCountedOnceWhateverTheDynamicFilterSays()
            throws IOException
    {
        RowGroup rowGroup = write(AlbisLayout.BLOCK);
        SettableDynamicFilter filter = new SettableDynamicFilter();
        for (int narrowed = 0; narrowed < 3; narrowed++) {
            long count = 0;
            for (int share = 0; share < 3; share++) {
                filter.set(share == narrowed ? ids(0, ROWS - 1).transformKeys(ColumnHandle.class::cast) : TupleDomain.all());
                count += readCount(open(new AlbisSplit(rowGroup, new SegmentShare(share, 3), 1, ImmutableList.of()), TupleDomain.all(), filter));
            }
            assertThat(count).isBetween(ROWS - 1L, (long) ROWS);
        }
    }

    @Test
    void testCountWithDynamicFilter()
            throws IOException
    {
        RowGroup rowGroup = write(AlbisLayout.BLOCK);
        SettableDynamicFilter filter = new SettableDynamicFilter();
        filter.set(ids(100, 110).transformKeys(ColumnHandle.class::cast));
        assertThat(readCount(open(split(rowGroup), TupleDomain.all(), filter))).isEqualTo(10);
        assertThat(readCount(open(session(DYNAMIC_ROW_FILTERING), split(rowGroup), TupleDomain.all(), filter))).isEqualTo(ROWS);
    }

    @ParameterizedTest
    @EnumSource
    void testDynamicFilterOfNothing(AlbisLayout layout)
            throws IOException
    {
        RowGroup rowGroup = write(layout);
        fileSystems.takeReads();
        SettableDynamicFilter filter = new SettableDynamicFilter();
        filter.set(TupleDomain.none());
        ConnectorPageSource source = open(split(rowGroup), TupleDomain.all(), filter, ID, NAME);
        assertThat(source.isFinished()).isTrue();
        assertThat(readIds(source)).isEmpty();
        assertThat(readCount(open(split(rowGroup), TupleDomain.all(), filter))).isZero();
        assertThat(fileSystems.takeReads()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void testDynamicFilterThatArrivesLate(AlbisLayout layout)
            throws IOException
    {
        RowGroup rowGroup = write(layout);
        List<Read> complete = readsOf(() -> readIds(open(split(rowGroup), TupleDomain.all(), DynamicFilter.EMPTY, ID, NAME)));

        fileSystems.takeReads();
        SettableDynamicFilter filter = new SettableDynamicFilter();
        ConnectorPageSource source = open(split(rowGroup), TupleDomain.all(), filter, ID, NAME);
        SourcePage page = source.getNextSourcePage();
        assertThat(page.getPositionCount()).isGreaterThan(1000);
        List<Long> ids = new ArrayList<>();
        addIds(page, ids);
        filter.set(values(ID, 90_000, 90_001, 200_000));
        ids.addAll(readIds(source));
        // Rows that were selected before the filter narrowed are still returned
        assertThat(ids).hasSizeLessThanOrEqualTo(MAX_SEGMENT_ROWS + 2);
        assertThat(ids.subList(0, ids.size() - 2)).isEqualTo(LongStream.range(0, ids.size() - 2).boxed().toList());
        assertThat(ids.subList(ids.size() - 2, ids.size())).containsExactly(90_000L, 90_001L);
        assertThat(metric(source, "Albis segments skipped")).isPositive();
        assertThat(bytes(fileSystems.takeReads())).isLessThan(bytes(complete));

        // The filter now excludes all rows
        source = open(split(rowGroup), TupleDomain.all(), filter, ID);
        assertThat(source.getNextSourcePage().getPositionCount()).isEqualTo(2);
        filter.set(TupleDomain.none());
        assertThat(source.getNextSourcePage()).isNull();
        assertThat(source.isFinished()).isTrue();
    }

    /**
     * The values of one column are unordered, so bounds exclude nothing.
     */
    @ParameterizedTest
    @EnumSource
    void testDynamicFilterOfManyValues(AlbisLayout layout)
            throws IOException
    {
        RowGroup rowGroup = write(layout);
        List<Long> expected = LongStream.range(0, ROWS).filter(id -> scatter(id) % 2 == 0).boxed().toList();
        SettableDynamicFilter filter = new SettableDynamicFilter();
        filter.set(TupleDomain.withColumnDomains(ImmutableMap.of(SCATTERED, Domain.multipleValues(BIGINT, LongStream.range(0, ROWS / 2).map(value -> 2 * value).boxed().toList()))));
        ConnectorPageSource source = open(split(rowGroup), TupleDomain.all(), filter, ID, SCATTERED);
        assertThat(readIds(source)).isEqualTo(expected);
        // Counts the rows that are returned
        assertThat(source.getCompletedPositions()).hasValue(ROWS / 2);
        assertThat(metric(source, "Albis rows")).isEqualTo(ROWS);
        assertThat(metric(source, "Albis rows skipped")).isEqualTo(ROWS / 2);

        source = open(session(DYNAMIC_ROW_FILTERING), split(rowGroup), TupleDomain.all(), filter, ID, SCATTERED);
        assertThat(readIds(source)).hasSize(ROWS);
        assertThat(metric(source, "Albis rows skipped")).isZero();
    }

    @Test
    void testDynamicFilterOfForeignColumn()
            throws IOException
    {
        RowGroup rowGroup = write(AlbisLayout.BLOCK);
        SettableDynamicFilter filter = new SettableDynamicFilter();
        filter.set(TupleDomain.withColumnDomains(ImmutableMap.of(FOREIGN, Domain.singleValue(BIGINT, -1L))));
        assertThat(readIds(open(split(rowGroup), TupleDomain.all(), filter, ID))).hasSize(ROWS);
        filter.set(TupleDomain.withColumnDomains(ImmutableMap.of(FOREIGN, Domain.singleValue(BIGINT, -1L), ID, Domain.singleValue(BIGINT, 5L))));
        assertThat(readIds(open(split(rowGroup), TupleDomain.all(), filter, ID))).containsExactly(5L);
    }

    @Test
    void testProjectionReadsItsColumnsOnly()
            throws IOException
    {
        RowGroup rowGroup = write(AlbisLayout.BLOCK);
        List<Read> reads = readsOf(() -> readIds(open(split(rowGroup), TupleDomain.all(), DynamicFilter.EMPTY, ID)));
        assertThat(bytes(reads)).isEqualTo(bytes(rowGroup, ID));
        assertEachByteOnce(reads);

        reads = readsOf(() -> readIds(open(split(rowGroup), TupleDomain.all(), DynamicFilter.EMPTY, ID, SCATTERED)));
        assertThat(bytes(reads)).isEqualTo(bytes(rowGroup, ID) + bytes(rowGroup, SCATTERED));
        assertEachByteOnce(reads);
    }

    @Test
    void testProjectionOfOneColumnGroup()
            throws IOException
    {
        List<List<AlbisColumnHandle>> columns = ImmutableList.of(ImmutableList.of(ID), ImmutableList.of(NAME), ImmutableList.of(SCATTERED));
        RowGroup apart = write(AlbisLayout.BLOCK, columns);
        RowGroup together = write(AlbisLayout.BLOCK, ImmutableList.of(ImmutableList.of(ID, NAME, SCATTERED)));
        for (AlbisColumnHandle column : ImmutableList.of(ID, SCATTERED)) {
            List<Read> reads = readsOf(() -> readIds(open(split(together), TupleDomain.all(), DynamicFilter.EMPTY, column)));
            assertEachByteOnce(reads);
            // Without the headers of the separate files
            assertThat(dataBytes(reads)).isBetween(dataBytes(apart, column) - 100, dataBytes(apart, column) + 100);
        }
    }

    @Test
    void testFilterThatHitsOneSegment()
            throws IOException
    {
        RowGroup rowGroup = write(AlbisLayout.BLOCK);
        List<Read> reads = readsOf(() -> {
            ConnectorPageSource source = open(split(rowGroup), ids(50_000, 50_001), DynamicFilter.EMPTY, ID, NAME);
            assertThat(readIds(source)).containsExactly(50_000L);
            assertThat(metric(source, "Albis segments")).isEqualTo(1);
            assertThat(metric(source, "Albis reads")).isEqualTo(4);
        });
        // The metadata and one run of each of the two columns
        assertThat(reads).hasSize(4);
        assertEachByteOnce(reads);
        assertThat(dataBytes(reads)).isLessThan((dataBytes(rowGroup, ID) + dataBytes(rowGroup, NAME)) / 5);
    }

    @ParameterizedTest
    @EnumSource
    void testColumnThatNobodyNeeds(AlbisLayout layout)
            throws IOException
    {
        RowGroup rowGroup = write(layout, ImmutableList.of(ImmutableList.of(ID), ImmutableList.of(NAME), ImmutableList.of(SCATTERED)));
        Location name = dataFile(rowGroup, NAME);

        // No row is left, although no bounds exclude it
        TupleDomain<AlbisColumnHandle> nothing = TupleDomain.withColumnDomains(ImmutableMap.of(SCATTERED, Domain.singleValue(BIGINT, (long) ROWS / 2), ID, Domain.singleValue(BIGINT, 3L)));
        List<Read> reads = readsOf(() -> {
            ConnectorPageSource source = open(session(SEGMENT_PRUNING), split(rowGroup), nothing, DynamicFilter.EMPTY, ID, NAME);
            assertThat(readIds(source)).isEmpty();
        });
        assertThat(reads).noneMatch(read -> read.location().equals(name));

        // Some rows are left, but the engine needs only another column
        reads = readsOf(() -> {
            ConnectorPageSource source = open(split(rowGroup), ids(100, 90_000), DynamicFilter.EMPTY, ID, NAME);
            for (SourcePage page = source.getNextSourcePage(); page != null || !source.isFinished(); page = source.getNextSourcePage()) {
                page.getBlock(0);
            }
        });
        assertThat(reads).noneMatch(read -> read.location().equals(name));

        // The engine's own filter keeps rows of one page
        reads = readsOf(() -> {
            ConnectorPageSource source = open(split(rowGroup), TupleDomain.all(), DynamicFilter.EMPTY, ID, NAME);
            for (SourcePage page = source.getNextSourcePage(); page != null || !source.isFinished(); page = source.getNextSourcePage()) {
                Block ids = page.getBlock(0);
                for (int position = 0; position < ids.getPositionCount(); position++) {
                    if (BIGINT.getLong(ids, position) == 33_333) {
                        page.selectPositions(new int[] {position}, 0, 1);
                        assertThat(VARCHAR.getSlice(page.getBlock(1), 0)).isEqualTo(utf8Slice(name(33_333)));
                    }
                }
            }
        });
        assertThat(reads.stream().filter(read -> read.location().equals(name))).hasSize(1);

        // A reader that is not lazy, for comparison
        reads = readsOf(() -> readIds(open(session(LAZY_READING), split(rowGroup), ids(100, 90_000), DynamicFilter.EMPTY, ID, NAME)));
        assertThat(reads).anyMatch(read -> read.location().equals(name));
    }

    @Test
    void testDynamicFilterOfOneRowGroup()
            throws IOException
    {
        List<RowGroup> rowGroups = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            rowGroups.add(write(AlbisLayout.BLOCK, ImmutableList.of(ImmutableList.of(ID), ImmutableList.of(NAME), ImmutableList.of(SCATTERED)), (long) i * ROWS));
        }
        SettableDynamicFilter filter = new SettableDynamicFilter();
        filter.set(values(ID, 2 * ROWS + 7, 2 * ROWS + 8));
        List<Read> reads = readsOf(() -> {
            List<Long> ids = new ArrayList<>();
            for (RowGroup rowGroup : rowGroups) {
                ids.addAll(readIds(open(split(rowGroup), TupleDomain.all(), filter, ID, NAME)));
            }
            assertThat(ids).containsExactly(2L * ROWS + 7, 2L * ROWS + 8);
        });
        List<Location> data = reads.stream()
                .map(Read::location)
                .filter(location -> location.fileName().equals(ColumnGroupInstance.DATA_FILE))
                .toList();
        assertThat(data).containsExactlyInAnyOrder(dataFile(rowGroups.get(2), ID), dataFile(rowGroups.get(2), NAME));
        // And the metadata of both columns
        assertThat(reads).hasSize(data.size() + 2 * rowGroups.size());
    }

    private interface Action
    {
        void run()
                throws IOException;
    }

    private List<Read> readsOf(Action action)
            throws IOException
    {
        fileSystems.takeReads();
        action.run();
        return fileSystems.takeReads();
    }

    private static void assertEachByteOnce(List<Read> reads)
    {
        for (int i = 0; i < reads.size(); i++) {
            for (int j = 0; j < i; j++) {
                assertThat(reads.get(i).overlaps(reads.get(j))).as("%s and %s", reads.get(i), reads.get(j)).isFalse();
            }
        }
    }

    private static long bytes(List<Read> reads)
    {
        return reads.stream().mapToLong(Read::length).sum();
    }

    private static long dataBytes(List<Read> reads)
    {
        return bytes(reads.stream().filter(read -> read.location().fileName().equals(ColumnGroupInstance.DATA_FILE)).toList());
    }

    private static long bytes(RowGroup rowGroup, AlbisColumnHandle column)
    {
        return instance(rowGroup, column).metadataBytes() + instance(rowGroup, column).dataBytes();
    }

    private static long dataBytes(RowGroup rowGroup, AlbisColumnHandle column)
    {
        return instance(rowGroup, column).dataBytes();
    }

    private static Location dataFile(RowGroup rowGroup, AlbisColumnHandle column)
    {
        return rowGroup.dataFile(FOLDER, instance(rowGroup, column));
    }

    private static ColumnGroupInstance instance(RowGroup rowGroup, AlbisColumnHandle column)
    {
        return rowGroup.columnGroups().stream()
                .filter(columnGroup -> columnGroup.columnIds().contains(column.id()))
                .findFirst().orElseThrow();
    }

    private static long metric(ConnectorPageSource source, String name)
    {
        return ((LongCount) source.getMetrics().getMetrics().get(name)).getTotal();
    }

    private static TupleDomain<AlbisColumnHandle> ids(long from, long to)
    {
        return TupleDomain.withColumnDomains(ImmutableMap.of(ID, Domain.create(ValueSet.ofRanges(Range.range(BIGINT, from, true, to, false)), false)));
    }

    private static TupleDomain<ColumnHandle> values(ColumnHandle column, long... values)
    {
        return TupleDomain.withColumnDomains(ImmutableMap.of(column, Domain.multipleValues(BIGINT, LongStream.of(values).boxed().toList())));
    }

    private static AlbisSplit split(RowGroup rowGroup)
    {
        return new AlbisSplit(rowGroup, SegmentShare.ALL, 1, ImmutableList.of());
    }

    /**
     * @param off the properties to disable, which are enabled by default
     */
    private static ConnectorSession session(String... off)
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

    private ConnectorPageSource open(AlbisSplit split, TupleDomain<AlbisColumnHandle> enforced, DynamicFilter dynamicFilter, ColumnHandle... columns)
    {
        return open(session(), split, enforced, dynamicFilter, columns);
    }

    private ConnectorPageSource open(ConnectorSession session, AlbisSplit split, TupleDomain<AlbisColumnHandle> enforced, DynamicFilter dynamicFilter, ColumnHandle... columns)
    {
        AlbisTableHandle table = new AlbisTableHandle("s", "t", new UUID(0, 0), FOLDER.toString(), 1, enforced, TupleDomain.all());
        return provider.createPageSource(new AlbisTransactionHandle(new UUID(0, 0)), session, split, table, Optional.empty(), ImmutableList.copyOf(columns), dynamicFilter, MemoryContext.NO_LIMIT);
    }

    private static List<Long> readIds(ConnectorPageSource source)
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
    private static void addIds(SourcePage sourcePage, List<Long> ids)
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

    private static long readCount(ConnectorPageSource source)
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

    private RowGroup write(AlbisLayout layout)
            throws IOException
    {
        return write(layout, switch (layout) {
            case BLOCK -> ImmutableList.of(ImmutableList.of(ID), ImmutableList.of(NAME), ImmutableList.of(SCATTERED));
            case ROW -> ImmutableList.of(ImmutableList.of(ID, NAME, SCATTERED));
        });
    }

    private RowGroup write(AlbisLayout layout, List<List<AlbisColumnHandle>> groups)
            throws IOException
    {
        return write(layout, groups, 0);
    }

    private RowGroup write(AlbisLayout layout, List<List<AlbisColumnHandle>> groups, long firstId)
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

    private static String name(long id)
    {
        return "number " + id;
    }

    /**
     * Returns a permutation of the numbers below the number of rows.
     */
    private static long scatter(long id)
    {
        return (id * 48_271) % ROWS;
    }
}
