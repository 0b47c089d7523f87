package io.albis.table.optimize;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.DeletedRows;
import io.albis.format.metadata.PartitionValue;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.table.Warehouse;
import io.albis.table.model.PartitionField;
import io.albis.table.model.PartitionTransform;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.airlift.slice.Slices.utf8Slice;
import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.warehouse;
import static io.albis.table.model.PartitionTransform.DAY;
import static io.albis.table.model.PartitionTransform.IDENTITY;
import static io.albis.table.model.PartitionTransform.MONTH;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

class TestOptimizePlan
{
    private static final long TARGET = 1000;
    private static final AlbisColumn NAME = new AlbisColumn(2, "name", VARCHAR);

    @Test
    void testNothingToDo()
    {
        assertThat(plan()).isEmpty();
        // one small row group remains small
        assertThat(plan(rowGroup(10, 0))).isEmpty();
        assertThat(plan(rowGroup(750, 0), rowGroup(10, 0), rowGroup(1000, 0), rowGroup(5000, 0))).isEmpty();
        // no two fit together
        assertThat(plan(rowGroup(600, 0), rowGroup(500, 0), rowGroup(749, 0))).isEmpty();
    }

    @Test
    void testSmallRowGroups()
    {
        RowGroup a = rowGroup(300, 0);
        RowGroup b = rowGroup(300, 0);
        RowGroup full = rowGroup(900, 0);
        RowGroup c = rowGroup(400, 0);
        RowGroup d = rowGroup(100, 0);
        RowGroup e = rowGroup(740, 0);
        assertThat(plan(a, full, b, c, d, e)).containsExactly(
                new RewriteUnit(ImmutableList.of(a, b, c)),
                new RewriteUnit(ImmutableList.of(d, e)));
    }

    @Test
    void testDeletedRows()
    {
        RowGroup full = rowGroup(1000, 1);
        RowGroup half = rowGroup(1000, 50);
        RowGroup small = rowGroup(500, 0);
        assertThat(plan(full, half, small)).containsExactly(
                new RewriteUnit(ImmutableList.of(full)),
                new RewriteUnit(ImmutableList.of(half, small)));
        assertThat(new RewriteUnit(ImmutableList.of(half, small)).liveRows()).isEqualTo(150);
        // without any live row
        RowGroup empty = rowGroup(1000, 100);
        assertThat(plan(empty)).containsExactly(new RewriteUnit(ImmutableList.of(empty)));
    }

    /**
     * Files of which an UPDATE has written many columns again are like files with deleted rows.
     */
    @Test
    void testSupersededColumns()
    {
        RowGroup few = superseded(1000, 3);
        RowGroup many = superseded(1000, 4);
        assertThat(plan(few)).isEmpty();
        assertThat(plan(many)).containsExactly(new RewriteUnit(ImmutableList.of(many)));
        RowGroup small = rowGroup(300, 0);
        assertThat(plan(many, small)).containsExactly(new RewriteUnit(ImmutableList.of(many, small)));
        assertThat(new RewriteUnit(ImmutableList.of(many, small)).liveBytes()).isCloseTo(966.667, within(0.001));
        assertThat(new RewriteUnit(ImmutableList.of(many, small)).bytes()).isEqualTo(1300);
        assertThat(OptimizePlan.of(ImmutableList.of(few), TARGET, Long.MAX_VALUE, true).units()).hasSize(1);
    }

    /**
     * A row group with 12 columns in one file, of which some are superseded.
     */
    private static RowGroup superseded(long bytes, int columns)
    {
        List<Integer> ids = IntStream.rangeClosed(1, 12).boxed().toList();
        ColumnGroupInstance instance = new ColumnGroupInstance(UUID.randomUUID(), ids.subList(columns, 12), ids.subList(0, columns), bytes - bytes / 10, (int) bytes / 10);
        ColumnGroupInstance rewritten = new ColumnGroupInstance(UUID.randomUUID(), ids.subList(0, columns), 0, 0);
        return new RowGroup(UUID.randomUUID(), 100, ImmutableList.of(instance, rewritten), ImmutableList.of());
    }

    @Test
    void testRows()
    {
        List<RowGroup> rowGroups = ImmutableList.of(rowGroup(1, 0), rowGroup(1, 0), rowGroup(1, 0));
        assertThat(OptimizePlan.of(rowGroups, TARGET, 100, false).units()).isEmpty();
        assertThat(OptimizePlan.of(rowGroups, TARGET, 200, false).units()).containsExactly(new RewriteUnit(rowGroups.subList(0, 2)));
        assertThat(OptimizePlan.of(rowGroups, TARGET, 300, false).units()).containsExactly(new RewriteUnit(rowGroups));
        assertThatThrownBy(() -> OptimizePlan.of(rowGroups, TARGET, 0, false)).hasMessage("unitRows is not positive: 0");
        assertThatThrownBy(() -> OptimizePlan.of(rowGroups, 0, 1, false)).hasMessage("unitBytes is not positive: 0");
    }

    @Test
    void testAll()
    {
        List<RowGroup> rowGroups = ImmutableList.of(rowGroup(1000, 0), rowGroup(300, 0), rowGroup(900, 0), rowGroup(200, 0), rowGroup(600, 0));
        assertThat(OptimizePlan.of(rowGroups, TARGET, Long.MAX_VALUE, true).units()).containsExactly(
                new RewriteUnit(ImmutableList.of(rowGroups.get(0))),
                new RewriteUnit(ImmutableList.of(rowGroups.get(1), rowGroups.get(3))),
                new RewriteUnit(ImmutableList.of(rowGroups.get(2))),
                new RewriteUnit(ImmutableList.of(rowGroups.get(4))));
    }

    /**
     * Full row groups are sorted together, but not all row groups of a large table.
     */
    @Test
    void testSorted()
    {
        List<RowGroup> rowGroups = new ArrayList<>();
        for (int i = 0; i < 70; i++) {
            rowGroups.add(rowGroup(120 << 20, 0));
        }
        List<PartitionField> day = ImmutableList.of(new PartitionField(1, DAY, 0));
        RowGroup a = inPartition(DAY, 1);
        RowGroup b = inPartition(DAY, 2);
        assertThat(OptimizePlan.sorted(rowGroups, ImmutableList.of(), 120 << 20).units()).extracting(unit -> unit.rowGroups().size()).containsExactly(26, 26, 18);
        assertThat(OptimizePlan.sorted(rowGroups, ImmutableList.of(), 1L << 40).units()).extracting(unit -> unit.rowGroups().size()).containsExactly(70);
        assertThat(OptimizePlan.sorted(rowGroups.subList(0, 1), ImmutableList.of(), 1L << 40).units()).hasSize(1);
        assertThat(OptimizePlan.sorted(ImmutableList.of(a, b, a), day, 300).units()).extracting(unit -> unit.rowGroups().size()).containsExactly(2, 1);
    }

    @Test
    void testVeryManyRowGroups()
    {
        List<RowGroup> rowGroups = new ArrayList<>();
        for (int i = 0; i < 2500; i++) {
            rowGroups.add(rowGroup(1, 0));
        }
        assertThat(OptimizePlan.of(rowGroups, 1 << 30, Long.MAX_VALUE, false).units()).extracting(unit -> unit.rowGroups().size()).containsExactly(1000, 1000, 500);
        rowGroups.replaceAll(_ -> rowGroup(600, 0));
        assertThat(OptimizePlan.of(rowGroups, TARGET, Long.MAX_VALUE, false).units()).isEmpty();
    }

    /**
     * The results of an optimization have the sizes that the plan expects, and another plan has nothing to do.
     */
    @Test
    void testAnotherPlanIsEmpty()
    {
        Random random = new Random(7);
        for (int round = 0; round < 1000; round++) {
            List<RowGroup> rowGroups = new ArrayList<>();
            int count = random.nextInt(30);
            int max = 1 + random.nextInt(1500);
            for (int i = 0; i < count; i++) {
                rowGroups.add(rowGroup(1 + random.nextInt(max), random.nextInt(3) == 0 ? random.nextInt(101) : 0));
            }
            OptimizePlan plan = OptimizePlan.of(rowGroups, TARGET, Long.MAX_VALUE, false);
            Set<UUID> replaced = new HashSet<>(plan.rowGroupIds());
            assertThat(plan.units().stream().mapToInt(unit -> unit.rowGroups().size()).sum()).isEqualTo(replaced.size());
            List<RowGroup> after = new ArrayList<>(rowGroups.stream().filter(rowGroup -> !replaced.contains(rowGroup.id())).collect(toImmutableList()));
            assertThat(after).allMatch(rowGroup -> rowGroup.deletedRows().isEmpty());
            for (RewriteUnit unit : plan.units()) {
                long bytes = 0;
                for (RowGroup rowGroup : unit.rowGroups()) {
                    bytes += rowGroup.bytes() * rowGroup.liveRows() / rowGroup.rows();
                }
                assertThat(unit.rowGroups().size() == 1 || bytes <= TARGET).isTrue();
                if (unit.liveRows() > 0) {
                    after.add(rowGroup(Math.max(bytes, 1), 0));
                }
            }
            assertThat(after.size()).isLessThanOrEqualTo(rowGroups.size());
            // rounding of the sizes above can make two row groups fit that did not fit before
            assertThat(OptimizePlan.of(after, TARGET - 30, Long.MAX_VALUE, false).units()).isEmpty();
        }
    }

    /**
     * Only row groups of the same partition are put together.
     */
    @Test
    void testPartitions()
    {
        List<PartitionField> day = ImmutableList.of(new PartitionField(1, DAY, 0));
        RowGroup a = inPartition(DAY, 1);
        RowGroup b = inPartition(DAY, 2);
        RowGroup c = inPartition(DAY, 1);
        RowGroup alone = inPartition(DAY, 3);
        RowGroup month = inPartition(MONTH, 1);
        RowGroup none = rowGroup(900, 0);
        RowGroup d = inPartition(DAY, 2);
        assertThat(OptimizePlan.of(ImmutableList.of(a, b, c, alone, d), day, TARGET, Long.MAX_VALUE, false).units())
                .containsExactly(new RewriteUnit(ImmutableList.of(a, c)), new RewriteUnit(ImmutableList.of(b, d)));
        assertThat(OptimizePlan.of(ImmutableList.of(a, month, none, alone), day, TARGET, Long.MAX_VALUE, false).units())
                .containsExactly(new RewriteUnit(ImmutableList.of(month)), new RewriteUnit(ImmutableList.of(none)));
        assertThat(OptimizePlan.of(ImmutableList.of(a, b, c), day, TARGET, Long.MAX_VALUE, true).units())
                .containsExactly(new RewriteUnit(ImmutableList.of(a, c)), new RewriteUnit(ImmutableList.of(b)));
        // an update in place of the column
        RowGroup rewritten = a.withRewritten(new RowGroup(a.id(), 100, ImmutableList.of(new ColumnGroupInstance(UUID.randomUUID(), ImmutableList.of(1), 1, 0)), ImmutableList.of()));
        assertThat(rewritten.partition()).isEmpty();
        RowGroup other = a.withRewritten(new RowGroup(a.id(), 100, ImmutableList.of(new ColumnGroupInstance(UUID.randomUUID(), ImmutableList.of(2), 1, 0)), ImmutableList.of()));
        assertThat(other.partition()).isEqualTo(a.partition());
    }

    /**
     * The name has no bounds, so only the partitions exclude row groups.
     */
    @Test
    void testPredicateOnPartitions()
    {
        Warehouse warehouse = warehouse(new MemoryFileSystem());
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        RowGroup first = named("a");
        RowGroup second = named("a");
        RowGroup unknown = oneRow();
        AlbisTable table = createTable(warehouse, "s", "t", first, named("b"), unknown, second, named("c"));
        TupleDomain<AlbisColumn> predicate = TupleDomain.withColumnDomains(ImmutableMap.of(NAME, Domain.singleValue(VARCHAR, utf8Slice("a"))));
        assertThat(OptimizePlan.of(table, predicate, TARGET, Long.MAX_VALUE, true).rowGroupIds()).containsExactlyInAnyOrder(first.id(), second.id(), unknown.id());
        assertThat(OptimizePlan.of(table, TupleDomain.all(), TARGET, Long.MAX_VALUE, true).rowGroupIds()).hasSize(5);
        assertThat(OptimizePlan.of(table, TupleDomain.none(), TARGET, Long.MAX_VALUE, true).units()).isEmpty();
    }

    private static RowGroup named(String name)
    {
        return oneRow().withPartition(ImmutableList.of(new PartitionValue(NAME.id(), IDENTITY.code(), 0, Optional.of(name.getBytes(UTF_8)))));
    }

    private static RowGroup inPartition(PartitionTransform transform, int value)
    {
        return rowGroup(300, 0).withPartition(ImmutableList.of(new PartitionValue(1, transform.code(), 0, Optional.of(new byte[] {(byte) value}))));
    }

    private static List<RewriteUnit> plan(RowGroup... rowGroups)
    {
        return OptimizePlan.of(ImmutableList.copyOf(rowGroups), TARGET, Long.MAX_VALUE, false).units();
    }

    /**
     * A row group with 100 rows. Its files do not exist.
     */
    private static RowGroup rowGroup(long bytes, long deletedRows)
    {
        RowGroup rowGroup = new RowGroup(
                UUID.randomUUID(),
                100,
                ImmutableList.of(new ColumnGroupInstance(UUID.randomUUID(), ImmutableList.of(1), bytes, 0)),
                ImmutableList.of());
        return deletedRows == 0 ? rowGroup : rowGroup.withDeletedRows(new DeletedRows(UUID.randomUUID(), 1000, 100, 0, deletedRows));
    }
}
