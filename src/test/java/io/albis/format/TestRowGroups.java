package io.albis.format;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.albis.format.index.ValueListWriter;
import io.albis.format.io.StorageAccess;
import io.albis.format.metadata.RowGroup;
import io.albis.format.run.Compression;
import io.albis.format.run.SegmentShare;
import io.albis.format.scan.AlbisBatch;
import io.albis.format.scan.MetadataSource;
import io.albis.format.scan.ReaderOptions;
import io.albis.format.scan.ReaderResources;
import io.albis.format.scan.RowGroupReader;
import io.albis.format.scan.RowGroupScan;
import io.albis.format.scan.ScanHistory;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.write.RollingRowGroupWriter;
import io.albis.format.write.WriterOptions;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystemFactory;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.albis.format.RandomBlocks.TYPES;
import static io.albis.format.RandomPredicates.matches;
import static io.albis.format.RandomPredicates.randomPredicate;
import static io.albis.format.RandomTables.randomEncoding;
import static io.albis.format.RandomTables.randomLayout;
import static io.albis.format.RandomTables.randomSchema;
import static io.albis.format.RandomTables.shapedBlock;
import static io.albis.format.RowValues.project;
import static io.albis.format.RowValues.rows;
import static io.trino.spi.security.ConnectorIdentity.ofUser;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.TypeUtils.readNativeValue;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.lang.Math.toIntExact;
import static java.util.concurrent.Executors.newFixedThreadPool;
import static java.util.concurrent.locks.LockSupport.parkNanos;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Rows that were written are read back, for all types, groups, sizes, projections, and predicates.
 */
final class TestRowGroups
{
    private static final Location FOLDER = Location.of("memory:///table");

    private final TrinoFileSystem fileSystem = new MemoryFileSystemFactory().create(ofUser("test"));
    private final ThreadPoolExecutor executor = (ThreadPoolExecutor) newFixedThreadPool(3);
    private final AtomicInteger openFiles = new AtomicInteger();

    @AfterEach
    void nothingIsLeft()
            throws InterruptedException
    {
        executor.shutdown();
        assertThat(executor.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        assertThat(openFiles).hasValue(0);
    }

    @Test
    void testRandomTables()
            throws IOException
    {
        testRandomTables(40);
    }

    @Test
    @Tag("slow")
    void testManyRandomTables()
            throws IOException
    {
        testRandomTables(1500);
    }

    private void testRandomTables(int rounds)
            throws IOException
    {
        Random seeds = new Random();
        for (int round = 0; round < rounds; round++) {
            testRandomTable(seeds.nextLong());
        }
    }

    static List<Type> types()
    {
        return TYPES;
    }

    @ParameterizedTest
    @MethodSource("types")
    void testType(Type type)
            throws IOException
    {
        Random seeds = new Random();
        for (int round = 0; round < 6; round++) {
            long seed = seeds.nextLong();
            Random random = new Random(seed);
            AlbisSchema schema = AlbisSchema.makeSchema(AlbisColumnGroup.make(randomLayout(random), AlbisColumn.make("value", type)));
            testTable("%s, seed %s".formatted(type, seed), random, schema);
        }
    }

    private static Set<Integer> randomIndexes(Random random, AlbisSchema schema)
    {
        return schema.columns().stream()
                .filter(column -> ValueListWriter.isSupported(column.type()) && random.nextBoolean())
                .map(AlbisColumn::id)
                .collect(toImmutableSet());
    }

    private static Compression randomCompression(Random random)
    {
        Compression[] all = Compression.values();
        return all[random.nextInt(all.length)];
    }

    private void testRandomTable(long seed)
            throws IOException
    {
        Random random = new Random(seed);
        testTable("seed " + seed, random, randomSchema(random));
    }

    private void testTable(String description, Random random, AlbisSchema schema)
            throws IOException
    {
        List<Page> pages = new ArrayList<>();
        double nulls = switch (random.nextInt(4)) {
            case 0 -> 0;
            case 1 -> 1;
            default -> random.nextDouble();
        };
        int pageCount = random.nextInt(4);
        for (int i = 0; i < pageCount; i++) {
            int positionCount = switch (random.nextInt(4)) {
                case 0 -> 1;
                case 1 -> 10_000 + random.nextInt(10_000);
                default -> random.nextInt(500);
            };
            pages.add(new Page(positionCount, schema.columns().stream()
                    .map(column -> shapedBlock(random, column.type(), positionCount, nulls))
                    .toArray(Block[]::new)));
        }
        WriterOptions options = new WriterOptions(
                WriterOptions.MIN_ROW_GROUP_BYTES << random.nextInt(15),
                random.nextBoolean() ? 1 + random.nextInt(20_000) : Long.MAX_VALUE,
                WriterOptions.MIN_SEGMENT_BYTES << random.nextInt(12),
                randomEncoding(random),
                random.nextInt(4) > 0,
                randomCompression(random),
                ImmutableList.of(),
                randomIndexes(random, schema));
        RollingRowGroupWriter writer = new RollingRowGroupWriter(fileSystem, FOLDER, schema.rowGroupSchema(), options);
        for (Page page : pages) {
            writer.append(page);
        }
        List<RowGroup> written = writer.finish();
        List<List<Object>> allRows = rows(pages, schema.columns());
        assertThat(written.stream().mapToLong(RowGroup::rows).sum()).as(description).isEqualTo(allRows.size());
        RandomDeletes deletes = RandomDeletes.delete(fileSystem, FOLDER, random, written);
        List<RowGroup> rowGroups = deletes.rowGroups();
        List<List<Object>> rows = deletes.live().stream().map(allRows::get).toList();
        assertThat(rowGroups.stream().mapToLong(RowGroup::liveRows).sum()).as(description).isEqualTo(rows.size());

        List<AlbisColumn> projection = new ArrayList<>(schema.columns());
        Collections.shuffle(projection, random);
        projection = projection.subList(0, random.nextInt(projection.size() + 1));
        Result all = read(rowGroups, projection, TupleDomain.all(), random);
        assertThat(all.rows()).as(description).isEqualTo(project(rows, schema.columns(), projection));
        all.positions().ifPresent(positions -> assertThat(positions).as(description).isEqualTo(deletes.live()));

        for (int i = 0; i < 5; i++) {
            TupleDomain<AlbisColumn> predicate = randomPredicate(random, schema, rows);
            List<Integer> matching = deletes.live().stream().filter(row -> matches(allRows.get(row), schema.columns(), predicate)).toList();
            List<List<Object>> expected = project(matching.stream().map(allRows::get).toList(), schema.columns(), projection);
            Result result = read(rowGroups, projection, predicate, random);
            assertThat(result.rows()).as("%s, predicate %s", description, predicate).isEqualTo(expected);
            result.positions().ifPresent(positions -> assertThat(positions).as("%s, predicate %s", description, predicate).isEqualTo(matching));
            if (random.nextInt(4) == 0) {
                readUnreliably(description, rowGroups, projection, predicate, random, expected);
            }
        }
        fileSystem.deleteDirectory(FOLDER);
    }

    /**
     * Tests slow storage that fails occasionally: a reader fails with the error of storage, or returns correct rows.
     */
    private void readUnreliably(String description, List<RowGroup> rowGroups, List<AlbisColumn> projection, TupleDomain<AlbisColumn> predicate, Random random, List<List<Object>> expected)
            throws IOException
    {
        double failures = random.nextBoolean() ? 0 : random.nextDouble() * 0.05;
        // several threads call the hook
        Random storage = new Random(random.nextLong());
        TrinoFileSystem unreliable = new ReadHookFileSystem(fileSystem, new ReadHookFileSystem.Hook()
        {
            @Override
            public void read(ReadHookFileSystem.Read read)
                    throws IOException
            {
                boolean fails;
                int delay;
                synchronized (storage) {
                    fails = storage.nextDouble() < failures;
                    delay = storage.nextInt(8) == 0 ? storage.nextInt(500) : 0;
                }
                parkNanos(delay * 1000L);
                if (fails) {
                    throw new IOException("storage fails at " + read);
                }
            }

            @Override
            public void opened()
            {
                openFiles.incrementAndGet();
            }

            @Override
            public void closed()
            {
                openFiles.decrementAndGet();
            }
        });
        try {
            assertThat(read(unreliable, rowGroups, projection, predicate, random).rows()).as("%s, predicate %s", description, predicate)
                    .isEqualTo(expected);
        }
        catch (IOException e) {
            assertThat(e).as(description).hasMessageStartingWith("storage fails at ");
            assertThat(failures).as(description).isPositive();
        }
    }

    /**
     * @param positions the number of each row over all row groups, if it was read
     */
    private record Result(List<List<Object>> rows, Optional<List<Integer>> positions) {}

    private Result read(List<RowGroup> rowGroups, List<AlbisColumn> projection, TupleDomain<AlbisColumn> predicate, Random random)
            throws IOException
    {
        return read(fileSystem, rowGroups, projection, predicate, random);
    }

    private Result read(TrinoFileSystem fileSystem, List<RowGroup> rowGroups, List<AlbisColumn> projection, TupleDomain<AlbisColumn> predicate, Random random)
            throws IOException
    {
        List<Page> pages = new ArrayList<>();
        Optional<List<Integer>> positions = random.nextBoolean() ? Optional.of(new ArrayList<>()) : Optional.empty();
        int firstRow = 0;
        ReaderOptions options = new ReaderOptions(random.nextBoolean(), true, true, random.nextBoolean(), random.nextBoolean(), RandomThresholds.next(random));
        ReaderResources resources = new ReaderResources(MetadataSource.FILES, randomAccess(random), executor, new ScanHistory(projection.size()));
        // The predicate arrives immediately, or in the middle, in which case it is applied to the earlier rows here.
        boolean dynamic = random.nextInt(3) == 0;
        for (RowGroup rowGroup : rowGroups) {
            int shares = random.nextBoolean() ? 1 : 1 + random.nextInt(4);
            for (int share = 0; share < shares; share++) {
                AtomicReference<TupleDomain<AlbisColumn>> dynamicPredicate = new AtomicReference<>(dynamic ? predicate : TupleDomain.all());
                RowGroupScan scan = new RowGroupScan(projection, predicate, dynamicPredicate::get, new SegmentShare(share, shares));
                if (random.nextInt(10) == 0) {
                    // a reader that is closed early, while requests are in flight
                    try (RowGroupReader reader = RowGroupReader.open(fileSystem, FOLDER, rowGroup, scan, options, resources)) {
                        reader.prepare();
                    }
                }
                try (RowGroupReader reader = RowGroupReader.open(fileSystem, FOLDER, rowGroup, scan, options, resources)) {
                    int begin = firstRow;
                    int returned = readShare(reader, scan, dynamicPredicate, random, pages, positions.map(list -> position -> list.add(toIntExact(begin + position))));
                    assertThat(reader.metrics().rows() - reader.metrics().rowsSkipped()).isEqualTo(returned);
                }
            }
            firstRow += toIntExact(rowGroup.rows());
        }
        return new Result(rows(pages, projection), positions);
    }

    private static StorageAccess randomAccess(Random random)
    {
        return switch (random.nextInt(4)) {
            case 0 -> StorageAccess.LOCAL;
            case 1 -> StorageAccess.REMOTE.ahead(1 << 22);
            default -> new StorageAccess(
                    random.nextInt(1 << random.nextInt(16)),
                    1 + random.nextInt(1 << random.nextInt(20)),
                    random.nextInt(1 << random.nextInt(20)),
                    random.nextBoolean());
        };
    }

    /**
     * @return number of rows
     */
    private static int readShare(RowGroupReader reader, RowGroupScan scan, AtomicReference<TupleDomain<AlbisColumn>> dynamicPredicate, Random random, List<Page> pages, Optional<LongConsumer> positions)
            throws IOException
    {
        int rows = 0;
        for (AlbisBatch batch = reader.next(); batch != null; batch = reader.next()) {
            if (random.nextInt(10) == 0) {
                dynamicPredicate.set(scan.predicate());
            }
            assertThat(batch.positionCount()).isPositive();
            Block[] blocks = new Block[scan.columns().size()];
            for (int channel = 0; channel < blocks.length; channel++) {
                blocks[channel] = batch.block(channel);
            }
            pages.add(new Page(batch.positionCount(), blocks));
            rows += batch.positionCount();
            if (positions.isPresent()) {
                Block block = batch.positions();
                assertThat(block.getPositionCount()).isEqualTo(batch.positionCount());
                for (int position = 0; position < block.getPositionCount(); position++) {
                    positions.get().accept(BIGINT.getLong(block, position));
                }
            }
        }
        return rows;
    }

    @Test
    void testLargeStringsHaveSegmentsOfTheirOwn()
            throws IOException
    {
        AlbisSchema schema = AlbisSchema.makeSchema(
                AlbisColumnGroup.make(AlbisColumn.make("text", VARCHAR)),
                AlbisColumnGroup.make(AlbisColumn.make("number", BIGINT)));
        RollingRowGroupWriter writer = new RollingRowGroupWriter(fileSystem, FOLDER, schema.rowGroupSchema(), WriterOptions.DEFAULTS.withSegmentBytes(1 << 16));
        List<Object> texts = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            Slice text = Slices.allocate(i % 2 == 0 ? 1 << 20 : 3);
            text.fill((byte) ('a' + i));
            texts.add(text);
            writer.append(new Page(TypeUtils.writeNativeValue(VARCHAR, text), TypeUtils.writeNativeValue(BIGINT, (long) i)));
        }
        RowGroup rowGroup = writer.finish().getFirst();
        try (RowGroupReader reader = RowGroupReader.open(fileSystem, FOLDER, rowGroup, RowGroupScan.of(schema.columns(), TupleDomain.all()), ReaderOptions.DEFAULTS)) {
            List<Object> read = new ArrayList<>();
            for (AlbisBatch batch = reader.next(); batch != null; batch = reader.next()) {
                assertThat(batch.positionCount()).isEqualTo(1);
                read.add(readNativeValue(VARCHAR, batch.block(0), 0));
            }
            assertThat(read).isEqualTo(texts);
            assertThat(reader.metrics().segments()).isEqualTo(10);
        }
    }
}
