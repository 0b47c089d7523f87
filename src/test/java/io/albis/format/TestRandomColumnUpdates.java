package io.albis.format;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.DynamicSliceOutput;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.RowGroupCodec;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.update.RewritePlan;
import io.albis.format.update.RowUpdates;
import io.albis.format.write.WriterOptions;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import static io.albis.format.RandomDeletes.randomPositions;
import static io.albis.format.RandomTables.randomSchema;
import static io.albis.format.RandomTables.shapedBlock;
import static io.albis.format.RowValues.rows;
import static io.albis.format.UpdatedRowGroups.FOLDER;
import static io.albis.format.UpdatedRowGroups.affected;
import static io.albis.format.UpdatedRowGroups.ids;
import static io.albis.format.UpdatedRowGroups.onlyUpdated;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random updates and deletes of a row group, compared with a model.
 */
final class TestRandomColumnUpdates
{
    private final UpdatedRowGroups rowGroups = new UpdatedRowGroups();

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
        RowGroup rowGroup = rowGroups.write(schema, options, page);
        List<List<Object>> expected = new ArrayList<>(rows(ImmutableList.of(page), schema.columns()));

        // several updates and deletes of the same row group, one after the other
        BitSet deleted = new BitSet();
        int kept = random.nextInt(count);
        for (int i = 0; i < 3; i++) {
            deleted.or(randomPositions(random, count));
            deleted.clear(kept);
            rowGroup = rowGroups.delete(rowGroup, deleted);
            List<AlbisColumn> updated = new ArrayList<>(schema.columns());
            Collections.shuffle(updated, random);
            updated = updated.subList(0, 1 + random.nextInt(updated.size()));
            RowUpdates updates = new RowUpdates();
            update(random, randomPositions(random, count), deleted, updated, schema, updates, expected);
            List<AlbisColumnGroup> written = switch (random.nextInt(3)) {
                case 0 -> affected(schema, updated);
                case 1 -> onlyUpdated(schema, updated);
                default -> RewritePlan.of(rowGroups.fileSystem(), FOLDER, rowGroup, schema.rowGroupSchema(), options, ids(updated)).columnGroups();
            };
            RowGroup rewritten = rowGroups.rewrite(rowGroup, written, options, updated, updates);
            assertThat(rewritten.id()).isEqualTo(rowGroup.id());
            RowGroup before = rowGroup;
            rowGroup = encodeAndDecode(rowGroup.withRewritten(rewritten));
            assertThat(rowGroup.columnIds()).as(description).containsExactlyInAnyOrderElementsOf(before.columnIds());
            assertOtherColumnsRemain(before, rowGroup, rewritten.columnIds());
            assertThat(rowGroups.read(rowGroup, schema.columns())).as(description).isEqualTo(live(expected, deleted));
        }
        rowGroups.fileSystem().deleteDirectory(FOLDER);
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

    private static List<List<Object>> live(List<List<Object>> rows, BitSet deleted)
    {
        return IntStream.range(0, rows.size())
                .filter(row -> !deleted.get(row))
                .mapToObj(rows::get)
                .toList();
    }
}
