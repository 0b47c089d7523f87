package io.albis.format;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.airlift.slice.DynamicSliceOutput;
import io.airlift.slice.Slices;
import io.albis.format.delete.DeletedPositions;
import io.albis.format.delete.DeletesWriter;
import io.albis.format.io.AlbisDataException;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.RowGroupCodec;
import io.albis.format.metadata.StatisticsDomains;
import io.albis.format.scan.AlbisBatch;
import io.albis.format.scan.ReaderOptions;
import io.albis.format.scan.RowGroupReader;
import io.albis.format.scan.RowGroupScan;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.statistics.ValueOrder;
import io.albis.format.update.ColumnRewriter;
import io.albis.format.update.RewritePlan;
import io.albis.format.update.RowUpdates;
import io.albis.format.update.SegmentTooLargeException;
import io.albis.format.update.UpdatedRows;
import io.albis.format.write.RollingRowGroupWriter;
import io.albis.format.write.WriterOptions;
import io.trino.filesystem.FileIterator;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.LongArrayBlock;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.ArrayType;
import io.trino.spi.type.Type;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.Iterables.getOnlyElement;
import static io.airlift.slice.Slices.utf8Slice;
import static io.albis.format.RandomDeletes.randomPositions;
import static io.albis.format.RandomNestedBlocks.randomType;
import static io.albis.format.RandomTables.randomSchema;
import static io.albis.format.RandomTables.shapedBlock;
import static io.albis.format.RowValues.rows;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

/**
 * New instances of column groups have the new values of updated rows and the old values of the others.
 */
final class TestColumnUpdates
{
    private static final Location FOLDER = Location.of("memory:///table");
    private static final AlbisColumn A = AlbisColumn.make(1, "a", BIGINT);
    private static final AlbisColumn B = AlbisColumn.make(2, "b", BIGINT);
    private static final AlbisColumn C = AlbisColumn.make(3, "c", BIGINT);

    private final TrinoFileSystem fileSystem = new MemoryFileSystem();

    @Test
    void testRandomUpdates()
            throws IOException
    {
        testRandomUpdates(150);
    }

    @Test
    @Tag("slow")
    void testManyRandomUpdates()
            throws IOException
    {
        testRandomUpdates(3000);
    }

    private void testRandomUpdates(int rounds)
            throws IOException
    {
        Random seeds = new Random();
        for (int round = 0; round < rounds; round++) {
            testRandomUpdate(seeds.nextLong());
        }
    }

    private void testRandomUpdate(long seed)
            throws IOException
    {
        Random random = new Random(seed);
        String description = "seed " + seed;
        AlbisSchema schema = randomSchema(random);
        int count = random.nextInt(4) == 0 ? 10_000 + random.nextInt(10_000) : 1 + random.nextInt(500);
        Page page = new Page(schema.columns().stream()
                .map(column -> shapedBlock(random, column.type(), count, random.nextDouble()))
                .toArray(Block[]::new));
        WriterOptions options = WriterOptions.DEFAULTS.withSegmentBytes(WriterOptions.MIN_SEGMENT_BYTES << random.nextInt(12));
        RowGroup rowGroup = write(schema, options, page);
        List<List<Object>> expected = new ArrayList<>(rows(ImmutableList.of(page), schema.columns()));

        // several updates and deletes of the same row group, one after the other
        BitSet deleted = new BitSet();
        int kept = random.nextInt(count);
        for (int i = 0; i < 3; i++) {
            deleted.or(randomPositions(random, count));
            deleted.clear(kept);
            rowGroup = delete(rowGroup, deleted);
            List<AlbisColumn> updated = new ArrayList<>(schema.columns());
            Collections.shuffle(updated, random);
            updated = updated.subList(0, 1 + random.nextInt(updated.size()));
            RowUpdates updates = new RowUpdates();
            update(random, randomPositions(random, count), deleted, updated, schema, updates, expected);
            List<AlbisColumnGroup> written = switch (random.nextInt(3)) {
                case 0 -> affected(schema, updated);
                case 1 -> onlyUpdated(schema, updated);
                default -> RewritePlan.of(fileSystem, FOLDER, rowGroup, schema.rowGroupSchema(), options, ids(updated)).columnGroups();
            };
            RowGroup rewritten = rewrite(rowGroup, written, options, updated, updates);
            assertThat(rewritten.id()).isEqualTo(rowGroup.id());
            RowGroup before = rowGroup;
            rowGroup = encodeAndDecode(rowGroup.withRewritten(rewritten));
            assertThat(rowGroup.columnIds()).as(description).containsExactlyInAnyOrderElementsOf(before.columnIds());
            assertOtherColumnsRemain(before, rowGroup, rewritten.columnIds());
            assertThat(read(rowGroup, schema.columns())).as(description).isEqualTo(live(expected, deleted));
        }
        fileSystem.deleteDirectory(FOLDER);
    }

    /**
     * Updates rows in several batches, in any order.
     */
    private static void update(Random random, BitSet positions, BitSet deleted, List<AlbisColumn> updated, AlbisSchema schema, RowUpdates updates, List<List<Object>> expected)
    {
        positions.andNot(deleted);
        List<Integer> order = new ArrayList<>(positions.stream().boxed().toList());
        Collections.shuffle(order, random);
        while (!order.isEmpty()) {
            List<Integer> batch = order.subList(0, 1 + random.nextInt(order.size()));
            Page values = new Page(updated.stream()
                    .map(column -> shapedBlock(random, column.type(), batch.size(), random.nextDouble()))
                    .toArray(Block[]::new));
            updates.add(new IntArrayList(batch), IntStream.range(0, updated.size()).mapToObj(values::getBlock).toArray(Block[]::new));
            List<List<Object>> newValues = rows(ImmutableList.of(values), updated);
            for (int row = 0; row < batch.size(); row++) {
                List<Object> changed = new ArrayList<>(expected.get(batch.get(row)));
                for (int column = 0; column < updated.size(); column++) {
                    changed.set(schema.columns().indexOf(updated.get(column)), newValues.get(row).get(column));
                }
                expected.set(batch.get(row), changed);
            }
            order = order.subList(batch.size(), order.size());
        }
    }

    private static void assertOtherColumnsRemain(RowGroup before, RowGroup after, List<Integer> written)
    {
        for (ColumnGroupInstance instance : before.columnGroups()) {
            List<Integer> remaining = instance.columnIds().stream().filter(id -> !written.contains(id)).toList();
            List<List<Integer>> found = after.columnGroups().stream()
                    .filter(other -> other.id().equals(instance.id()))
                    .map(ColumnGroupInstance::columnIds)
                    .toList();
            assertThat(found).isEqualTo(remaining.isEmpty() ? List.of() : List.of(remaining));
        }
    }

    private static RowGroup encodeAndDecode(RowGroup rowGroup)
    {
        DynamicSliceOutput output = new DynamicSliceOutput(1000);
        RowGroupCodec.write(rowGroup, output);
        RowGroup decoded = RowGroupCodec.read(output.slice().getInput());
        assertThat(decoded).isEqualTo(rowGroup);
        return decoded;
    }

    /**
     * The slots of a row do not move if one of them is not read any more.
     */
    @ParameterizedTest
    @EnumSource
    void testOneColumnOfGroup(AlbisLayout layout)
            throws IOException
    {
        AlbisSchema schema = AlbisSchema.makeSchema(AlbisColumnGroup.make(layout, A, B, C));
        RowGroup rowGroup = write(schema, WriterOptions.DEFAULTS, new Page(bigints(10), bigints(10), bigints(10)));
        ColumnGroupInstance old = getOnlyElement(rowGroup.columnGroups());
        RowUpdates updates = new RowUpdates();
        updates.add(IntArrayList.wrap(new int[] {3}), new Block[] {bigints(1)});
        for (int i = 0; i < 2; i++) {
            rowGroup = rowGroup.withRewritten(rewrite(rowGroup, onlyUpdated(schema, ImmutableList.of(B)), WriterOptions.DEFAULTS, ImmutableList.of(B), updates));
            assertThat(rowGroup.columnGroups()).hasSize(2);
            ColumnGroupInstance remaining = rowGroup.columnGroups().getFirst();
            assertThat(remaining).isEqualTo(new ColumnGroupInstance(old.id(), ImmutableList.of(1, 3), ImmutableList.of(2), old.dataBytes(), old.metadataBytes()));
            assertThat(remaining.currentBytes()).isCloseTo(remaining.bytes() * 2 / 3.0, within(0.001));
            assertThat(rowGroup.columnGroups().getLast().columnIds()).containsExactly(2);
            assertThat(rowGroup.bytes()).isGreaterThan(old.bytes());
        }
        assertThat(read(rowGroup, schema.columns()).get(2)).containsExactly(2L, 2L, 2L);
        assertThat(read(rowGroup, schema.columns()).get(3)).containsExactly(3L, 0L, 3L);
        assertThat(read(rowGroup, ImmutableList.of(C, A)).get(3)).containsExactly(3L, 3L);
        // the entry must name the columns of the files
        for (List<Integer> superseded : List.of(ImmutableList.<Integer>of(), ImmutableList.of(4), ImmutableList.of(2, 4))) {
            ColumnGroupInstance other = new ColumnGroupInstance(old.id(), ImmutableList.of(1, 3), superseded, old.dataBytes(), old.metadataBytes());
            RowGroup damaged = new RowGroup(rowGroup.id(), 10, ImmutableList.of(other), ImmutableList.of());
            assertThatThrownBy(() -> read(damaged, ImmutableList.of(A)))
                    .isInstanceOf(AlbisDataException.class)
                    .hasMessageContaining("it has 10 rows of columns [1, 2, 3] in")
                    .hasMessageContaining("but the table states 10 rows of columns [1, 3");
        }
        // the new files have all columns
        RowGroup all = rowGroup.withRewritten(rewrite(rowGroup, schema, WriterOptions.DEFAULTS, ImmutableList.of(B), updates));
        assertThat(getOnlyElement(all.columnGroups()).columnIds()).containsExactly(1, 2, 3);
    }

    @Test
    void testNestedColumns()
            throws IOException
    {
        Random seeds = new Random();
        for (int round = 0; round < 30; round++) {
            long seed = seeds.nextLong();
            Random random = new Random(seed);
            AlbisColumn nested = AlbisColumn.make(4, "nested", randomType(random, 2));
            AlbisSchema schema = AlbisSchema.makeSchema(AlbisColumnGroup.make(A), AlbisColumnGroup.make(B, nested));
            int count = 1 + random.nextInt(12_000);
            Block values = RandomNestedBlocks.randomBlock(random, nested.type(), count, 0.2, 3);
            RowGroup rowGroup = delete(write(schema, WriterOptions.DEFAULTS.withSegmentBytes(1 << 14), new Page(bigints(count), bigints(count), values)), BitSet.valueOf(new long[] {0b0110}));
            int[] positions = IntStream.range(4, count).filter(_ -> random.nextInt(3) == 0).toArray();
            Block newValues = RandomNestedBlocks.randomBlock(random, nested.type(), positions.length, 0.2, 3);
            RowUpdates updates = new RowUpdates();
            updates.add(IntArrayList.wrap(positions), new Block[] {newValues});
            RowGroup updated = rowGroup.withRewritten(rewrite(rowGroup, schema, WriterOptions.DEFAULTS, ImmutableList.of(nested), updates));
            BlockEquality equality = new BlockEquality(_ -> true);
            try (RowGroupReader reader = RowGroupReader.open(fileSystem, FOLDER, updated, RowGroupScan.of(ImmutableList.of(nested, B), TupleDomain.all()), ReaderOptions.DEFAULTS)) {
                for (AlbisBatch batch = reader.next(); batch != null; batch = reader.next()) {
                    Block read = batch.block(0);
                    for (int row = 0; row < batch.positionCount(); row++) {
                        int position = (int) BIGINT.getLong(batch.positions(), row);
                        int index = Arrays.binarySearch(positions, position);
                        assertThat(equality.isEqual(nested.type(), read, row, index < 0 ? values : newValues, index < 0 ? position : index)).as("seed %s, position %s", seed, position).isTrue();
                        assertThat(BIGINT.getLong(batch.block(1), row)).isEqualTo(position);
                    }
                }
            }
            fileSystem.deleteDirectory(FOLDER);
        }
    }

    /**
     * The values of deleted rows are not copied, and no statistics include them.
     */
    @Test
    void testStatisticsOfLiveRows()
            throws IOException
    {
        AlbisSchema schema = AlbisSchema.makeSchema(AlbisColumnGroup.make(A), AlbisColumnGroup.make(B));
        RowGroup rowGroup = delete(write(schema, WriterOptions.DEFAULTS, new Page(bigints(10), bigints(10))), BitSet.valueOf(new long[] {0b11_0000_0111}));
        RowUpdates updates = new RowUpdates();
        updates.add(IntArrayList.of(5), new Block[] {bigints(1)});
        RowGroup updated = rowGroup.withRewritten(rewrite(rowGroup, schema, WriterOptions.DEFAULTS, ImmutableList.of(B), updates));
        assertThat(read(updated, schema.columns())).containsExactly(List.of(3L, 3L), List.of(4L, 4L), List.of(5L, 0L), List.of(6L, 6L), List.of(7L, 7L));
        assertThat(updated.statistics(B.id()).orElseThrow().nullCount()).isZero();
        TupleDomain<AlbisColumn> ofDeletedRow = TupleDomain.withColumnDomains(ImmutableMap.of(B, Domain.singleValue(BIGINT, 9L)));
        assertThat(StatisticsDomains.overlaps(rowGroup, ofDeletedRow)).isTrue();
        assertThat(StatisticsDomains.overlaps(updated, ofDeletedRow)).isFalse();
        assertThat(updated.statistics(A.id())).isEqualTo(rowGroup.statistics(A.id()));
        assertThat(updated.deletedRows()).isEqualTo(rowGroup.deletedRows());
    }

    /**
     * The values of a segment say nothing about the deleted rows of other segments.
     */
    @Test
    void testDeletedRowsOfSegments()
            throws IOException
    {
        // a segment has 128 rows
        WriterOptions options = WriterOptions.DEFAULTS.withSegmentBytes(WriterOptions.MIN_SEGMENT_BYTES);
        AlbisSchema schema = AlbisSchema.makeSchema(AlbisColumnGroup.make(A), AlbisColumnGroup.make(B));
        int count = 20 * 128;
        BitSet deleted = new BitSet();
        deleted.set(0, count);
        // the last rows of the first segment and the first ones of the second, all but one of the others
        deleted.clear(10, 20);
        deleted.clear(200, 210);
        for (int segment = 2; segment < 20; segment++) {
            deleted.clear(segment * 128 + 50);
        }
        RowGroup rowGroup = delete(write(schema, options, new Page(bigints(count), segmentNumbers(count))), deleted);
        RowUpdates updates = new RowUpdates();
        updates.add(IntArrayList.of(5 * 128 + 50), new Block[] {new LongArrayBlock(1, Optional.empty(), new long[] {5})});
        RowGroup updated = rowGroup.withRewritten(rewrite(rowGroup, schema, options, ImmutableList.of(B), updates));
        ColumnStatistics statistics = updated.statistics(B.id()).orElseThrow();
        assertThat(statistics.nullCount()).isZero();
        assertThat(statistics.order()).isEqualTo(ValueOrder.ASCENDING);
        for (long segment = 0; segment < 20; segment++) {
            // reads only the segment with the value
            RowGroupScan scan = RowGroupScan.of(ImmutableList.of(B), TupleDomain.withColumnDomains(ImmutableMap.of(B, Domain.singleValue(BIGINT, segment))));
            try (RowGroupReader reader = RowGroupReader.open(fileSystem, FOLDER, updated, scan, ReaderOptions.DEFAULTS)) {
                AlbisBatch batch = reader.next();
                assertThat(BIGINT.getLong(batch.block(0), 0)).isEqualTo(segment);
                assertThat(reader.next()).isNull();
                assertThat(reader.metrics().segments()).isEqualTo(1);
            }
        }
    }

    private static Block segmentNumbers(int count)
    {
        return new LongArrayBlock(count, Optional.empty(), LongStream.range(0, count).map(row -> row / 128).toArray());
    }

    /**
     * A segment whose new values are much larger than the old ones would need too much memory, and more than 1 GiB of
     * nested values could not be read.
     */
    @ParameterizedTest
    @EnumSource
    void testLargeSegment(AlbisLayout layout)
            throws IOException
    {
        Type type = layout == AlbisLayout.ROW ? VARCHAR : new ArrayType(BIGINT);
        AlbisColumn large = AlbisColumn.make(2, "large", type);
        AlbisSchema schema = AlbisSchema.makeSchema(AlbisColumnGroup.make(A), AlbisColumnGroup.make(layout, large));
        RowGroup rowGroup = write(schema, WriterOptions.DEFAULTS, new Page(bigints(10), RunLengthEncodedBlock.create(type.createNullBlock(), 10)));
        // 8 MB
        Block value = layout == AlbisLayout.ROW ? writeNativeValue(VARCHAR, Slices.allocate(1 << 23)) : writeNativeValue(type, RunLengthEncodedBlock.create(BIGINT, 1L, 1 << 20));
        for (int update = 0; update < 3; update++) {
            rowGroup = rowGroup.withRewritten(rewrite(rowGroup, schema, WriterOptions.DEFAULTS, ImmutableList.of(large), updates(value, 2 * update, 2 * update + 1)));
        }
        RowGroup before = rowGroup;
        List<Location> files = files();
        assertThatThrownBy(() -> rewrite(before, schema, WriterOptions.DEFAULTS, ImmutableList.of(large), updates(value, 6, 7)))
                .isInstanceOf(SegmentTooLargeException.class);
        assertThat(files()).isEqualTo(files);
        assertThat(read(rowGroup, ImmutableList.of(A))).hasSize(10);

        // other columns of the updated rows are read to write them as new rows
        ImmutableList.Builder<Page> pages = ImmutableList.builder();
        UpdatedRows.read(fileSystem, FOLDER, delete(rowGroup, BitSet.valueOf(new long[] {0b1000})), schema.columns(), ImmutableList.of(large.id()), updates(value, 9, 4), (positions, columns) -> {
            assertThat(positions).containsExactly(4, 9);
            pages.add(new Page(columns));
        });
        Page rows = getOnlyElement(pages.build());
        assertThat(BIGINT.getLong(rows.getBlock(0), 1)).isEqualTo(9);
        assertThat(new BlockEquality(_ -> true).isEqual(type, rows.getBlock(1), 1, value, 0)).isTrue();
    }

    private static RowUpdates updates(Block value, int... positions)
    {
        RowUpdates updates = new RowUpdates();
        updates.add(IntArrayList.wrap(positions), new Block[] {RunLengthEncodedBlock.create(value, positions.length)});
        return updates;
    }

    /**
     * Long and nested values are not repeated.
     */
    @Test
    void testDeletedLongValues()
            throws IOException
    {
        AlbisColumn text = AlbisColumn.make(2, "text", VARCHAR);
        AlbisSchema schema = AlbisSchema.makeSchema(AlbisColumnGroup.make(A), AlbisColumnGroup.make(text));
        int count = 20_000;
        for (int length : new int[] {1, 256, 257, 100_000}) {
            BitSet deleted = new BitSet();
            deleted.set(1, count);
            Block texts = RunLengthEncodedBlock.create(VARCHAR, utf8Slice("a"), count);
            RowGroup rowGroup = delete(write(schema, WriterOptions.DEFAULTS, new Page(bigints(count), texts)), deleted);
            RowUpdates updates = new RowUpdates();
            updates.add(IntArrayList.of(0), new Block[] {RunLengthEncodedBlock.create(VARCHAR, utf8Slice("x".repeat(length)), 1)});
            RowGroup updated = rowGroup.withRewritten(rewrite(rowGroup, schema, WriterOptions.DEFAULTS, ImmutableList.of(text), updates));
            assertThat(updated.statistics(text.id()).orElseThrow().nullCount()).isEqualTo(length <= 256 ? 0 : count - 1);
            // each length of a run may take 4 bytes
            assertThat(updated.bytes()).isLessThan(rowGroup.bytes() + length + 50_000);
            assertThat(read(updated, ImmutableList.of(text))).containsExactly(List.of(utf8Slice("x".repeat(length))));
        }
    }

    @Test
    void testUpdateOfDeletedRow()
            throws IOException
    {
        AlbisSchema schema = AlbisSchema.makeSchema(AlbisColumnGroup.make(A, B));
        RowGroup rowGroup = delete(write(schema, WriterOptions.DEFAULTS, new Page(bigints(10), bigints(10))), BitSet.valueOf(new long[] {0b1000}));
        List<Location> files = files();
        for (int[] positions : List.of(new int[] {3}, new int[] {10}, new int[] {5, 5})) {
            RowUpdates updates = new RowUpdates();
            updates.add(IntArrayList.wrap(positions), new Block[] {bigints(positions.length)});
            assertThatThrownBy(() -> rewrite(rowGroup, schema, WriterOptions.DEFAULTS, ImmutableList.of(B), updates))
                    .hasMessageMatching("the updated row at position 3 is deleted|1 of 1 updated rows are deleted or do not exist|the row at position 5 is updated twice");
            assertThat(files()).isEqualTo(files);
        }
    }

    /**
     * Columns of which all rows are updated are not read, but those of the same column group are.
     */
    @Test
    void testMissingFile()
            throws IOException
    {
        AlbisSchema schema = AlbisSchema.makeSchema(AlbisColumnGroup.make(A), AlbisColumnGroup.make(B, C));
        RowGroup rowGroup = write(schema, WriterOptions.DEFAULTS, new Page(bigints(10), bigints(10), bigints(10)));
        fileSystem.deleteFile(rowGroup.dataFile(FOLDER, rowGroup.columnGroups().getFirst()));
        fileSystem.deleteFile(rowGroup.metadataFile(FOLDER, rowGroup.columnGroups().getFirst()));
        RowUpdates updates = new RowUpdates();
        updates.add(IntArrayList.wrap(IntStream.range(0, 10).toArray()), new Block[] {bigints(10)});
        RowGroup rewritten = rewrite(rowGroup, schema, WriterOptions.DEFAULTS, ImmutableList.of(B), updates);
        assertThat(getOnlyElement(rewritten.columnGroups()).columnIds()).containsExactly(B.id(), C.id());
        List<Location> files = files();
        fileSystem.deleteFile(rowGroup.dataFile(FOLDER, rowGroup.columnGroups().getLast()));
        assertThatThrownBy(() -> rewrite(rowGroup, schema, WriterOptions.DEFAULTS, ImmutableList.of(B), updates)).isInstanceOf(AlbisDataException.class);
        assertThat(files()).hasSize(files.size() - 1);
    }

    private static Block bigints(int count)
    {
        return new LongArrayBlock(count, Optional.empty(), LongStream.range(0, count).toArray());
    }

    private RowGroup write(AlbisSchema schema, WriterOptions options, Page page)
            throws IOException
    {
        RollingRowGroupWriter writer = new RollingRowGroupWriter(fileSystem, FOLDER, schema.rowGroupSchema(), options);
        writer.append(page);
        return getOnlyElement(writer.finish());
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

    private RowGroup rewrite(RowGroup rowGroup, AlbisSchema schema, WriterOptions options, List<AlbisColumn> updated, RowUpdates updates)
            throws IOException
    {
        return rewrite(rowGroup, affected(schema, updated), options, updated, updates);
    }

    private RowGroup rewrite(RowGroup rowGroup, List<AlbisColumnGroup> written, WriterOptions options, List<AlbisColumn> updated, RowUpdates updates)
            throws IOException
    {
        return ColumnRewriter.rewrite(fileSystem, FOLDER, rowGroup, written, options, ids(updated), updates, UUID::randomUUID);
    }

    private static List<Integer> ids(List<AlbisColumn> columns)
    {
        return columns.stream().map(AlbisColumn::id).toList();
    }

    /**
     * Returns the column groups with updated columns.
     */
    private static List<AlbisColumnGroup> affected(AlbisSchema schema, List<AlbisColumn> updated)
    {
        return schema.columnGroups().stream()
                .filter(group -> !Collections.disjoint(group.columns(), updated))
                .collect(toImmutableList());
    }

    /**
     * Returns the column groups with updated columns, without the other columns.
     */
    private static List<AlbisColumnGroup> onlyUpdated(AlbisSchema schema, List<AlbisColumn> updated)
    {
        return affected(schema, updated).stream()
                .map(group -> AlbisColumnGroup.make(group.layout(), group.columns().stream().filter(updated::contains).toList()))
                .collect(toImmutableList());
    }

    private List<List<Object>> read(RowGroup rowGroup, List<AlbisColumn> columns)
            throws IOException
    {
        ImmutableList.Builder<Page> pages = ImmutableList.builder();
        try (RowGroupReader reader = RowGroupReader.open(fileSystem, FOLDER, rowGroup, RowGroupScan.of(columns, TupleDomain.all()), ReaderOptions.DEFAULTS)) {
            for (AlbisBatch batch = reader.next(); batch != null; batch = reader.next()) {
                Block[] blocks = new Block[columns.size()];
                for (int channel = 0; channel < blocks.length; channel++) {
                    blocks[channel] = batch.block(channel);
                }
                pages.add(new Page(blocks));
            }
        }
        return rows(pages.build(), columns);
    }

    private static List<List<Object>> live(List<List<Object>> rows, BitSet deleted)
    {
        return IntStream.range(0, rows.size())
                .filter(row -> !deleted.get(row))
                .mapToObj(rows::get)
                .toList();
    }

    private List<Location> files()
            throws IOException
    {
        ImmutableList.Builder<Location> files = ImmutableList.builder();
        FileIterator iterator = fileSystem.listFiles(FOLDER);
        while (iterator.hasNext()) {
            files.add(iterator.next().location());
        }
        return files.build();
    }
}
