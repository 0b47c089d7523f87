package io.albis.trino.read;

import com.google.common.collect.ImmutableList;
import io.albis.format.AlbisSchema;
import io.albis.format.metadata.RowGroup;
import io.albis.format.scan.SegmentShare;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.write.RollingRowGroupWriter;
import io.albis.format.write.WriterOptions;
import io.albis.table.sketch.PageSketcher;
import io.albis.trino.config.AlbisConfig;
import io.albis.trino.config.AlbisReadConfig;
import io.albis.trino.config.AlbisSessionProperties;
import io.albis.trino.config.ReadAhead;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.handle.AlbisSplit;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.handle.AlbisTransactionHandle;
import io.albis.trino.sink.AlbisPageSink;
import io.albis.trino.sink.WriteStats;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystemFactory;
import io.trino.filesystem.local.LocalFileSystem;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.DynamicFilter;
import io.trino.spi.connector.SourcePage;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.Type;
import io.trino.testing.TestingConnectorSession;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;

import static com.google.common.collect.Iterables.getOnlyElement;
import static io.airlift.slice.Slices.utf8Slice;
import static io.trino.spi.security.ConnectorIdentity.ofUser;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.VarcharType.VARCHAR;

/**
 * Prints the memory that page sinks, and page sources with their last page, report, and the memory that the heap no
 * longer has while they are referenced. It runs in a process of its own, in which nothing else uses the heap.
 */
final class MemoryMeasurement
{
    private static final Location FOLDER = Location.of("local:///table");
    private static final int PAGE_ROWS = 1000;

    /**
     * @param columns number of columns
     * @param rows number of rows, which fill more than a segment
     * @param instances number of sinks or sources at the same time
     */
    record Table(String name, Type type, int distinct, int columns, int rows, int instances) {}

    static final List<Table> TABLES = ImmutableList.of(
            new Table("narrow", BIGINT, Integer.MAX_VALUE, 2, 100_000, 8),
            new Table("wide", BIGINT, Integer.MAX_VALUE, 300, 20_000, 3),
            new Table("texts", VARCHAR, Integer.MAX_VALUE, 3, 40_000, 8),
            new Table("dictionaries", VARCHAR, 200, 3, 100_000, 8));

    private final TrinoFileSystemFactory fileSystems;

    private MemoryMeasurement(Path folder)
    {
        fileSystems = _ -> new LocalFileSystem(folder);
    }

    /**
     * @param arguments a folder
     */
    public static void main(String[] arguments)
            throws IOException
    {
        MemoryMeasurement measurement = new MemoryMeasurement(Path.of(arguments[0]));
        for (Table table : TABLES) {
            // The first run loads classes
            measurement.measureSinks(table);
            print("sink", table, measurement.measureSinks(table));
            measurement.measureSources(table);
            print("source", table, measurement.measureSources(table));
        }
    }

    private record Measured(long reported, long used) {}

    private static void print(String kind, Table table, Measured measured)
    {
        System.out.printf("%s %s %s %s%n", kind, table.name(), measured.reported(), measured.used());
    }

    private Measured measureSinks(Table table)
    {
        long before = usedHeap();
        List<AlbisPageSink> sinks = new ArrayList<>();
        for (int instance = 0; instance < table.instances(); instance++) {
            AlbisPageSink sink = new AlbisPageSink(writer(table), new PageSketcher(schema(table).columns()), new WriteStats());
            for (int row = 0; row < table.rows(); row += PAGE_ROWS) {
                sink.appendPage(page(table, row));
            }
            sinks.add(sink);
        }
        long used = usedHeap() - before;
        long reported = 0;
        for (AlbisPageSink sink : sinks) {
            reported += sink.getMemoryUsage();
            sink.abort();
        }
        return new Measured(reported, used);
    }

    private Measured measureSources(Table table)
            throws IOException
    {
        RollingRowGroupWriter writer = writer(table);
        for (int row = 0; row < table.rows(); row += PAGE_ROWS) {
            writer.append(page(table, row));
        }
        RowGroup rowGroup = getOnlyElement(writer.finish());
        // The metadata of column groups is in a cache, whose memory belongs to no query
        AlbisPageSourceProvider provider = new AlbisPageSourceProvider(fileSystems, new ReaderResourcesFactory(new MetadataCache(new AlbisReadConfig()), new ReadAheadExecutor("test", 1)), new ScanStats());
        long[] unused = new long[1];
        ConnectorPageSource first = open(provider, table, rowGroup, unused);
        read(first);
        first.close();
        long before = usedHeap();
        List<ConnectorPageSource> sources = new ArrayList<>();
        long reported = 0;
        for (int instance = 0; instance < table.instances(); instance++) {
            long[] memory = new long[1];
            ConnectorPageSource source = open(provider, table, rowGroup, memory);
            sources.add(source);
            long page = read(source);
            reported += memory[0] + page;
        }
        long used = usedHeap() - before;
        for (ConnectorPageSource source : sources) {
            source.close();
        }
        return new Measured(reported, used);
    }

    /**
     * Reads a few pages with all columns.
     *
     * @return the memory that the engine counts for the last page, which the source retains until it returns another
     *         one
     */
    private static long read(ConnectorPageSource source)
    {
        long retained = 0;
        for (int pages = 0; pages < 2; ) {
            SourcePage page = source.getNextSourcePage();
            if (page != null) {
                page.getPage();
                retained = page.getRetainedSizeInBytes();
                pages++;
            }
            if (source.isFinished()) {
                throw new IllegalStateException("The row group has less than two pages");
            }
        }
        return retained;
    }

    private static ConnectorPageSource open(AlbisPageSourceProvider provider, Table table, RowGroup rowGroup, long[] memory)
    {
        AlbisTableHandle handle = new AlbisTableHandle("s", "t", new UUID(0, 0), FOLDER.toString(), 1, TupleDomain.all(), TupleDomain.all());
        AlbisSplit split = new AlbisSplit(rowGroup, SegmentShare.ALL, 1, ImmutableList.of());
        ConnectorSession session = TestingConnectorSession.builder()
                .setPropertyMetadata(new AlbisSessionProperties(new AlbisConfig(), new AlbisReadConfig().setReadAhead(ReadAhead.NEVER)).getSessionProperties())
                .build();
        ImmutableList.Builder<ColumnHandle> columns = ImmutableList.builder();
        for (int column = 1; column <= table.columns(); column++) {
            columns.add(new AlbisColumnHandle(column, "c" + column, table.type()));
        }
        return provider.createPageSource(new AlbisTransactionHandle(new UUID(0, 0)), session, split, handle, Optional.empty(), columns.build(), DynamicFilter.EMPTY, bytes -> memory[0] = bytes);
    }

    private RollingRowGroupWriter writer(Table table)
    {
        return new RollingRowGroupWriter(fileSystems.create(ofUser("test")), FOLDER, schema(table).rowGroupSchema(), WriterOptions.DEFAULTS);
    }

    private static AlbisSchema schema(Table table)
    {
        ImmutableList.Builder<AlbisColumn> columns = ImmutableList.builder();
        for (int column = 1; column <= table.columns(); column++) {
            columns.add(new AlbisColumnHandle(column, "c" + column, table.type()).toColumn());
        }
        List<AlbisColumn> all = columns.build();
        return AlbisSchema.makeSchema(all, ImmutableList.of(AlbisColumnGroup.make(AlbisLayout.BLOCK, all)));
    }

    private static Page page(Table table, int firstRow)
    {
        Random random = new Random(firstRow);
        Block[] blocks = new Block[table.columns()];
        for (int column = 0; column < blocks.length; column++) {
            BlockBuilder builder = table.type().createBlockBuilder(null, PAGE_ROWS);
            for (int row = 0; row < PAGE_ROWS; row++) {
                int value = random.nextInt(table.distinct());
                if (table.type().equals(BIGINT)) {
                    BIGINT.writeLong(builder, value * 1_000_003L);
                }
                else {
                    VARCHAR.writeSlice(builder, utf8Slice("a text of which there are some or many others: " + value));
                }
            }
            blocks[column] = builder.build();
        }
        return new Page(blocks);
    }

    /**
     * Returns the bytes that the last collection has left. {@link Runtime#freeMemory} would also count the allocation
     * buffers of threads, of a megabyte each.
     */
    private static long usedHeap()
    {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        long used = 0;
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            if (pool.getType() == MemoryType.HEAP) {
                used += pool.getCollectionUsage().getUsed();
            }
        }
        return used;
    }
}
