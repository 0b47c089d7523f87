package io.albis.trino.sort;

import com.google.common.collect.ImmutableList;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.schema.RowGroupSchema;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.operator.PagesIndex;
import io.trino.operator.PagesIndexPageSorter;
import io.trino.spi.Page;
import io.trino.spi.PageSorter;
import io.trino.spi.block.ArrayBlockBuilder;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.block.DictionaryBlock;
import io.trino.spi.connector.SortOrder;
import io.trino.spi.type.ArrayType;
import io.trino.spi.type.Type;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;

import static io.airlift.slice.Slices.utf8Slice;
import static io.trino.spi.connector.SortOrder.ASC_NULLS_FIRST;
import static io.trino.spi.connector.SortOrder.ASC_NULLS_LAST;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class TestSpilledSequences
{
    private static final Location FOLDER = Location.of("memory:///table");
    private static final PageSorter SORTER = new PagesIndexPageSorter(new PagesIndex.TestingFactory(false));
    private static final double[] DOUBLES = {Double.NaN, -0.0, 0.0, 1.5, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY};
    // the last column is unique
    private static final List<Type> TYPES = ImmutableList.of(BIGINT, DOUBLE, VARCHAR, new ArrayType(BIGINT), INTEGER);
    private static final int UNIQUE = 4;

    private final TrinoFileSystem fileSystem = new MemoryFileSystem();

    /**
     * Merged sequences have the order of the engine's sort of all rows.
     */
    @Test
    void testRandomRows()
            throws IOException
    {
        long firstSeed = new Random().nextLong();
        System.out.println("TestSpilledSequences: seed " + firstSeed);
        for (long seed = firstSeed; seed < firstSeed + 8; seed++) {
            Random random = new Random(seed);
            RowSorter sorter = sorter(random);
            List<Page> pages = new ArrayList<>();
            SpilledSequences sequences = new SpilledSequences(fileSystem, FOLDER, schema(), UUID::randomUUID, sorter, random.nextInt(1 << random.nextInt(24)));
            int rows = 0;
            for (int i = random.nextInt(40); i >= 0; i--) {
                List<Page> sequence = new ArrayList<>();
                for (int j = random.nextInt(3); j >= 0; j--) {
                    Page page = page(random, rows, 1 + random.nextInt(1 << random.nextInt(11)));
                    rows += page.getPositionCount();
                    sequence.add(page);
                }
                pages.addAll(sequence);
                sequences.add(sorter.sort(sequence));
            }
            List<List<Object>> merged = new ArrayList<>();
            boolean more = true;
            while (more) {
                more = sequences.advance(page -> addRows(merged, page));
            }
            List<List<Object>> expected = new ArrayList<>();
            sorter.sort(pages).forEachRemaining(page -> addRows(expected, page));
            assertThat(merged).as("seed %s", seed).isEqualTo(expected);
            assertThat(fileSystem.listFiles(FOLDER).hasNext()).as("seed %s", seed).isFalse();
        }
    }

    /**
     * Rows of 100 kB are not collected until there are thousands of them.
     */
    @Test
    void testLargeRows()
            throws IOException
    {
        List<AlbisColumn> columns = ImmutableList.of(AlbisColumn.make(1, "c", VARCHAR));
        RowSorter sorter = new RowSorter(SORTER, ImmutableList.of(VARCHAR), ImmutableList.of(0), ImmutableList.of(ASC_NULLS_LAST));
        SpilledSequences sequences = new SpilledSequences(fileSystem, FOLDER, new RowGroupSchema(columns, ImmutableList.of(AlbisColumnGroup.make(columns))), UUID::randomUUID, sorter, 1 << 20);
        for (int i = 0; i < 3; i++) {
            BlockBuilder builder = VARCHAR.createBlockBuilder(null, 50);
            for (int row = 0; row < 50; row++) {
                VARCHAR.writeSlice(builder, utf8Slice("%03d".formatted(row * 3 + i).repeat(33_000)));
            }
            sequences.add(ImmutableList.of(new Page(builder.build())).iterator());
        }
        List<String> merged = new ArrayList<>();
        List<Integer> pageRows = new ArrayList<>();
        while (sequences.advance(page -> {
            pageRows.add(page.getPositionCount());
            for (int row = 0; row < page.getPositionCount(); row++) {
                merged.add(VARCHAR.getSlice(page.getBlock(0), row).toStringUtf8().substring(0, 3));
            }
        })) {
            // a few rows of each sequence
            assertThat(sequences.memoryUsage()).isLessThan(5L << 20);
        }
        assertThat(merged).isEqualTo(IntStream.range(0, 150).mapToObj("%03d"::formatted).toList());
        assertThat(Collections.max(pageRows)).isBetween(2, 11);
    }

    @Test
    void testNoSequences()
            throws IOException
    {
        SpilledSequences sequences = new SpilledSequences(fileSystem, FOLDER, schema(), UUID::randomUUID, sorter(new Random(1)), 1 << 20);
        assertThat(sequences.isEmpty()).isTrue();
        assertThat(sequences.reservedMemory()).isZero();
        assertThat(sequences.advance(_ -> {
            throw new AssertionError("there are no rows");
        })).isFalse();
        sequences.abort();
    }

    @Test
    void testMemoryIsReserved()
            throws IOException
    {
        long maxBytes = 64L << 20;
        RowSorter sorter = sorter(new Random(1));
        SpilledSequences sequences = new SpilledSequences(fileSystem, FOLDER, schema(), UUID::randomUUID, sorter, maxBytes);
        for (int i = 0; i < 60; i++) {
            sequences.add(sorter.sort(ImmutableList.of(page(new Random(i), i * 10, 10))));
            assertThat(sequences.reservedMemory()).isBetween(1L, maxBytes);
        }
        assertThat(sequences.reservedMemory()).isGreaterThan(maxBytes / 2);
        assertThat(sequences.advance(_ -> {})).isTrue();
        assertThat(sequences.reservedMemory()).isZero();
        assertThat(sequences.memoryUsage()).isBetween(1L, maxBytes);
        assertThatThrownBy(() -> sequences.add(sorter.sort(ImmutableList.of(page(new Random(1), 0, 1)))))
                .hasMessage("the merge has begun");
        sequences.abort();
        assertThat(sequences.memoryUsage()).isZero();
        assertThat(fileSystem.listFiles(FOLDER).hasNext()).isFalse();
    }

    private static RowGroupSchema schema()
    {
        List<AlbisColumn> columns = IntStream.range(0, TYPES.size())
                .mapToObj(i -> AlbisColumn.make(i + 1, "c" + i, TYPES.get(i)))
                .toList();
        // the groups of the table do not matter
        return new RowGroupSchema(columns, ImmutableList.of(AlbisColumnGroup.make(columns.subList(0, 2)), AlbisColumnGroup.make(AlbisLayout.ROW, columns.subList(2, 3)), AlbisColumnGroup.make(columns.subList(3, 5))));
    }

    /**
     * Returns a random order of some of the first columns, in which rows that are equal have the order of the last one.
     */
    private static RowSorter sorter(Random random)
    {
        List<Integer> channels = new ArrayList<>(ImmutableList.of(0, 1, 2));
        Collections.shuffle(channels, random);
        channels = new ArrayList<>(channels.subList(0, random.nextInt(4)));
        List<SortOrder> orders = new ArrayList<>();
        for (int i = 0; i < channels.size(); i++) {
            orders.add(SortOrder.values()[random.nextInt(SortOrder.values().length)]);
        }
        channels.add(UNIQUE);
        orders.add(ASC_NULLS_FIRST);
        return new RowSorter(SORTER, TYPES, channels, orders);
    }

    private static Page page(Random random, int first, int rows)
    {
        BlockBuilder[] builders = TYPES.stream().map(type -> type.createBlockBuilder(null, rows)).toArray(BlockBuilder[]::new);
        for (int row = 0; row < rows; row++) {
            for (int channel = 0; channel < 3; channel++) {
                if (random.nextInt(10) == 0) {
                    builders[channel].appendNull();
                    continue;
                }
                switch (channel) {
                    case 0 -> BIGINT.writeLong(builders[channel], random.nextInt(100) - 50);
                    case 1 -> DOUBLE.writeDouble(builders[channel], DOUBLES[random.nextInt(DOUBLES.length)]);
                    default -> VARCHAR.writeSlice(builders[channel], utf8Slice("x".repeat(random.nextInt(5)) + random.nextInt(100)));
                }
            }
            ((ArrayBlockBuilder) builders[3]).buildEntry(elements -> {
                for (int i = random.nextInt(4); i > 0; i--) {
                    BIGINT.writeLong(elements, random.nextLong());
                }
            });
            // not in the order of the page
            INTEGER.writeLong(builders[UNIQUE], first + rows - row);
        }
        Block[] blocks = new Block[builders.length];
        for (int channel = 0; channel < blocks.length; channel++) {
            blocks[channel] = builders[channel].build();
        }
        if (random.nextBoolean()) {
            blocks[0] = DictionaryBlock.create(rows, blocks[0], IntStream.range(0, rows).map(_ -> random.nextInt(rows)).toArray());
        }
        return new Page(rows, blocks);
    }

    private static void addRows(List<List<Object>> rows, Page page)
    {
        for (int position = 0; position < page.getPositionCount(); position++) {
            List<Object> row = new ArrayList<>();
            for (int channel = 0; channel < TYPES.size(); channel++) {
                row.add(TYPES.get(channel).getObjectValue(page.getBlock(channel), position));
            }
            rows.add(row);
        }
    }
}
