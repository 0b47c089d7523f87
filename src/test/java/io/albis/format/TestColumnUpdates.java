package io.albis.format;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slices;
import io.albis.format.io.AlbisDataException;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.format.scan.AlbisBatch;
import io.albis.format.scan.ReaderOptions;
import io.albis.format.scan.RowGroupReader;
import io.albis.format.scan.RowGroupScan;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.update.RowUpdates;
import io.albis.format.update.SegmentTooLargeException;
import io.albis.format.update.UpdatedRows;
import io.albis.format.write.WriterOptions;
import io.trino.filesystem.Location;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.ArrayType;
import io.trino.spi.type.Type;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import static com.google.common.collect.Iterables.getOnlyElement;
import static io.albis.format.RandomNestedBlocks.randomType;
import static io.albis.format.RowValues.rows;
import static io.albis.format.UpdatedRowGroups.FOLDER;
import static io.albis.format.UpdatedRowGroups.bigints;
import static io.albis.format.UpdatedRowGroups.onlyUpdated;
import static io.albis.format.UpdatedRowGroups.updates;
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
    private static final AlbisColumn A = AlbisColumn.make(1, "a", BIGINT);
    private static final AlbisColumn B = AlbisColumn.make(2, "b", BIGINT);
    private static final AlbisColumn C = AlbisColumn.make(3, "c", BIGINT);

    private final UpdatedRowGroups rowGroups = new UpdatedRowGroups();

    /**
     * The slots of a row do not move if one of them is not read any more.
     */
    @ParameterizedTest
    @EnumSource
    void testOneColumnOfGroup(AlbisLayout layout)
            throws IOException
    {
        AlbisSchema schema = AlbisSchema.makeSchema(AlbisColumnGroup.make(layout, A, B, C));
        RowGroup rowGroup = rowGroups.write(schema, WriterOptions.DEFAULTS, new Page(bigints(10), bigints(10), bigints(10)));
        ColumnGroupInstance old = getOnlyElement(rowGroup.columnGroups());
        RowUpdates updates = new RowUpdates();
        updates.add(IntArrayList.wrap(new int[] {3}), new Block[] {bigints(1)});
        for (int i = 0; i < 2; i++) {
            rowGroup = rowGroup.withRewritten(rowGroups.rewrite(rowGroup, onlyUpdated(schema, ImmutableList.of(B)), WriterOptions.DEFAULTS, ImmutableList.of(B), updates));
            assertThat(rowGroup.columnGroups()).hasSize(2);
            ColumnGroupInstance remaining = rowGroup.columnGroups().getFirst();
            assertThat(remaining).isEqualTo(new ColumnGroupInstance(old.id(), ImmutableList.of(1, 3), ImmutableList.of(2), old.dataBytes(), old.metadataBytes()));
            assertThat(remaining.currentBytes()).isCloseTo(remaining.bytes() * 2 / 3.0, within(0.001));
            assertThat(rowGroup.columnGroups().getLast().columnIds()).containsExactly(2);
            assertThat(rowGroup.bytes()).isGreaterThan(old.bytes());
        }
        assertThat(rowGroups.read(rowGroup, schema.columns()).get(2)).containsExactly(2L, 2L, 2L);
        assertThat(rowGroups.read(rowGroup, schema.columns()).get(3)).containsExactly(3L, 0L, 3L);
        assertThat(rowGroups.read(rowGroup, ImmutableList.of(C, A)).get(3)).containsExactly(3L, 3L);
        // the entry must name the columns of the files
        for (List<Integer> superseded : List.of(ImmutableList.<Integer>of(), ImmutableList.of(4), ImmutableList.of(2, 4))) {
            ColumnGroupInstance other = new ColumnGroupInstance(old.id(), ImmutableList.of(1, 3), superseded, old.dataBytes(), old.metadataBytes());
            RowGroup damaged = new RowGroup(rowGroup.id(), 10, ImmutableList.of(other), ImmutableList.of());
            assertThatThrownBy(() -> rowGroups.read(damaged, ImmutableList.of(A)))
                    .isInstanceOf(AlbisDataException.class)
                    .hasMessageContaining("it has 10 rows of columns [1, 2, 3] in")
                    .hasMessageContaining("but the table states 10 rows of columns [1, 3");
        }
        // the new files have all columns
        RowGroup all = rowGroup.withRewritten(rowGroups.rewrite(rowGroup, schema, WriterOptions.DEFAULTS, ImmutableList.of(B), updates));
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
            RowGroup rowGroup = rowGroups.delete(rowGroups.write(schema, WriterOptions.DEFAULTS.withSegmentBytes(1 << 14), new Page(bigints(count), bigints(count), values)), BitSet.valueOf(new long[] {0b0110}));
            int[] positions = IntStream.range(4, count).filter(_ -> random.nextInt(3) == 0).toArray();
            Block newValues = RandomNestedBlocks.randomBlock(random, nested.type(), positions.length, 0.2, 3);
            RowUpdates updates = new RowUpdates();
            updates.add(IntArrayList.wrap(positions), new Block[] {newValues});
            RowGroup updated = rowGroup.withRewritten(rowGroups.rewrite(rowGroup, schema, WriterOptions.DEFAULTS, ImmutableList.of(nested), updates));
            BlockEquality equality = new BlockEquality(_ -> true);
            try (RowGroupReader reader = RowGroupReader.open(rowGroups.fileSystem(), FOLDER, updated, RowGroupScan.of(ImmutableList.of(nested, B), TupleDomain.all()), ReaderOptions.DEFAULTS)) {
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
            rowGroups.fileSystem().deleteDirectory(FOLDER);
        }
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
        RowGroup rowGroup = rowGroups.write(schema, WriterOptions.DEFAULTS, new Page(bigints(10), RunLengthEncodedBlock.create(type.createNullBlock(), 10)));
        // 8 MB
        Block value = layout == AlbisLayout.ROW ? writeNativeValue(VARCHAR, Slices.allocate(1 << 23)) : writeNativeValue(type, RunLengthEncodedBlock.create(BIGINT, 1L, 1 << 20));
        for (int update = 0; update < 3; update++) {
            rowGroup = rowGroup.withRewritten(rowGroups.rewrite(rowGroup, schema, WriterOptions.DEFAULTS, ImmutableList.of(large), updates(value, 2 * update, 2 * update + 1)));
        }
        RowGroup before = rowGroup;
        List<Location> files = rowGroups.files();
        assertThatThrownBy(() -> rowGroups.rewrite(before, schema, WriterOptions.DEFAULTS, ImmutableList.of(large), updates(value, 6, 7)))
                .isInstanceOf(SegmentTooLargeException.class);
        assertThat(rowGroups.files()).isEqualTo(files);
        assertThat(rowGroups.read(rowGroup, ImmutableList.of(A))).hasSize(10);

        // other columns of the updated rows are read to write them as new rows
        ImmutableList.Builder<Page> pages = ImmutableList.builder();
        UpdatedRows.read(rowGroups.fileSystem(), FOLDER, rowGroups.delete(rowGroup, BitSet.valueOf(new long[] {0b1000})), schema.columns(), ImmutableList.of(large.id()), updates(value, 9, 4), (positions, columns) -> {
            assertThat(positions).containsExactly(4, 9);
            pages.add(new Page(columns));
        });
        Page rows = getOnlyElement(pages.build());
        assertThat(BIGINT.getLong(rows.getBlock(0), 1)).isEqualTo(9);
        assertThat(new BlockEquality(_ -> true).isEqual(type, rows.getBlock(1), 1, value, 0)).isTrue();
    }

    @Test
    void testUpdateOfDeletedRow()
            throws IOException
    {
        AlbisSchema schema = AlbisSchema.makeSchema(AlbisColumnGroup.make(A, B));
        RowGroup rowGroup = rowGroups.delete(rowGroups.write(schema, WriterOptions.DEFAULTS, new Page(bigints(10), bigints(10))), BitSet.valueOf(new long[] {0b1000}));
        List<Location> files = rowGroups.files();
        for (int[] positions : List.of(new int[] {3}, new int[] {10}, new int[] {5, 5})) {
            RowUpdates updates = new RowUpdates();
            updates.add(IntArrayList.wrap(positions), new Block[] {bigints(positions.length)});
            assertThatThrownBy(() -> rowGroups.rewrite(rowGroup, schema, WriterOptions.DEFAULTS, ImmutableList.of(B), updates))
                    .hasMessageMatching("the updated row at position 3 is deleted|1 of 1 updated rows are deleted or do not exist|the row at position 5 is updated twice");
            assertThat(rowGroups.files()).isEqualTo(files);
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
        RowGroup rowGroup = rowGroups.write(schema, WriterOptions.DEFAULTS, new Page(bigints(10), bigints(10), bigints(10)));
        rowGroups.fileSystem().deleteFile(rowGroup.dataFile(FOLDER, rowGroup.columnGroups().getFirst()));
        rowGroups.fileSystem().deleteFile(rowGroup.metadataFile(FOLDER, rowGroup.columnGroups().getFirst()));
        RowUpdates updates = new RowUpdates();
        updates.add(IntArrayList.wrap(IntStream.range(0, 10).toArray()), new Block[] {bigints(10)});
        RowGroup rewritten = rowGroups.rewrite(rowGroup, schema, WriterOptions.DEFAULTS, ImmutableList.of(B), updates);
        assertThat(getOnlyElement(rewritten.columnGroups()).columnIds()).containsExactly(B.id(), C.id());
        List<Location> files = rowGroups.files();
        rowGroups.fileSystem().deleteFile(rowGroup.dataFile(FOLDER, rowGroup.columnGroups().getLast()));
        assertThatThrownBy(() -> rowGroups.rewrite(rowGroup, schema, WriterOptions.DEFAULTS, ImmutableList.of(B), updates)).isInstanceOf(AlbisDataException.class);
        assertThat(rowGroups.files()).hasSize(files.size() - 1);
    }
}
