package io.albis.format;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Iterables;
import io.airlift.slice.Slice;
import io.albis.TestTier;
import io.albis.filesystem.FileBytes;
import io.albis.filesystem.FileDamage;
import io.albis.format.filter.TestedValues;
import io.albis.format.index.StoredRange;
import io.albis.format.index.ValueList;
import io.albis.format.index.ValueListCodec;
import io.albis.format.index.ValueListReader;
import io.albis.format.index.ValueListWriter;
import io.albis.format.io.AlbisDataException;
import io.albis.format.io.FileFrame;
import io.albis.format.io.ReadCounter;
import io.albis.format.io.StorageInput;
import io.albis.format.request.DataFile;
import io.albis.format.run.ChunkOutput;
import io.albis.format.run.Compression;
import io.albis.format.run.Segment;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.AlbisLayout;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystemFactory;
import io.trino.spi.Page;
import io.trino.spi.block.LongArrayBlock;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.predicate.ValueSet;
import io.trino.spi.type.Type;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.roaringbitmap.RoaringBitmap;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static io.albis.format.RandomBlocks.TYPES;
import static io.albis.format.RandomPredicates.matches;
import static io.albis.format.RandomPredicates.randomPredicate;
import static io.albis.format.RandomTables.shapedBlock;
import static io.albis.format.RowValues.rows;
import static io.albis.format.io.AlbisDataException.Reason.DAMAGED;
import static io.albis.format.type.FlatBlocks.flat;
import static io.trino.spi.security.ConnectorIdentity.ofUser;
import static io.trino.spi.type.BigintType.BIGINT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Compares what the index of a column finds with the rows that match.
 */
final class TestValueList
{
    private static final UUID ID = UUID.fromString("5ab1e0c3-77d2-4c1e-9f04-2d6b8f3a9c17");
    private static final Location LOCATION = Location.of("memory:///data");
    private static final AlbisColumn COLUMN = AlbisColumn.make(1, "number", BIGINT);
    private static final int REQUEST_COST = 8192;

    private final TrinoFileSystem fileSystem = new MemoryFileSystemFactory().create(ofUser("test"));

    static Stream<Type> types()
    {
        return TYPES.stream().filter(ValueListWriter::isSupported);
    }

    @ParameterizedTest
    @MethodSource("types")
    void testRandomValues(Type type)
            throws IOException
    {
        Random seeds = new Random();
        for (int round = 0; round < (TestTier.isComplete() ? 5 : 2); round++) {
            long seed = seeds.nextLong();
            testRandomValues("%s, seed %s".formatted(type, seed), new Random(seed), type);
        }
    }

    private void testRandomValues(String description, Random random, Type type)
            throws IOException
    {
        AlbisSchema schema = AlbisSchema.makeSchema(AlbisColumnGroup.make(AlbisLayout.BLOCK, AlbisColumn.make("value", type)));
        AlbisColumn column = Iterables.getOnlyElement(schema.columns());
        ImmutableList.Builder<Page> pages = ImmutableList.builder();
        double nulls = random.nextBoolean() ? 0 : random.nextDouble();
        for (int page = 0; page < 1 + random.nextInt(3); page++) {
            int count = 1 + random.nextInt(4000);
            pages.add(new Page(shapedBlock(random, type, count, nulls)));
        }
        List<List<Object>> rows = rows(pages.build(), schema.columns());
        Optional<Written> written = write(type, pages.build());
        if (written.isEmpty()) {
            // a value is too long
            return;
        }
        for (int i = 0; i < 20; i++) {
            TupleDomain<AlbisColumn> predicate = randomPredicate(random, schema, rows);
            Domain domain = predicate.isNone() ? Domain.none(type) : predicate.getDomain(column, type);
            if (domain.getValues().isAll()) {
                continue;
            }
            int[] expected = IntStream.range(0, rows.size())
                    .filter(row -> matches(rows.get(row), schema.columns(), TupleDomain.withColumnDomains(ImmutableMap.of(column, domain))))
                    .toArray();
            try (DataFile file = written.get().open()) {
                ValueListReader reader = new ValueListReader(file, written.get().list(), column, rows.size(), REQUEST_COST);
                assertThat(ValueListSearch.find(reader, domain, rows.size()).map(RoaringBitmap::toArray)).as("%s, %s", description, domain).hasValueSatisfying(found -> assertThat(found).isEqualTo(expected));
                int limit = random.nextInt(rows.size());
                Optional<RoaringBitmap> limited = ValueListSearch.find(reader, domain, limit);
                assertThat(reader.fewestRows(domain)).as("%s, %s", description, domain).isLessThanOrEqualTo(expected.length);
                assertThat(limited.isPresent()).as("%s, %s", description, domain).isEqualTo(expected.length <= limit);
            }
        }
    }

    /**
     * The rows whose values may match a test, which gets each value as Trino has it.
     */
    @ParameterizedTest
    @ValueSource(longs = {0, Long.MIN_VALUE})
    void testTestedValues(long least)
            throws IOException
    {
        long[] values = new long[1000];
        for (int row = 0; row < values.length; row++) {
            values[row] = least + row % 100;
        }
        Written written = write(BIGINT, ImmutableList.of(new Page(new LongArrayBlock(values.length, Optional.empty(), values)))).orElseThrow();
        try (DataFile file = written.open()) {
            ValueListReader reader = new ValueListReader(file, written.list(), COLUMN, values.length, REQUEST_COST);
            TestedValues tests = new TestedValues(BIGINT, value -> (long) value - least == 17);
            assertThat(ValueListSearch.find(reader, tests, 10).orElseThrow().toArray()).isEqualTo(IntStream.range(0, values.length).filter(row -> row % 100 == 17).toArray());
            assertThat(ValueListSearch.find(reader, tests, 9)).isEmpty();
        }
    }

    /**
     * With fewer than eight rows for each value, the values are not tested, because the engine tests the rows faster.
     */
    @ParameterizedTest
    @ValueSource(ints = {125, 126})
    void testRowsOfTestedValues(int distinct)
            throws IOException
    {
        long[] values = new long[1000];
        for (int row = 0; row < values.length; row++) {
            values[row] = row % distinct;
        }
        Written written = write(BIGINT, ImmutableList.of(new Page(new LongArrayBlock(values.length, Optional.empty(), values)))).orElseThrow();
        AtomicInteger tested = new AtomicInteger();
        try (DataFile file = written.open()) {
            ValueListReader reader = new ValueListReader(file, written.list(), COLUMN, values.length, REQUEST_COST);
            TestedValues tests = new TestedValues(BIGINT, value -> {
                tested.incrementAndGet();
                return (long) value == 17;
            });
            assertThat(ValueListSearch.find(reader, tests, 10).isPresent()).isEqualTo(distinct == 125);
        }
        assertThat(tested).hasValue(distinct == 125 ? 125 : 0);
    }

    @Test
    void testRequests()
            throws IOException
    {
        int rows = 1_000_000;
        long[] values = new long[rows];
        for (int row = 0; row < rows; row++) {
            values[row] = (row * 7919L) % rows;
        }
        Written written = write(BIGINT, ImmutableList.of(new Page(new LongArrayBlock(rows, Optional.empty(), values)))).orElseThrow();
        ReadCounter counter = new ReadCounter();
        try (DataFile file = written.open(counter)) {
            ValueListReader reader = new ValueListReader(file, written.list(), COLUMN, rows, REQUEST_COST);
            RoaringBitmap found = ValueListSearch.find(reader, Domain.singleValue(BIGINT, 7919L * 5), 1).orElseThrow();
            assertThat(found.toArray()).containsExactly(5);
        }
        assertThat(counter.reads()).isEqualTo(3);
        assertThat(counter.bytes()).isLessThan(64 << 10);
        assertThat(written.list().length()).isLessThan(rows * 10L);
    }

    @Test
    void testEveryBitAndLength()
            throws IOException
    {
        Written written = write(BIGINT, ImmutableList.of(new Page(shapedBlock(new Random(1), BIGINT, 100, 0.1)))).orElseThrow();
        byte[] bytes = written.bytes();
        FileDamage damage = new FileDamage("TestValueList");
        damage.all(bytes, bytes.length - Segment.END_SLACK, (damaged, description) -> {
            FileBytes.overwrite(fileSystem, LOCATION, damaged);
            if (damaged.length == bytes.length && Arrays.equals(damaged, FileFrame.HEADER_SIZE, bytes.length, bytes, FileFrame.HEADER_SIZE, bytes.length)) {
                // A search does not read the header of the file, whose id is part of the checksums
                assertThat(findAll(written, written.list(), ID)).as(description).isEqualTo(100);
                return;
            }
            Throwable failure = catchThrowable(() -> findAll(written, written.list(), ID));
            assertThat(failure).as(description)
                    .isInstanceOfSatisfying(AlbisDataException.class, e -> assertThat(e.reason()).isEqualTo(DAMAGED))
                    .hasMessageContaining(LOCATION.toString());
            if (damaged.length == bytes.length) {
                assertThat(failure).as(description).hasMessageContaining("of the index of column number");
            }
        });
        FileBytes.overwrite(fileSystem, LOCATION, bytes);
        assertThat(findAll(written, written.list(), ID)).isEqualTo(100);
        damage.print();
    }

    /**
     * The index of another file, and parts of the index in the place of each other.
     */
    @Test
    void testSwappedParts()
            throws IOException
    {
        Written written = write(BIGINT, ImmutableList.of(new Page(shapedBlock(new Random(1), BIGINT, 100, 0.1)))).orElseThrow();
        ValueList list = written.list();
        for (ValueList swapped : ImmutableList.of(
                new ValueList(list.pages(), list.directory(), list.postings(), list.rows(), list.values(), list.nulls(), list.nullsLength()),
                new ValueList(list.directory(), list.postings(), list.pages(), list.rows(), list.values(), list.nulls(), 0),
                new ValueList(new StoredRange(list.pages().offset(), list.directory().bytes()), list.pages(), list.postings(), list.rows(), list.values(), list.nulls(), list.nullsLength()))) {
            assertThatThrownBy(() -> findAll(written, swapped, ID))
                    .isInstanceOfSatisfying(AlbisDataException.class, e -> assertThat(e.reason()).isEqualTo(DAMAGED))
                    .hasMessageContaining(LOCATION.toString())
                    .hasMessageContaining("index of column number");
        }
        assertThatThrownBy(() -> findAll(written, list, UUID.randomUUID()))
                .isInstanceOfSatisfying(AlbisDataException.class, e -> assertThat(e.reason()).isEqualTo(DAMAGED))
                .hasMessageContaining(LOCATION.toString());
    }

    /**
     * Returns the number of rows that have any value or none.
     */
    private static int findAll(Written written, ValueList list, UUID id)
            throws IOException
    {
        Domain domain = Domain.create(ValueSet.ofRanges(Range.greaterThanOrEqual(BIGINT, Long.MIN_VALUE)), true);
        try (DataFile file = new DataFile(id, new StorageInput(written.fileSystem(), LOCATION, written.bytes().length, new ReadCounter()))) {
            return ValueListSearch.find(new ValueListReader(file, list, COLUMN, 100, REQUEST_COST), domain, 100).orElseThrow().getCardinality();
        }
    }

    private record Written(TrinoFileSystem fileSystem, ValueList list, byte[] bytes)
    {
        DataFile open()
        {
            return open(new ReadCounter());
        }

        DataFile open(ReadCounter counter)
        {
            return new DataFile(ID, new StorageInput(fileSystem, LOCATION, bytes.length, counter));
        }
    }

    private Optional<Written> write(Type type, List<Page> pages)
            throws IOException
    {
        if (fileSystem.newInputFile(LOCATION).exists()) {
            fileSystem.deleteFile(LOCATION);
        }
        ValueListWriter writer = new ValueListWriter(type);
        for (Page page : pages) {
            ValueBlock block = flat(page.getBlock(0), 0, page.getPositionCount());
            writer.append(block, 0, block.getPositionCount());
        }
        ChunkOutput output = new ChunkOutput(fileSystem.newOutputFile(LOCATION).create(), ID, Compression.NONE);
        output.writeHeader();
        Optional<ValueList> list = writer.write(output);
        output.writeEnd();
        output.close();
        if (list.isEmpty()) {
            return Optional.empty();
        }
        byte[] bytes;
        try (InputStream stream = fileSystem.newInputFile(LOCATION).newStream()) {
            bytes = stream.readAllBytes();
        }
        Slice section = ValueListCodec.encode(list.get());
        ValueList decoded = ValueListCodec.decode(section, bytes.length);
        assertThat(ValueListCodec.encode(decoded)).isEqualTo(section);
        return Optional.of(new Written(fileSystem, decoded, bytes));
    }
}
