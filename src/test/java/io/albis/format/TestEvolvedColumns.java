package io.albis.format;

import com.google.common.collect.ImmutableList;
import io.albis.format.RowValues.BitsOfNan;
import io.albis.format.delete.DeletedPositions;
import io.albis.format.delete.DeletesWriter;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.StatisticsDomains;
import io.albis.format.scan.AlbisBatch;
import io.albis.format.scan.ReaderOptions;
import io.albis.format.scan.RowGroupReader;
import io.albis.format.scan.RowGroupScan;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.InitialValue;
import io.albis.format.type.Widening;
import io.albis.format.update.ColumnRewriter;
import io.albis.format.update.RowUpdates;
import io.albis.format.write.RollingRowGroupWriter;
import io.albis.format.write.WriterOptions;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.Int128;
import io.trino.spi.type.Type;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.Iterables.getOnlyElement;
import static io.albis.format.RandomBlocks.TYPES;
import static io.albis.format.RandomBlocks.randomValue;
import static io.albis.format.RandomDeletes.randomPositions;
import static io.albis.format.RandomPredicates.matches;
import static io.albis.format.RandomPredicates.randomPredicate;
import static io.albis.format.RandomTables.randomLayout;
import static io.albis.format.RandomTables.shapedBlock;
import static io.albis.format.RowValues.rows;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.CharType.createCharType;
import static io.trino.spi.type.DecimalType.createDecimalType;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.RealType.REAL;
import static io.trino.spi.type.SmallintType.SMALLINT;
import static io.trino.spi.type.TimeType.createTimeType;
import static io.trino.spi.type.TimeWithTimeZoneType.createTimeWithTimeZoneType;
import static io.trino.spi.type.TimestampType.createTimestampType;
import static io.trino.spi.type.TimestampWithTimeZoneType.createTimestampWithTimeZoneType;
import static io.trino.spi.type.TinyintType.TINYINT;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static io.trino.spi.type.VarcharType.createVarcharType;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Row groups are read with columns that have got a wider type since they were written, and with columns that were added
 * later. Column groups are written again with the columns that the table has now.
 */
final class TestEvolvedColumns
{
    private static final Location FOLDER = Location.of("memory:///table");
    // each type can be widened to those that follow
    private static final List<List<Type>> WIDENINGS = ImmutableList.of(
            ImmutableList.of(TINYINT, SMALLINT, INTEGER, BIGINT),
            ImmutableList.of(REAL, DOUBLE),
            ImmutableList.of(createDecimalType(5, 2), createDecimalType(18, 2), createDecimalType(19, 2), createDecimalType(38, 2)),
            ImmutableList.of(createVarcharType(3), createVarcharType(10), VARCHAR),
            ImmutableList.of(createCharType(3), createCharType(5)),
            ImmutableList.of(createTimeType(0), createTimeType(12)),
            ImmutableList.of(createTimeWithTimeZoneType(0), createTimeWithTimeZoneType(9)),
            ImmutableList.of(createTimestampType(0), createTimestampType(6)),
            ImmutableList.of(createTimestampType(7), createTimestampType(12)),
            ImmutableList.of(createTimestampWithTimeZoneType(0), createTimestampWithTimeZoneType(3)));

    private final TrinoFileSystem fileSystem = new MemoryFileSystem();

    @Test
    void testWidenings()
    {
        for (List<Type> types : WIDENINGS) {
            for (int from = 0; from < types.size(); from++) {
                for (int to = 0; to < types.size(); to++) {
                    assertThat(Widening.find(types.get(from), types.get(to)).isPresent()).as("%s to %s", types.get(from), types.get(to)).isEqualTo(from < to);
                }
            }
        }
        assertThat(Widening.find(createTimestampType(6), createTimestampType(7))).isEmpty();
        assertThat(Widening.find(createDecimalType(5, 2), createDecimalType(6, 3))).isEmpty();
        assertThat(Widening.find(INTEGER, DOUBLE)).isEmpty();
        assertThat(Widening.find("no type", BIGINT)).isEmpty();
        assertThat(Widening.find("json", VARCHAR)).isEmpty();
        assertThat(Widening.find("integer", BIGINT)).map(Widening::from).contains(INTEGER);
    }

    @Test
    void testRandomColumns()
            throws IOException
    {
        testRandomColumns(50);
    }

    @Test
    @Tag("slow")
    void testManyRandomColumns()
            throws IOException
    {
        testRandomColumns(2000);
    }

    private void testRandomColumns(int rounds)
            throws IOException
    {
        Random seeds = new Random();
        for (int round = 0; round < rounds; round++) {
            new Round(seeds.nextLong()).run();
        }
    }

    private final class Round
    {
        private final Random random;
        private final String description;
        private final WriterOptions options;
        private final List<AlbisColumn> stored = new ArrayList<>();
        // the same columns as they are now, and those that were added
        private final List<AlbisColumn> evolved = new ArrayList<>();
        private final List<AlbisColumn> added = new ArrayList<>();
        private List<List<Object>> expected;

        Round(long seed)
        {
            random = new Random(seed);
            description = "seed " + seed;
            options = WriterOptions.DEFAULTS.withSegmentBytes(WriterOptions.MIN_SEGMENT_BYTES << random.nextInt(12));
            for (int id = 1; id <= 1 + random.nextInt(5); id++) {
                List<Type> types = WIDENINGS.get(random.nextInt(WIDENINGS.size()));
                int from = random.nextInt(types.size());
                stored.add(AlbisColumn.make(id, "stored_" + id, types.get(from)));
                evolved.add(AlbisColumn.make(id, "evolved_" + id, types.get(from + random.nextInt(types.size() - from))));
            }
            for (int id = 11; id < 11 + random.nextInt(3); id++) {
                Type type = TYPES.get(random.nextInt(TYPES.size()));
                Optional<InitialValue> initial = random.nextBoolean() ? Optional.empty() : Optional.of(InitialValue.of(type, randomValue(random, type)));
                added.add(new AlbisColumn(id, "added_" + id, type, initial));
            }
            evolved.addAll(added);
        }

        void run()
                throws IOException
        {
            int count = random.nextInt(4) == 0 ? 10_000 + random.nextInt(10_000) : 1 + random.nextInt(500);
            Page page = new Page(count, stored.stream()
                    .map(column -> shapedBlock(random, column.type(), count, random.nextDouble()))
                    .toArray(Block[]::new));
            RollingRowGroupWriter writer = new RollingRowGroupWriter(fileSystem, FOLDER, AlbisSchema.makeSchema(stored, groups(stored)).rowGroupSchema(), options.withRowGroupBytes(1L << 40));
            writer.append(page);
            RowGroup rowGroup = getOnlyElement(writer.finish());
            expected = evolve(rows(ImmutableList.of(page), stored));
            check(rowGroup, new BitSet());

            BitSet deleted = randomPositions(random, count);
            deleted.clear(random.nextInt(count));
            rowGroup = delete(rowGroup, deleted);
            check(rowGroup, deleted);
            rowGroup = rewrite(rowGroup, deleted);
            check(rowGroup, deleted);
            fileSystem.deleteDirectory(FOLDER);
        }

        private List<AlbisColumnGroup> groups(List<AlbisColumn> columns)
        {
            List<AlbisColumn> rest = new ArrayList<>(columns);
            Collections.shuffle(rest, random);
            ImmutableList.Builder<AlbisColumnGroup> groups = ImmutableList.builder();
            while (!rest.isEmpty()) {
                int size = 1 + random.nextInt(rest.size());
                groups.add(AlbisColumnGroup.make(randomLayout(random), rest.subList(0, size)));
                rest = rest.subList(size, rest.size());
            }
            return groups.build();
        }

        private List<List<Object>> evolve(List<List<Object>> rows)
        {
            List<List<Object>> evolvedRows = new ArrayList<>();
            for (List<Object> row : rows) {
                List<Object> values = new ArrayList<>();
                for (int column = 0; column < stored.size(); column++) {
                    values.add(widen(stored.get(column).type(), evolved.get(column).type(), row.get(column)));
                }
                for (AlbisColumn column : added) {
                    Page initial = new Page(column.missingValues(1));
                    values.add(comparable(getOnlyElement(rows(ImmutableList.of(initial), ImmutableList.of(column))).getFirst()));
                }
                evolvedRows.add(values);
            }
            return evolvedRows;
        }

        private static Object widen(Type from, Type to, Object value)
        {
            if (value == null || value instanceof BitsOfNan) {
                return comparable(value);
            }
            if (from == REAL && to == DOUBLE) {
                return (double) Float.intBitsToFloat((int) (long) value);
            }
            return to.getJavaType() == Int128.class && value instanceof Long number ? Int128.valueOf(number) : value;
        }

        /**
         * The bits of NaN change when a float becomes a double.
         */
        private static Object comparable(Object value)
        {
            return value instanceof BitsOfNan ? new BitsOfNan(0) : value;
        }

        private void check(RowGroup rowGroup, BitSet deleted)
                throws IOException
        {
            assertThat(read(rowGroup, TupleDomain.all(), evolved)).as(description).isEqualTo(live(expected, deleted));
            AlbisSchema schema = AlbisSchema.makeSchema(evolved, groups(evolved));
            for (int i = 0; i < 5; i++) {
                TupleDomain<AlbisColumn> predicate = randomPredicate(random, schema, expected);
                List<List<Object>> matching = live(expected, deleted).stream()
                        .filter(row -> matches(row, evolved, predicate))
                        .collect(toImmutableList());
                assertThat(read(rowGroup, predicate, evolved)).as("%s, %s", description, predicate).isEqualTo(matching);
                if (!StatisticsDomains.overlaps(rowGroup, predicate)) {
                    assertThat(matching).as("%s, %s", description, predicate).isEmpty();
                }
                if (StatisticsDomains.containsAll(rowGroup, predicate)) {
                    assertThat(matching).as("%s, %s", description, predicate).isEqualTo(live(expected, deleted));
                }
                // the filter columns are not returned
                AlbisColumn returned = evolved.get(random.nextInt(evolved.size()));
                int channel = evolved.indexOf(returned);
                assertThat(read(rowGroup, predicate, ImmutableList.of(returned))).as("%s, %s", description, predicate)
                        .isEqualTo(matching.stream().map(row -> row.subList(channel, channel + 1)).toList());
            }
        }

        private static List<List<Object>> live(List<List<Object>> rows, BitSet deleted)
        {
            return IntStream.range(0, rows.size())
                    .filter(row -> !deleted.get(row))
                    .mapToObj(rows::get)
                    .toList();
        }

        private List<List<Object>> read(RowGroup rowGroup, TupleDomain<AlbisColumn> predicate, List<AlbisColumn> columns)
                throws IOException
        {
            ReaderOptions readerOptions = new ReaderOptions(random.nextBoolean(), true, random.nextBoolean(), random.nextBoolean(), random.nextBoolean(), RandomThresholds.next(random));
            List<List<Object>> result = new ArrayList<>();
            try (RowGroupReader reader = RowGroupReader.open(fileSystem, FOLDER, rowGroup, RowGroupScan.of(columns, predicate), readerOptions)) {
                for (AlbisBatch batch = reader.next(); batch != null; batch = reader.next()) {
                    Block[] blocks = new Block[columns.size()];
                    for (int channel = 0; channel < blocks.length; channel++) {
                        blocks[channel] = batch.block(channel);
                        assertThat(blocks[channel].getUnderlyingValueBlock()).isInstanceOf(columns.get(channel).type().getValueBlockType());
                    }
                    for (List<Object> row : rows(ImmutableList.of(new Page(batch.positionCount(), blocks)), columns)) {
                        List<Object> values = new ArrayList<>();
                        row.forEach(value -> values.add(comparable(value)));
                        result.add(values);
                    }
                }
            }
            return result;
        }

        private RowGroup delete(RowGroup rowGroup, BitSet deleted)
                throws IOException
        {
            if (deleted.isEmpty()) {
                return rowGroup;
            }
            DeletesWriter writer = new DeletesWriter(fileSystem, FOLDER, UUID.randomUUID());
            RowGroup result = rowGroup.withDeletedRows(writer.add(DeletedPositions.of(deleted.stream().toArray())));
            writer.close();
            return result;
        }

        /**
         * Updates columns of one column group, or columns that the row group does not store.
         */
        private RowGroup rewrite(RowGroup rowGroup, BitSet deleted)
                throws IOException
        {
            ColumnGroupInstance replaced = rowGroup.columnGroups().get(random.nextInt(rowGroup.columnGroups().size()));
            List<AlbisColumn> columns = added.isEmpty() || random.nextBoolean()
                    ? replaced.columnIds().stream().map(id -> evolved.get(id - 1)).toList()
                    : added;
            AlbisColumn updated = columns.get(random.nextInt(columns.size()));
            BitSet positions = randomPositions(random, expected.size());
            positions.andNot(deleted);
            RowUpdates updates = new RowUpdates();
            if (!positions.isEmpty()) {
                int[] rows = positions.stream().toArray();
                Block values = shapedBlock(random, updated.type(), rows.length, random.nextDouble());
                updates.add(IntArrayList.wrap(rows), new Block[] {values});
                List<List<Object>> newValues = rows(ImmutableList.of(new Page(values)), ImmutableList.of(updated));
                for (int i = 0; i < rows.length; i++) {
                    List<Object> row = new ArrayList<>(expected.get(rows[i]));
                    row.set(evolved.indexOf(updated), comparable(newValues.get(i).getFirst()));
                    expected.set(rows[i], row);
                }
            }
            List<AlbisColumn> rewritten = columns.equals(added) || random.nextBoolean() ? columns : ImmutableList.of(updated);
            RowGroup written = ColumnRewriter.rewrite(fileSystem, FOLDER, rowGroup, ImmutableList.of(AlbisColumnGroup.make(randomLayout(random), rewritten)), options, ImmutableList.of(updated.id()), updates, UUID::randomUUID);
            RowGroup result = rowGroup.withRewritten(written);
            if (columns.equals(added)) {
                assertThat(result.columnGroups()).startsWith(rowGroup.columnGroups().toArray(ColumnGroupInstance[]::new)).hasSize(rowGroup.columnGroups().size() + 1);
            }
            else {
                assertThat(result.columnIds()).as(description).containsExactlyInAnyOrderElementsOf(rowGroup.columnIds());
            }
            return result;
        }
    }
}
