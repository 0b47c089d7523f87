package io.albis.table.optimize;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.PartitionValue;
import io.albis.format.metadata.RowGroup;
import io.albis.format.run.Compression;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.RowGroupSchema;
import io.albis.format.update.RewritePlan;
import io.albis.format.write.WriterOptions;
import io.albis.table.Warehouse;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.airlift.slice.Slices.utf8Slice;
import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.warehouse;
import static io.albis.table.model.PartitionTransform.IDENTITY;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Collections.nCopies;
import static org.assertj.core.api.Assertions.assertThat;

final class TestColumnRewritePlan
{
    private static final AlbisColumn A = AlbisColumn.make(1, "a", BIGINT);
    private static final AlbisColumn B = AlbisColumn.make(2, "b", BIGINT);
    private static final AlbisColumn C = AlbisColumn.make(3, "c", BIGINT);
    private static final int DROPPED = 9;
    private static final RowGroupSchema SCHEMA = new RowGroupSchema(ImmutableList.of(A, B, C), ImmutableList.of(AlbisColumnGroup.make(A, B), AlbisColumnGroup.make(C)));
    private static final WriterOptions OPTIONS = WriterOptions.DEFAULTS.withColumnGroupCompressions(nCopies(2, Compression.NONE));

    @Test
    void testWrittenColumnGroups()
    {
        assertThat(written(rowGroup(group(1, 2), group(3)), false)).isEmpty();
        // the order of the columns does not matter
        assertThat(written(rowGroup(group(3), group(2, 1)), false)).isEmpty();
        assertThat(written(rowGroup(group(1, 2), group(3)), true)).containsExactly(ImmutableList.of(1, 2), ImmutableList.of(3));
        assertThat(written(rowGroup(group(1, 2, 3)), false)).containsExactly(ImmutableList.of(1, 2), ImmutableList.of(3));
        assertThat(written(rowGroup(group(1), group(2), group(3)), false)).containsExactly(ImmutableList.of(1, 2));
        // columns that the row group does not store
        assertThat(written(rowGroup(group(1)), false)).isEmpty();
        assertThat(written(rowGroup(group(1, 3)), false)).containsExactly(ImmutableList.of(1), ImmutableList.of(3));
        // columns that the table does not have any more are removed
        assertThat(written(rowGroup(group(1, 2, DROPPED), group(3)), false)).containsExactly(ImmutableList.of(1, 2));
        assertThat(written(rowGroup(group(DROPPED)), true)).isEmpty();
        // an update in place has left this
        ColumnGroupInstance superseded = new ColumnGroupInstance(UUID.randomUUID(), ImmutableList.of(1, 3), ImmutableList.of(2), 9000, 0);
        assertThat(written(rowGroup(superseded, group(2)), false)).containsExactly(ImmutableList.of(1, 2), ImmutableList.of(3));
    }

    /**
     * Columns are written together with the others of their files, in the groups of the table.
     */
    @Test
    void testWrittenColumns()
    {
        assertThat(written(rowGroup(group(1, 2), group(3)), 1)).containsExactly(ImmutableList.of(1, 2));
        assertThat(written(rowGroup(group(1), group(2), group(3)), 1)).containsExactly(ImmutableList.of(1));
        assertThat(written(rowGroup(group(1), group(2), group(3)), 1, 3)).containsExactly(ImmutableList.of(1), ImmutableList.of(3));
        assertThat(written(rowGroup(group(2, 3), group(1)), 3)).containsExactly(ImmutableList.of(2), ImmutableList.of(3));
        // columns that the row group does not store, or that the table does not have any more
        assertThat(written(rowGroup(group(1, 2)), 3)).isEmpty();
        assertThat(written(rowGroup(group(1, DROPPED)), 1)).containsExactly(ImmutableList.of(1));
        // an update in place has left this
        ColumnGroupInstance superseded = new ColumnGroupInstance(UUID.randomUUID(), ImmutableList.of(1, 3), ImmutableList.of(2), 9000, 0);
        assertThat(written(rowGroup(superseded, group(2)), 2)).containsExactly(ImmutableList.of(2));
        assertThat(written(rowGroup(superseded, group(2)), 3)).containsExactly(ImmutableList.of(1), ImmutableList.of(3));
    }

    @Test
    void testUnits()
    {
        List<RowGroup> rowGroups = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            rowGroups.add(rowGroup(group(1, 2, 3)));
            rowGroups.add(rowGroup(group(1, 2), group(3)));
        }
        // each row group that is written has 9,000 bytes
        OptimizePlan plan = plan(rowGroups, 30_000, false);
        assertThat(plan.units()).extracting(unit -> unit.rowGroups().size()).containsExactly(3, 3, 3, 1);
        assertThat(plan.rowGroupIds()).hasSize(10);
        // a row group that is larger than a unit should be
        assertThat(plan(rowGroups, WriterOptions.MIN_ROW_GROUP_BYTES, false).units()).hasSize(10);
        assertThat(plan(rowGroups, 1L << 40, true).units()).hasSize(1);
        assertThat(plan(nCopies(2500, rowGroup(group(1, 2, 3))), 1L << 40, false).units()).extracting(unit -> unit.rowGroups().size()).containsExactly(1000, 1000, 500);
        assertThat(plan(ImmutableList.of(), WriterOptions.MIN_ROW_GROUP_BYTES, true).units()).isEmpty();
    }

    /**
     * After the plan has been carried out, there is nothing left to do, and no column is lost.
     */
    @Test
    void testRandomRowGroups()
    {
        long seed = new Random().nextLong();
        System.out.println("Regroupings from seed " + seed);
        Random random = new Random(seed);
        for (int i = 0; i < 2000; i++) {
            int count = 1 + random.nextInt(8);
            List<AlbisColumn> columns = new ArrayList<>();
            for (int column = 1; column <= count; column++) {
                columns.add(AlbisColumn.make(column, "c" + column, BIGINT));
            }
            RowGroupSchema schema = new RowGroupSchema(columns, partition(columns, random).stream()
                    .map(group -> AlbisColumnGroup.make(group.toArray(AlbisColumn[]::new)))
                    .collect(toImmutableList()));
            // some columns are not stored, and some are dropped
            List<Integer> stored = new ArrayList<>();
            for (int column = 1; column <= count + 2; column++) {
                if (random.nextInt(4) > 0) {
                    stored.add(column);
                }
            }
            if (stored.isEmpty()) {
                continue;
            }
            RowGroup rowGroup = rowGroup(partition(stored, random).stream()
                    .map(group -> new ColumnGroupInstance(UUID.randomUUID(), group, 10, 5))
                    .toArray(ColumnGroupInstance[]::new));
            WriterOptions options = WriterOptions.DEFAULTS.withColumnGroupCompressions(nCopies(schema.columnGroups().size(), Compression.NONE));
            RewritePlan plan = RewritePlan.ofGrouping(rowGroup, schema, options, random.nextInt(5) == 0);
            RowGroup after = rowGroup;
            if (!plan.columnGroups().isEmpty()) {
                after = rowGroup.withRewritten(new RowGroup(rowGroup.id(), rowGroup.rows(), plan.columnGroups().stream()
                        .map(group -> new ColumnGroupInstance(UUID.randomUUID(), ids(group), 10, 5))
                        .collect(toImmutableList()), ImmutableList.of()));
            }
            assertThat(after.columnIds()).as("seed %s", seed).containsExactlyInAnyOrderElementsOf(rowGroup.columnIds());
            assertThat(RewritePlan.ofGrouping(after, schema, options, false).columnGroups()).as("seed %s", seed).isEmpty();
            for (AlbisColumnGroup group : schema.columnGroups()) {
                Set<UUID> instances = new HashSet<>();
                for (AlbisColumn column : group.columns()) {
                    after.columnGroup(column.id()).ifPresent(instance -> instances.add(instance.id()));
                }
                assertThat(instances).as("seed %s", seed).hasSizeLessThanOrEqualTo(1);
            }
        }
    }

    /**
     * The name has no bounds, so only the partitions exclude row groups.
     */
    @Test
    void testPredicateOnPartitions()
    {
        Warehouse warehouse = warehouse(new MemoryFileSystem());
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        AlbisColumn name = new AlbisColumn(2, "name", VARCHAR);
        RowGroup first = named("a");
        RowGroup second = named("a");
        RowGroup unknown = oneRow();
        AlbisTable table = createTable(warehouse, "s", "t", first, named("b"), unknown, second, named("c"));
        TupleDomain<AlbisColumn> predicate = TupleDomain.withColumnDomains(ImmutableMap.of(name, Domain.singleValue(VARCHAR, utf8Slice("a"))));
        assertThat(ColumnRewritePlan.of(table, predicate, 1, rowGroup -> RewritePlan.ofGrouping(rowGroup, SCHEMA, OPTIONS, true)).rowGroupIds())
                .containsExactlyInAnyOrder(first.id(), second.id(), unknown.id());
    }

    private static RowGroup named(String name)
    {
        return oneRow().withPartition(ImmutableList.of(new PartitionValue(2, IDENTITY.code(), 0, Optional.of(name.getBytes(UTF_8)))));
    }

    private static <T> List<List<T>> partition(List<T> elements, Random random)
    {
        List<T> shuffled = new ArrayList<>(elements);
        Collections.shuffle(shuffled, random);
        List<List<T>> parts = new ArrayList<>();
        int first = 0;
        while (first < shuffled.size()) {
            int end = first + 1 + random.nextInt(shuffled.size() - first);
            parts.add(ImmutableList.copyOf(shuffled.subList(first, end)));
            first = end;
        }
        return parts;
    }

    private static OptimizePlan plan(List<RowGroup> rowGroups, long maxUnitBytes, boolean all)
    {
        return ColumnRewritePlan.of(rowGroups, maxUnitBytes, rowGroup -> RewritePlan.ofGrouping(rowGroup, SCHEMA, OPTIONS, all));
    }

    private static List<List<Integer>> written(RowGroup rowGroup, boolean all)
    {
        return written(RewritePlan.ofGrouping(rowGroup, SCHEMA, OPTIONS, all));
    }

    private static List<List<Integer>> written(RowGroup rowGroup, Integer... columns)
    {
        return written(RewritePlan.ofColumns(rowGroup, SCHEMA, OPTIONS, ImmutableList.copyOf(columns)));
    }

    private static List<List<Integer>> written(RewritePlan plan)
    {
        return plan.columnGroups().stream()
                .map(TestColumnRewritePlan::ids)
                .collect(toImmutableList());
    }

    private static List<Integer> ids(AlbisColumnGroup group)
    {
        return group.columns().stream().map(AlbisColumn::id).collect(toImmutableList());
    }

    private static ColumnGroupInstance group(Integer... columns)
    {
        return new ColumnGroupInstance(UUID.randomUUID(), ImmutableList.copyOf(columns), 3000L * columns.length, 0);
    }

    private static RowGroup rowGroup(ColumnGroupInstance... columnGroups)
    {
        return new RowGroup(UUID.randomUUID(), 10, ImmutableList.copyOf(columnGroups), ImmutableList.of());
    }
}
