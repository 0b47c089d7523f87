package io.albis.format;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.format.run.Compression;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.schema.RowGroupSchema;
import io.albis.format.update.ColumnRewriter;
import io.albis.format.update.RewritePlan;
import io.albis.format.update.RowUpdates;
import io.albis.format.write.RollingRowGroupWriter;
import io.albis.format.write.WriterOptions;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.block.LongArrayBlock;
import io.trino.spi.type.ArrayType;
import io.trino.spi.type.Type;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.Iterables.getOnlyElement;
import static io.airlift.slice.Slices.utf8Slice;
import static io.albis.format.run.Compression.LZ4;
import static io.albis.format.run.Compression.ZSTD;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

/**
 * An update of some columns writes few others.
 */
class TestRewritePlan
{
    private static final Location FOLDER = Location.of("memory:///table");
    private static final int ROWS = 5000;
    private static final WriterOptions OPTIONS = WriterOptions.DEFAULTS.withDictionaries(false);

    private final TrinoFileSystem fileSystem = new MemoryFileSystem();
    private final Random random = new Random(11);

    @ParameterizedTest
    @EnumSource
    void testSizes(AlbisLayout layout)
            throws IOException
    {
        AlbisColumn wide = AlbisColumn.make(1, "wide", BIGINT);
        AlbisColumn narrow = AlbisColumn.make(2, "narrow", INTEGER);
        AlbisColumn text = AlbisColumn.make(3, "text", VARCHAR);
        RowGroupSchema schema = new RowGroupSchema(ImmutableList.of(wide, narrow, text), ImmutableList.of(AlbisColumnGroup.make(layout, wide, narrow, text)));
        RowGroup rowGroup = write(schema, OPTIONS, numbers(BIGINT), numbers(INTEGER), texts());
        long perRow = layout == AlbisLayout.ROW ? 8 : 1;
        assertThat(plan(rowGroup, schema, wide).bytes()).isCloseTo(8 * ROWS, withPercentage(5));
        assertThat(plan(rowGroup, schema, narrow).bytes()).isCloseTo(4 * ROWS, withPercentage(5));
        assertThat(plan(rowGroup, schema, wide, narrow).bytes()).isCloseTo(12 * ROWS, withPercentage(5));
        // the others are less than a quarter
        RewritePlan ofText = plan(rowGroup, schema, text);
        assertThat(getOnlyElement(ofText.columnGroups())).isEqualTo(schema.columnGroups().getFirst());
        assertThat(ofText.bytes()).isCloseTo((112 + perRow) * ROWS, withPercentage(5)).isCloseTo(rowGroup.bytes(), withPercentage(5));
        assertThat(plan(rowGroup, schema, wide, narrow, text).bytes()).isEqualTo(rowGroup.bytes());
    }

    /**
     * An index belongs to its column.
     */
    @ParameterizedTest
    @EnumSource
    void testIndex(AlbisLayout layout)
            throws IOException
    {
        List<AlbisColumn> columns = columns(3);
        AlbisColumn indexed = columns.get(1);
        RowGroupSchema schema = new RowGroupSchema(columns, ImmutableList.of(AlbisColumnGroup.make(layout, columns)));
        Block[] blocks = {numbers(BIGINT), numbers(BIGINT), numbers(BIGINT)};
        long indexBytes = write(schema, OPTIONS.withIndexedColumns(ImmutableSet.of(indexed.id())), blocks).bytes() - write(schema, OPTIONS, blocks).bytes();
        assertThat(indexBytes).isGreaterThan(8 * ROWS);
        RowGroup rowGroup = write(schema, OPTIONS.withIndexedColumns(ImmutableSet.of(indexed.id())), blocks);
        assertThat(plan(rowGroup, schema, columns.getFirst()).bytes()).isCloseTo(8 * ROWS, withPercentage(5));
        assertThat(plan(rowGroup, schema, indexed).bytes()).isCloseTo(8 * ROWS + indexBytes, withPercentage(5));
        assertThat(plan(rowGroup, schema, columns.get(0), columns.get(2)).bytes()).isCloseTo(16 * ROWS, withPercentage(5));
    }

    @Test
    void testCompressedRows()
            throws IOException
    {
        List<AlbisColumn> columns = columns(4);
        RowGroupSchema schema = new RowGroupSchema(columns, ImmutableList.of(AlbisColumnGroup.make(AlbisLayout.ROW, columns)));
        Block zeros = new LongArrayBlock(ROWS, Optional.empty(), new long[ROWS]);
        RowGroup rowGroup = write(schema, OPTIONS.withCompression(ZSTD), zeros, zeros, zeros, zeros);
        assertThat(rowGroup.bytes()).isLessThan(ROWS);
        assertThat(plan(rowGroup, schema, columns.getFirst()).bytes()).isCloseTo(rowGroup.bytes() / 4, withPercentage(5));
    }

    @Test
    void testNestedColumn()
            throws IOException
    {
        Type type = new ArrayType(BIGINT);
        AlbisColumn nested = AlbisColumn.make(1, "nested", type);
        AlbisColumn number = AlbisColumn.make(2, "number", BIGINT);
        RowGroupSchema schema = new RowGroupSchema(ImmutableList.of(nested, number), ImmutableList.of(AlbisColumnGroup.make(nested, number)));
        BlockBuilder arrays = type.createBlockBuilder(null, ROWS);
        for (int row = 0; row < ROWS; row++) {
            type.writeObject(arrays, numbers(BIGINT).getRegion(0, 2));
        }
        RowGroup rowGroup = write(schema, OPTIONS, arrays.build(), numbers(BIGINT));
        assertThat(plan(rowGroup, schema, nested).bytes()).isCloseTo(16 * ROWS, withPercentage(5));
        assertThat(plan(rowGroup, schema, number).bytes()).isCloseTo(8 * ROWS, withPercentage(5));
    }

    /**
     * The new files are grouped as in the table, with its layouts and compressions.
     */
    @Test
    void testGroupsOfTable()
            throws IOException
    {
        List<AlbisColumn> columns = columns(5);
        AlbisColumn a = columns.get(0);
        AlbisColumn b = columns.get(1);
        AlbisColumn c = columns.get(2);
        AlbisColumn d = columns.get(3);
        AlbisColumn added = columns.get(4);
        RowGroup rowGroup = write(new RowGroupSchema(columns.subList(0, 4), ImmutableList.of(AlbisColumnGroup.make(a, b, c, d))), OPTIONS, numbers(BIGINT), numbers(BIGINT), numbers(BIGINT), numbers(BIGINT));
        RowGroupSchema table = new RowGroupSchema(columns, ImmutableList.of(AlbisColumnGroup.make(a), AlbisColumnGroup.make(AlbisLayout.ROW, b, c), AlbisColumnGroup.make(d, added)));
        List<Compression> compressions = ImmutableList.of(LZ4, ZSTD, Compression.NONE);
        RewritePlan plan = RewritePlan.of(fileSystem, FOLDER, rowGroup, table, OPTIONS.withColumnGroupCompressions(compressions), ImmutableList.of(c.id(), added.id(), a.id()));
        assertThat(plan.columnGroups()).containsExactly(AlbisColumnGroup.make(a), AlbisColumnGroup.make(AlbisLayout.ROW, c), AlbisColumnGroup.make(added));
        assertThat(plan.options().columnGroupCompressions()).isEqualTo(compressions);
        assertThat(plan.bytes()).isCloseTo(16 * ROWS, withPercentage(5));
        RewritePlan onlyAdded = RewritePlan.of(fileSystem, FOLDER, rowGroup, table, OPTIONS, ImmutableList.of(added.id()));
        assertThat(getOnlyElement(onlyAdded.columnGroups())).isEqualTo(AlbisColumnGroup.make(added));
        assertThat(onlyAdded.bytes()).isZero();
        // a column that was dropped is not written
        RowGroupSchema withoutA = new RowGroupSchema(columns.subList(1, 5), table.columnGroups().subList(1, 3));
        assertThat(plan(rowGroup, withoutA, b, c, d).columnGroups()).containsExactly(AlbisColumnGroup.make(AlbisLayout.ROW, b, c), AlbisColumnGroup.make(d));
        assertThat(plan(rowGroup, withoutA, b, c, d).bytes()).isCloseTo(24 * ROWS, withPercentage(5));
    }

    /**
     * Many updates do not leave many files, nor files of which only a few bytes are read.
     */
    @ParameterizedTest
    @EnumSource
    void testManyUpdates(AlbisLayout layout)
            throws IOException
    {
        List<AlbisColumn> columns = columns(12);
        RowGroupSchema schema = new RowGroupSchema(columns, ImmutableList.of(AlbisColumnGroup.make(layout, columns)));
        RowGroup rowGroup = write(schema, OPTIONS, IntStream.range(0, 12).mapToObj(_ -> numbers(BIGINT)).toArray(Block[]::new));
        long bytes = rowGroup.bytes();
        int mostGroups = 0;
        for (int i = 0; i < 100; i++) {
            List<AlbisColumn> updated = new ArrayList<>(columns);
            Collections.shuffle(updated, random);
            // decreasing parts of the same columns would otherwise leave the most files
            updated = i < 12 ? columns.subList(i, 12) : updated.subList(0, 1 + random.nextInt(random.nextInt(12) + 1));
            RewritePlan plan = plan(rowGroup, schema, updated.toArray(AlbisColumn[]::new));
            RowUpdates updates = new RowUpdates();
            updates.add(IntArrayList.of(i), IntStream.range(0, updated.size()).mapToObj(_ -> numbers(BIGINT).getRegion(0, 1)).toArray(Block[]::new));
            RowGroup rewritten = ColumnRewriter.rewrite(fileSystem, FOLDER, rowGroup, plan.columnGroups(), plan.options(), updated.stream().map(AlbisColumn::id).toList(), updates, UUID::randomUUID);
            // a row of one column has a byte for nulls
            assertThat(plan.bytes()).isCloseTo(rewritten.bytes(), withPercentage(15));
            rowGroup = rowGroup.withRewritten(rewritten);
            assertThat(rowGroup.columnIds()).hasSize(12).doesNotHaveDuplicates();
            assertThat(rowGroup.bytes()).isLessThan(4 * bytes + bytes / 4);
            assertThat(rowGroup.currentBytes()).isCloseTo(bytes, withPercentage(15));
            mostGroups = Math.max(mostGroups, rowGroup.columnGroups().size());
        }
        assertThat(mostGroups).isBetween(3, 12);
        ColumnGroupInstance first = rowGroup.columnGroups().getFirst();
        assertThat(plan(rowGroup, schema, columns.toArray(AlbisColumn[]::new)).columnGroups()).isEqualTo(schema.columnGroups());
        assertThat(rowGroup.columnGroup(first.columnIds().getLast())).contains(first);
    }

    private RewritePlan plan(RowGroup rowGroup, RowGroupSchema schema, AlbisColumn... updated)
            throws IOException
    {
        return RewritePlan.of(fileSystem, FOLDER, rowGroup, schema, OPTIONS, ImmutableList.copyOf(updated).stream().map(AlbisColumn::id).collect(toImmutableList()));
    }

    private static List<AlbisColumn> columns(int count)
    {
        return IntStream.rangeClosed(1, count).mapToObj(id -> AlbisColumn.make(id, "c" + id, BIGINT)).collect(toImmutableList());
    }

    private Block numbers(Type type)
    {
        BlockBuilder builder = type.createBlockBuilder(null, ROWS);
        for (int row = 0; row < ROWS; row++) {
            type.writeLong(builder, type == BIGINT ? random.nextLong() : random.nextInt());
        }
        return builder.build();
    }

    private static Block texts()
    {
        BlockBuilder builder = VARCHAR.createBlockBuilder(null, ROWS);
        for (int row = 0; row < ROWS; row++) {
            VARCHAR.writeSlice(builder, utf8Slice("%0100d".formatted(row)));
        }
        return builder.build();
    }

    private RowGroup write(RowGroupSchema schema, WriterOptions options, Block... blocks)
            throws IOException
    {
        RollingRowGroupWriter writer = new RollingRowGroupWriter(fileSystem, FOLDER, schema, options);
        writer.append(new Page(blocks));
        return getOnlyElement(writer.finish());
    }
}
