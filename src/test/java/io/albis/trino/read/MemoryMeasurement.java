package io.albis.trino.read;

import com.google.common.collect.ImmutableList;
import io.albis.format.AlbisSchema;
import io.albis.format.metadata.RowGroup;
import io.albis.format.run.SegmentShare;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.write.RollingRowGroupWriter;
import io.albis.format.write.WriterOptions;
import io.albis.table.sketch.PageSketcher;
import io.albis.trino.MeasuredTable;
import io.albis.trino.config.AlbisConfig;
import io.albis.trino.config.AlbisReadConfig;
import io.albis.trino.config.AlbisSessionProperties;
import io.albis.trino.config.ReadAhead;
import io.albis.trino.handle.AlbisSplit;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.handle.AlbisTransactionHandle;
import io.albis.trino.sink.AlbisPageSink;
import io.albis.trino.sink.WriteStats;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystemFactory;
import io.trino.filesystem.local.LocalFileSystem;
import io.trino.spi.connector.ConnectorExpressionEvaluator;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.DynamicFilter;
import io.trino.spi.connector.SourcePage;
import io.trino.spi.predicate.TupleDomain;
import io.trino.testing.TestingConnectorSession;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import static com.google.common.collect.Iterables.getOnlyElement;
import static io.albis.trino.MeasuredTable.PAGE_ROWS;
import static io.albis.trino.MeasuredTable.usedHeap;
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

    static final List<MeasuredTable> TABLES = ImmutableList.of(
            new MeasuredTable("narrow", BIGINT, Integer.MAX_VALUE, 2, 100_000, 8),
            new MeasuredTable("wide", BIGINT, Integer.MAX_VALUE, 300, 20_000, 3),
            new MeasuredTable("texts", VARCHAR, Integer.MAX_VALUE, 3, 40_000, 8),
            new MeasuredTable("dictionaries", VARCHAR, 200, 3, 100_000, 8));

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
        for (MeasuredTable table : TABLES) {
            // The first run loads classes
            measurement.measureSinks(table);
            print("sink", table, measurement.measureSinks(table));
            measurement.measureSources(table);
            print("source", table, measurement.measureSources(table));
        }
    }

    private record Measured(long reported, long used) {}

    private static void print(String kind, MeasuredTable table, Measured measured)
    {
        System.out.printf("%s %s %s %s%n", kind, table.name(), measured.reported(), measured.used());
    }

    private Measured measureSinks(MeasuredTable table)
    {
        long before = usedHeap();
        List<AlbisPageSink> sinks = new ArrayList<>();
        for (int instance = 0; instance < table.instances(); instance++) {
            AlbisPageSink sink = new AlbisPageSink(writer(table), new PageSketcher(table.schemaColumns()), new WriteStats());
            for (int row = 0; row < table.rows(); row += PAGE_ROWS) {
                sink.appendPage(table.page(row));
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

    private Measured measureSources(MeasuredTable table)
            throws IOException
    {
        RollingRowGroupWriter writer = writer(table);
        for (int row = 0; row < table.rows(); row += PAGE_ROWS) {
            writer.append(table.page(row));
        }
        RowGroup rowGroup = getOnlyElement(writer.finish());
        // The metadata of column groups is in a cache, whose memory belongs to no query
        AlbisPageSourceProvider provider = new AlbisPageSourceProvider(fileSystems, new ReaderResourcesFactory(new MetadataCache(new AlbisReadConfig()), new ReadAheadExecutor("test", 1)), new ScanStats(), ConnectorExpressionEvaluator.NO_OP);
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

    private static ConnectorPageSource open(AlbisPageSourceProvider provider, MeasuredTable table, RowGroup rowGroup, long[] memory)
    {
        AlbisTableHandle handle = new AlbisTableHandle("s", "t", new UUID(0, 0), FOLDER.toString(), 1, TupleDomain.all(), TupleDomain.all());
        AlbisSplit split = new AlbisSplit(rowGroup, SegmentShare.ALL, 1, ImmutableList.of());
        ConnectorSession session = TestingConnectorSession.builder()
                .setPropertyMetadata(new AlbisSessionProperties(new AlbisConfig(), new AlbisReadConfig().setReadAhead(ReadAhead.NEVER)).getSessionProperties())
                .build();
        return provider.createPageSource(new AlbisTransactionHandle(new UUID(0, 0)), session, split, handle, Optional.empty(), ImmutableList.copyOf(table.handles()), DynamicFilter.EMPTY, bytes -> memory[0] = bytes);
    }

    private RollingRowGroupWriter writer(MeasuredTable table)
    {
        return new RollingRowGroupWriter(fileSystems.create(ofUser("test")), FOLDER, AlbisSchema.makeSchema(AlbisColumnGroup.make(AlbisLayout.BLOCK, table.schemaColumns())).rowGroupSchema(), WriterOptions.DEFAULTS);
    }
}
