package io.albis.format;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.albis.format.io.StorageAccess;
import io.albis.format.metadata.RowGroup;
import io.albis.format.run.Compression;
import io.albis.format.scan.AlbisBatch;
import io.albis.format.scan.MetadataSource;
import io.albis.format.scan.ReaderOptions;
import io.albis.format.scan.ReaderResources;
import io.albis.format.scan.RowGroupReader;
import io.albis.format.scan.RowGroupScan;
import io.albis.format.scan.ScanHistory;
import io.albis.format.scan.SegmentShare;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.type.StorageType;
import io.albis.format.write.RollingRowGroupWriter;
import io.albis.format.write.WriterOptions;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystemFactory;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.predicate.ValueSet;
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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import static io.albis.format.RandomBlocks.TYPES;
import static io.albis.format.RandomBlocks.randomBlock;
import static io.albis.format.RandomBlocks.randomValue;
import static io.trino.spi.security.ConnectorIdentity.ofUser;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.BooleanType.BOOLEAN;
import static io.trino.spi.type.RealType.REAL;
import static io.trino.spi.type.TypeUtils.readNativeValue;
import static io.trino.spi.type.VarcharType.VARCHAR;
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
        testRandomTables(150);
    }

    @Test
    @Tag("slow")
    void testManyRandomTables()
            throws IOException
    {
        testRandomTables(4000);
    }

    private void testRandomTables(int rounds)
            throws IOException
    {
        long seed = new Random().nextLong();
        for (int round = 0; round < rounds; round++) {
            testRandomTable(seed + round);
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
        long seed = new Random().nextLong();
        for (int round = 0; round < 6; round++) {
            Random random = new Random(seed + round);
            AlbisSchema schema = AlbisSchema.makeSchema(AlbisColumnGroup.make(randomLayout(random), AlbisColumn.make("value", type)));
            testTable("%s, seed %s".formatted(type, seed + round), random, schema);
        }
    }

    private static Compression randomCompression(Random random)
    {
        Compression[] all = Compression.values();
        return all[random.nextInt(all.length)];
    }

    private static AlbisLayout randomLayout(Random random)
    {
        return random.nextInt(3) == 0 ? AlbisLayout.ROW : AlbisLayout.BLOCK;
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
                random.nextInt(4) > 0,
                random.nextInt(4) > 0)
                .withCompression(randomCompression(random));
        RollingRowGroupWriter writer = new RollingRowGroupWriter(fileSystem, FOLDER, schema.rowGroupSchema(), options);
        for (Page page : pages) {
            writer.append(page);
        }
        List<RowGroup> rowGroups = writer.finish();
        List<List<Object>> rows = rows(pages, schema.columns());
        assertThat(rowGroups.stream().mapToLong(RowGroup::rows).sum()).as(description).isEqualTo(rows.size());

        List<AlbisColumn> projection = new ArrayList<>(schema.columns());
        Collections.shuffle(projection, random);
        projection = projection.subList(0, random.nextInt(projection.size() + 1));
        assertThat(read(rowGroups, projection, TupleDomain.all(), random)).as(description)
                .isEqualTo(project(rows, schema.columns(), projection));

        for (int i = 0; i < 5; i++) {
            TupleDomain<AlbisColumn> predicate = randomPredicate(random, schema, rows);
            List<List<Object>> expected = project(rows.stream().filter(row -> matches(row, schema.columns(), predicate)).toList(), schema.columns(), projection);
            assertThat(read(rowGroups, projection, predicate, random)).as("%s, predicate %s", description, predicate)
                    .isEqualTo(expected);
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
            assertThat(read(unreliable, rowGroups, projection, predicate, random)).as("%s, predicate %s", description, predicate)
                    .isEqualTo(expected);
        }
        catch (IOException e) {
            assertThat(e).as(description).hasMessageStartingWith("storage fails at ");
            assertThat(failures).as(description).isPositive();
        }
    }

    private List<List<Object>> read(List<RowGroup> rowGroups, List<AlbisColumn> projection, TupleDomain<AlbisColumn> predicate, Random random)
            throws IOException
    {
        return read(fileSystem, rowGroups, projection, predicate, random);
    }

    private List<List<Object>> read(TrinoFileSystem fileSystem, List<RowGroup> rowGroups, List<AlbisColumn> projection, TupleDomain<AlbisColumn> predicate, Random random)
            throws IOException
    {
        List<Page> pages = new ArrayList<>();
        ReaderOptions options = new ReaderOptions(random.nextBoolean(), true, true, random.nextBoolean());
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
                    readShare(reader, scan, dynamicPredicate, random, pages);
                }
            }
        }
        return rows(pages, projection);
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

    private static void readShare(RowGroupReader reader, RowGroupScan scan, AtomicReference<TupleDomain<AlbisColumn>> dynamicPredicate, Random random, List<Page> pages)
            throws IOException
    {
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
        }
    }

    private static boolean matches(List<Object> row, List<AlbisColumn> columns, TupleDomain<AlbisColumn> predicate)
    {
        if (predicate.isNone()) {
            return false;
        }
        for (Map.Entry<AlbisColumn, Domain> entry : predicate.getDomains().orElseThrow().entrySet()) {
            Domain domain = entry.getValue();
            Object value = row.get(columns.indexOf(entry.getKey()));
            if (value instanceof BitsOfNan) {
                if (!domain.getValues().isAll()) {
                    return false;
                }
            }
            else if (!domain.includesNullableValue(value)) {
                return false;
            }
        }
        return true;
    }

    private static TupleDomain<AlbisColumn> randomPredicate(Random random, AlbisSchema schema, List<List<Object>> rows)
    {
        Map<AlbisColumn, Domain> domains = new HashMap<>();
        for (int i = 0; i < 1 + random.nextInt(2); i++) {
            int channel = random.nextInt(schema.columns().size());
            AlbisColumn column = schema.columns().get(channel);
            domains.put(column, randomDomain(random, column.type(), rows.stream().map(row -> row.get(channel)).toList()));
        }
        return TupleDomain.withColumnDomains(domains);
    }

    private static Domain randomDomain(Random random, Type type, List<Object> values)
    {
        boolean nullAllowed = random.nextInt(4) == 0;
        if (!type.isOrderable() || random.nextInt(8) == 0) {
            return random.nextBoolean() ? Domain.onlyNull(type) : Domain.notNull(type);
        }
        List<Range> ranges = new ArrayList<>();
        int count = random.nextBoolean() ? 1 : 1 + random.nextInt(20);
        boolean singles = random.nextBoolean();
        for (int i = 0; i < count; i++) {
            Object left = bound(random, type, values);
            Object right = bound(random, type, values);
            ranges.add(switch (singles ? 0 : 1 + random.nextInt(5)) {
                case 0 -> Range.equal(type, left);
                case 1 -> Range.lessThan(type, left);
                case 2 -> Range.lessThanOrEqual(type, left);
                case 3 -> Range.greaterThan(type, left);
                case 4 -> Range.greaterThanOrEqual(type, left);
                default -> {
                    Range least = Range.lessThanOrEqual(type, left);
                    yield least.overlaps(Range.equal(type, right)) ? orderedRange(random, type, right, left) : orderedRange(random, type, left, right);
                }
            });
        }
        ValueSet set = ValueSet.ofRanges(ranges);
        return Domain.create(random.nextInt(4) == 0 ? set.complement() : set, nullAllowed);
    }

    private static Range orderedRange(Random random, Type type, Object low, Object high)
    {
        boolean equal = Range.equal(type, low).overlaps(Range.equal(type, high));
        return Range.range(type, low, equal || random.nextBoolean(), high, equal || random.nextBoolean());
    }

    private static Object bound(Random random, Type type, List<Object> values)
    {
        while (true) {
            Object value = values.isEmpty() || random.nextBoolean() ? randomValue(random, type) : values.get(random.nextInt(values.size()));
            if (value != null && !(value instanceof BitsOfNan) && !TypeUtils.isFloatingPointNaN(type, value)) {
                return value;
            }
        }
    }

    /**
     * Typical values of tables: arbitrary values, few distinct values, a constant, or integers that are close to each
     * other.
     */
    private static Block shapedBlock(Random random, Type type, int positionCount, double nulls)
    {
        Block block = randomBlock(random, type, positionCount, nulls);
        switch (random.nextInt(4)) {
            case 0 -> {
                int different = 1 + random.nextInt(random.nextBoolean() ? 3 : 1000);
                int[] positions = new int[positionCount];
                for (int i = 0; i < positionCount; i++) {
                    positions[i] = random.nextInt(Math.min(different, positionCount));
                }
                return block.getPositions(positions, 0, positionCount);
            }
            case 1 -> {
                if (type.getJavaType() != long.class || (type.equals(REAL) && random.nextBoolean()) || type.equals(BOOLEAN)) {
                    return block;
                }
                // at the limits of the widths of offsets from a base
                int bits = Math.min(8 * StorageType.of(type).slotSize() - 2, 1 + random.nextInt(40));
                long base = type.equals(BIGINT) ? random.nextLong() : 0;
                BlockBuilder builder = type.createBlockBuilder(null, positionCount);
                for (int position = 0; position < positionCount; position++) {
                    if (random.nextDouble() < nulls) {
                        builder.appendNull();
                    }
                    else {
                        type.writeLong(builder, base + (random.nextInt(3) == 0 ? (1L << bits) - random.nextInt(2) : random.nextLong(1L << bits)));
                    }
                }
                return builder.build();
            }
            default -> {
                return block;
            }
        }
    }

    private static AlbisSchema randomSchema(Random random)
    {
        int columnCount = 1 + random.nextInt(12);
        List<AlbisColumn> columns = new ArrayList<>();
        Set<Integer> ids = new HashSet<>();
        for (int i = 0; i < columnCount; i++) {
            int id = 1 + random.nextInt(1000);
            while (!ids.add(id)) {
                id++;
            }
            columns.add(AlbisColumn.make(id, "column_" + i, TYPES.get(random.nextInt(TYPES.size()))));
        }
        List<AlbisColumn> rest = new ArrayList<>(columns);
        Collections.shuffle(rest, random);
        ImmutableList.Builder<AlbisColumnGroup> groups = ImmutableList.builder();
        while (!rest.isEmpty()) {
            int size = 1 + random.nextInt(rest.size());
            groups.add(AlbisColumnGroup.make(randomLayout(random), rest.subList(0, size)));
            rest = rest.subList(size, rest.size());
        }
        return AlbisSchema.makeSchema(columns, groups.build());
    }

    private static List<List<Object>> project(List<List<Object>> rows, List<AlbisColumn> columns, List<AlbisColumn> projection)
    {
        return rows.stream()
                .map(row -> projection.stream().map(column -> row.get(columns.indexOf(column))).toList())
                .map(row -> (List<Object>) new ArrayList<>(row))
                .toList();
    }

    /**
     * Represents a NaN with its payload, which equals of Double and Float ignores.
     */
    private record BitsOfNan(long bits) {}

    private static List<List<Object>> rows(List<Page> pages, List<AlbisColumn> columns)
    {
        List<List<Object>> rows = new ArrayList<>();
        for (Page page : pages) {
            for (int position = 0; position < page.getPositionCount(); position++) {
                List<Object> row = new ArrayList<>();
                for (int channel = 0; channel < columns.size(); channel++) {
                    Type type = columns.get(channel).type();
                    Object value = readNativeValue(type, page.getBlock(channel), position);
                    if (value instanceof Double number && number.isNaN()) {
                        value = new BitsOfNan(Double.doubleToRawLongBits(number));
                    }
                    else if (value != null && TypeUtils.isFloatingPointNaN(type, value)) {
                        value = new BitsOfNan((long) value);
                    }
                    row.add(value);
                }
                rows.add(row);
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
