package io.albis.format;

import com.google.common.collect.ImmutableList;
import io.albis.format.metadata.RowGroup;
import io.albis.format.scan.AlbisBatch;
import io.albis.format.scan.ReaderOptions;
import io.albis.format.scan.RowGroupReader;
import io.albis.format.scan.RowGroupScan;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.schema.FieldSelection;
import io.albis.format.type.NestedTypes;
import io.albis.format.write.RollingRowGroupWriter;
import io.albis.format.write.WriterOptions;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystemFactory;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.LongArrayBlock;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.predicate.ValueSet;
import io.trino.spi.type.ArrayType;
import io.trino.spi.type.RowType;
import io.trino.spi.type.Type;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;

import static com.google.common.collect.Iterables.getOnlyElement;
import static io.albis.format.RandomNestedBlocks.flatBlock;
import static io.albis.format.RandomNestedBlocks.randomBlock;
import static io.albis.format.RandomNestedBlocks.randomType;
import static io.trino.spi.security.ConnectorIdentity.ofUser;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Nested values that were written are read back, for all shapes, sizes, and selections of rows.
 */
final class TestNestedColumns
{
    private static final Location FOLDER = Location.of("memory:///table");
    private static final AlbisColumn ID = AlbisColumn.make(1, "id", BIGINT);

    private final TrinoFileSystem fileSystem = new MemoryFileSystemFactory().create(ofUser("test"));

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
        testRandomTables(2000);
    }

    private void testRandomTables(int rounds)
            throws IOException
    {
        Random seeds = new Random();
        for (int round = 0; round < rounds; round++) {
            testRandomTable(seeds.nextLong());
        }
    }

    private void testRandomTable(long seed)
            throws IOException
    {
        Random random = new Random(seed);
        List<AlbisColumn> columns = new ArrayList<>();
        columns.add(ID);
        int nested = 1 + random.nextInt(3);
        for (int column = 0; column < nested; column++) {
            columns.add(AlbisColumn.make(2 + column, "c" + column, randomType(random, 1 + random.nextInt(4))));
        }
        WriterOptions options = WriterOptions.DEFAULTS
                .withRowGroupBytes(1L << 40)
                .withSegmentBytes(1 << (10 + random.nextInt(13)))
                .withNarrowWidths(random.nextBoolean())
                .withDictionaries(random.nextBoolean());
        List<AlbisColumnGroup> groups = random.nextBoolean()
                ? List.of(AlbisColumnGroup.make(randomLayout(random), columns))
                : columns.stream().map(column -> AlbisColumnGroup.make(randomLayout(random), column)).toList();
        double nulls = random.nextInt(3) * 0.3;
        int elements = random.nextInt(5);
        int rows = 1 + random.nextInt(random.nextInt(8) == 0 ? 20_000 : 500);
        List<Page> pages = new ArrayList<>();
        for (int written = 0; written < rows; ) {
            int count = 1 + random.nextInt(rows - written);
            Block[] blocks = new Block[columns.size()];
            int first = written;
            blocks[0] = new LongArrayBlock(count, Optional.empty(), LongStream.range(first, first + count).toArray());
            for (int channel = 1; channel < blocks.length; channel++) {
                blocks[channel] = randomBlock(random, columns.get(channel).type(), count, nulls, elements);
            }
            pages.add(new Page(blocks));
            written += count;
        }
        test("seed " + seed, random, columns, groups, options, pages);
    }

    private void test(String description, Random random, List<AlbisColumn> columns, List<AlbisColumnGroup> groups, WriterOptions options, List<Page> pages)
            throws IOException
    {
        RollingRowGroupWriter writer = new RollingRowGroupWriter(fileSystem, FOLDER, AlbisSchema.makeSchema(columns, groups).rowGroupSchema(), options);
        for (Page page : pages) {
            writer.append(page);
        }
        RandomDeletes deletes = RandomDeletes.delete(fileSystem, FOLDER, random, writer.finish());
        RowGroup rowGroup = getOnlyElement(deletes.rowGroups());
        List<Integer> live = deletes.live();
        long rows = pages.stream().mapToLong(Page::getPositionCount).sum();
        check(description, rowGroup, columns, pages, TupleDomain.all(), ReaderOptions.DEFAULTS, Map.of(), live.size());
        for (int round = 0; round < 3; round++) {
            ReaderOptions readerOptions = new ReaderOptions(random.nextBoolean(), true, true, random.nextBoolean(), random.nextBoolean(), RandomThresholds.next(random));
            Domain ids = randomIds(random, rows);
            long count = live.stream().filter(id -> ids.includesNullableValue((long) id)).count();
            check(description, rowGroup, columns, pages, TupleDomain.withColumnDomains(Map.of(ID, ids)), readerOptions, randomFields(random, columns), count);
        }
        AlbisColumn column = columns.get(1 + random.nextInt(columns.size() - 1));
        int channel = columns.indexOf(column);
        BitSet nulls = new BitSet();
        int id = 0;
        for (Page page : pages) {
            for (int row = 0; row < page.getPositionCount(); row++) {
                nulls.set(id, page.getBlock(channel).isNull(row));
                id++;
            }
        }
        assertThat(rowGroup.statistics(column.id()).orElseThrow().nullCount()).as(description).isEqualTo(nulls.cardinality());
        long liveNulls = live.stream().filter(nulls::get).count();
        check(description, rowGroup, columns, pages, TupleDomain.withColumnDomains(Map.of(column, Domain.onlyNull(column.type()))), ReaderOptions.DEFAULTS, Map.of(), liveNulls);
        check(description, rowGroup, columns, pages, TupleDomain.withColumnDomains(Map.of(column, Domain.notNull(column.type()))), ReaderOptions.DEFAULTS, randomFields(random, columns), live.size() - liveNulls);
    }

    private static AlbisLayout randomLayout(Random random)
    {
        return random.nextBoolean() ? AlbisLayout.BLOCK : AlbisLayout.ROW;
    }

    private static Map<Integer, FieldSelection> randomFields(Random random, List<AlbisColumn> columns)
    {
        Map<Integer, FieldSelection> fields = new HashMap<>();
        for (AlbisColumn column : columns.subList(1, columns.size())) {
            if (random.nextBoolean()) {
                List<List<Integer>> paths = new ArrayList<>();
                for (int path = random.nextInt(3); path > 0; path--) {
                    paths.add(randomPath(random, column.type()));
                }
                fields.put(column.id(), FieldSelection.of(column.type(), paths));
            }
        }
        return fields;
    }

    private static List<Integer> randomPath(Random random, Type type)
    {
        List<Integer> path = new ArrayList<>();
        Type part = type;
        while (!NestedTypes.children(part).isEmpty() && random.nextInt(5) > 0) {
            int child = random.nextInt(NestedTypes.children(part).size());
            path.add(child);
            part = NestedTypes.children(part).get(child);
        }
        return path;
    }

    private static Domain randomIds(Random random, long rows)
    {
        return switch (random.nextInt(3)) {
            case 0 -> {
                long begin = random.nextLong(rows);
                yield Domain.create(ValueSet.ofRanges(Range.range(BIGINT, begin, true, begin + random.nextLong(rows), true)), false);
            }
            case 1 -> Domain.multipleValues(BIGINT, random.longs(1 + random.nextInt(5), 0, rows).boxed().toList());
            default -> Domain.multipleValues(BIGINT, random.longs(1 + rows / 3, 0, rows).boxed().toList());
        };
    }

    private void check(String description, RowGroup rowGroup, List<AlbisColumn> columns, List<Page> pages, TupleDomain<AlbisColumn> predicate, ReaderOptions options, Map<Integer, FieldSelection> fields, long expectedRows)
            throws IOException
    {
        List<AlbisColumn> projection = ImmutableList.<AlbisColumn>builder().addAll(columns).add(columns.getLast()).build();
        long found = 0;
        try (RowGroupReader reader = RowGroupReader.open(fileSystem, FOLDER, rowGroup, RowGroupScan.of(projection, predicate).withFields(fields), options)) {
            for (AlbisBatch batch = reader.next(); batch != null; batch = reader.next()) {
                for (int channel = projection.size() - 1; channel > 0; channel--) {
                    AlbisColumn column = projection.get(channel);
                    FieldSelection selection = fields.get(column.id());
                    BlockEquality equality = new BlockEquality(node -> selection == null || selection.nodes().contains(node));
                    checkBlock(description, equality, column.type(), batch, channel, columns.indexOf(column), pages);
                }
                Block positions = batch.positions();
                for (int position = 0; position < batch.positionCount(); position++) {
                    assertThat(BIGINT.getLong(positions, position)).as(description).isEqualTo(BIGINT.getLong(batch.block(0), position));
                }
                found += batch.positionCount();
            }
        }
        assertThat(found).as(description).isEqualTo(expectedRows);
    }

    private static void checkBlock(String description, BlockEquality equality, Type type, AlbisBatch batch, int channel, int pageChannel, List<Page> pages)
            throws IOException
    {
        Block ids = batch.block(0);
        Block block = batch.block(channel);
        assertThat(block.getPositionCount()).isEqualTo(ids.getPositionCount());
        int page = 0;
        long first = 0;
        for (int position = 0; position < ids.getPositionCount(); position++) {
            long id = BIGINT.getLong(ids, position);
            while (id >= first + pages.get(page).getPositionCount()) {
                first += pages.get(page).getPositionCount();
                page++;
            }
            if (!equality.isEqual(type, block, position, pages.get(page).getBlock(pageChannel), (int) (id - first))) {
                throw new AssertionError("%s: row %s of type %s differs".formatted(description, id, type.getDisplayName()));
            }
        }
    }

    /**
     * The elements of one run need several chunks, and most runs have another number of elements.
     */
    @ParameterizedTest
    @EnumSource
    void testManyElements(AlbisLayout layout)
            throws IOException
    {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        Type type = new ArrayType(RowType.rowType(RowType.field("a", INTEGER), RowType.field("b", new ArrayType(INTEGER)), RowType.field("c", VARCHAR)));
        List<AlbisColumn> columns = List.of(ID, AlbisColumn.make(2, "nested", type));
        int rows = 9_000;
        Page page = new Page(new LongArrayBlock(rows, Optional.empty(), LongStream.range(0, rows).toArray()), flatBlock(random, type, rows, 0.02, 20));
        test("seed " + seed, random, columns, List.of(AlbisColumnGroup.make(layout, columns)), WriterOptions.DEFAULTS.withRowGroupBytes(1L << 40).withSegmentBytes(WriterOptions.MAX_SEGMENT_BYTES), List.of(page));
    }
}
