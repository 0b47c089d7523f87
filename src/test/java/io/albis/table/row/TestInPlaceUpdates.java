package io.albis.table.row;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.format.delete.DeletedPositions;
import io.albis.format.delete.DeletesWriter;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.table.HookedFileSystem;
import io.albis.table.HookedFileSystem.Hook;
import io.albis.table.HookedFileSystem.Kind;
import io.albis.table.Warehouse;
import io.albis.table.alter.SchemaChange.DropColumn;
import io.albis.table.model.IsolationLevel;
import io.albis.table.model.TableColumnGroup;
import io.albis.table.model.TableDefinition;
import io.albis.table.model.TableRows;
import io.albis.table.row.ReadSet.Scan;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import static com.google.common.collect.Iterables.getOnlyElement;
import static io.albis.format.schema.AlbisLayout.BLOCK;
import static io.albis.format.statistics.ValueOrder.CONSTANT;
import static io.albis.table.TableFixtures.DEFINITION;
import static io.albis.table.TableFixtures.assertRefused;
import static io.albis.table.TableFixtures.assertSketches;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.warehouse;
import static io.albis.table.model.IsolationLevel.SERIALIZABLE;
import static io.albis.table.model.IsolationLevel.SNAPSHOT;
import static io.albis.table.model.TableException.Reason.CONFLICT;
import static io.albis.table.model.TableOperation.DELETE;
import static io.albis.table.model.TableOperation.OVERWRITE;
import static io.trino.spi.type.BigintType.BIGINT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Commits that replace column groups of row groups.
 */
class TestInPlaceUpdates
{
    private static final int ID = 1;
    private static final int NAME = 2;
    private static final List<TableColumnGroup> TOGETHER = ImmutableList.of(new TableColumnGroup(BLOCK, ImmutableList.of(ID, NAME)));
    private static final ReadSet ALL_ROWS = ReadSet.wholeTable();
    private static final ReadSet ROW_BY_ROW = ReadSet.ofUpdate(Scan.of(TupleDomain.all()));
    private static final ReadSet BY_ID = ReadSet.ofDelete(new Scan(TupleDomain.all(), Optional.of(Set.of(ID))));

    private final MemoryFileSystem fileSystem = new MemoryFileSystem();
    private final Warehouse warehouse = warehouse(fileSystem);

    @BeforeEach
    void setUp()
    {
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
    }

    @Test
    void testUpdate()
            throws IOException
    {
        AlbisTable base = createTable(SERIALIZABLE);
        AlbisTable deleted = warehouse.change(base, delete(base, 3), ALL_ROWS);
        AlbisTable updated = warehouse.change(deleted, update(deleted, NAME, 0), ALL_ROWS);
        RowGroup before = changed(deleted);
        RowGroup after = changed(updated);
        assertThat(after.columnIds()).isEqualTo(before.columnIds());
        assertThat(after.columnGroups().getFirst()).isEqualTo(before.columnGroups().getFirst());
        assertThat(after.columnGroups().getLast()).isNotEqualTo(before.columnGroups().getLast());
        assertThat(after.statistics(ID)).isEqualTo(before.statistics(ID));
        assertThat(after.deletedRows()).isEqualTo(before.deletedRows());
        assertThat(changed(load(warehouse, "s", "t"))).isEqualTo(after);
        // conflict checks need the version that added the row group
        assertThat(updated.rowGroupsWithVersions()).allMatch(rowGroup -> rowGroup.addedVersion() == 1);
        assertThat(updated.rowCount()).isEqualTo(10);
        assertThat(updated.version().operation()).isEqualTo("overwrite");
        assertThat(updated.version().summary())
                .containsEntry("rewritten-row-groups", "1")
                .containsEntry("rewritten-bytes", "30")
                .containsEntry("deleted-records", "0")
                .containsEntry("changed-row-groups", "0")
                .containsEntry("added-files-size", "30")
                .containsEntry("removed-files-size", String.valueOf(before.columnGroups().getLast().bytes()))
                .doesNotContainKey("added-records");
        assertSketches(updated, 2);
        // A reader keeps its version
        assertThat(changed(deleted)).isEqualTo(before);
    }

    @Test
    void testStatistics()
    {
        AlbisTable base = createTable(SERIALIZABLE);
        AlbisTable updated = warehouse.change(base, update(base, ID, 7), ALL_ROWS);
        assertThat(updated.select(ids(7)).rowGroups()).extracting(RowGroup::id).contains(changed(base).id());
        assertThat(base.select(ids(7)).rowGroups()).isEmpty();
    }

    @Test
    void testDeleteAndUpdateOfOneStatement()
            throws IOException
    {
        AlbisTable base = createTable(SERIALIZABLE);
        RowChange deletes = delete(base, 1, 2);
        RowChange change = new RowChange(rows(oneRow()), deletes.deletes(), ImmutableSet.of(), update(base, NAME, 0).rewritten(), OVERWRITE);
        // each attempt of the commit needs them, so they are not computed again
        assertThat(change.affectedRowGroups()).containsExactly(changed(base).id()).isSameAs(change.affectedRowGroups());
        assertThat(change.rewrittenById()).containsOnlyKeys(changed(base).id()).isSameAs(change.rewrittenById());
        AlbisTable merged = warehouse.change(base, change, ALL_ROWS);
        assertThat(changed(merged).liveRows()).isEqualTo(8);
        assertThat(changed(merged).columnGroups().getLast().dataBytes()).isEqualTo(20);
        assertThat(merged.rowGroups()).hasSize(3);
    }

    @ParameterizedTest
    @EnumSource
    void testUpdateOfSameColumns(IsolationLevel isolation)
    {
        AlbisTable base = createTable(isolation);
        AlbisTable first = warehouse.change(base, update(base, NAME, 0), ROW_BY_ROW);
        assertRefused(CONFLICT, () -> warehouse.change(base, update(base, NAME, 0), ROW_BY_ROW));
        assertThat(load(warehouse, "s", "t").version().version()).isEqualTo(first.version().version());
    }

    /**
     * Each update has read the columns of the other one.
     */
    @ParameterizedTest
    @EnumSource
    void testUpdateOfOtherColumns(IsolationLevel isolation)
    {
        AlbisTable base = createTable(isolation);
        warehouse.change(base, update(base, NAME, 0), ROW_BY_ROW);
        if (isolation == SERIALIZABLE) {
            assertRefused(CONFLICT, () -> warehouse.change(base, update(base, ID, 7), ROW_BY_ROW));
            return;
        }
        AlbisTable both = warehouse.change(base, update(base, ID, 7), ROW_BY_ROW);
        assertThat(changed(both).columnGroups()).extracting(ColumnGroupInstance::dataBytes).containsExactly(20L, 20L);
    }

    /**
     * The positions of rows never change, and the UPDATE could have run first.
     */
    @ParameterizedTest
    @EnumSource
    void testUpdateAfterDelete(IsolationLevel isolation)
            throws IOException
    {
        AlbisTable base = createTable(isolation);
        warehouse.change(base, delete(base, 3, 4), BY_ID);
        // a MERGE would have inserted the deleted rows
        assertRefused(CONFLICT, () -> warehouse.change(base, update(base, NAME, 0), ALL_ROWS));
        AlbisTable both = warehouse.change(base, update(base, NAME, 0), ROW_BY_ROW);
        assertThat(changed(both).liveRows()).isEqualTo(8);
        assertThat(changed(both).columnGroups().getLast().dataBytes()).isEqualTo(20);
    }

    /**
     * The names that a DELETE has read may not match any more, or others may match now.
     */
    @ParameterizedTest
    @EnumSource
    void testDeleteAfterUpdate(IsolationLevel isolation)
            throws IOException
    {
        AlbisTable base = createTable(isolation);
        warehouse.change(base, update(base, NAME, 0), ROW_BY_ROW);
        RowChange delete = delete(base, 3, 4);
        RowChange remove = new RowChange(TableRows.NONE, ImmutableMap.of(), ImmutableSet.of(changed(base).id()), DELETE);
        for (RowChange change : List.of(delete, remove)) {
            assertRefused(CONFLICT, () -> warehouse.change(base, change, ReadSet.ofDelete(Scan.of(TupleDomain.all()))));
            assertRefused(CONFLICT, () -> warehouse.change(base, change, ReadSet.ofDelete(new Scan(TupleDomain.all(), Optional.of(Set.of(ID, NAME))))));
        }
        ReadSet others = ReadSet.ofDelete(new Scan(TupleDomain.all(), Optional.of(Set.of(ID))));
        AlbisTable both = warehouse.change(base, delete, others);
        assertThat(changed(both).liveRows()).isEqualTo(8);
        assertThat(changed(both).columnGroups().getLast().dataBytes()).isEqualTo(20);
        assertThat(warehouse.change(base, remove, others).rowCount()).isEqualTo(1);
    }

    /**
     * The new row has the old values of the columns that others have updated.
     */
    @ParameterizedTest
    @EnumSource
    void testMoveAfterUpdate(IsolationLevel isolation)
            throws IOException
    {
        AlbisTable base = createTable(isolation);
        AlbisTable updated = warehouse.change(base, update(base, NAME, 0), ROW_BY_ROW);
        RowChange move = move(base, 3);
        assertRefused(CONFLICT, () -> warehouse.change(base, move, ROW_BY_ROW));
        assertRefused(CONFLICT, () -> warehouse.change(base, move, ALL_ROWS));
        assertThat(load(warehouse, "s", "t").version().version()).isEqualTo(updated.version().version());
        assertThat(warehouse.change(updated, move(updated, 3), ROW_BY_ROW).rowCount()).isEqualTo(11);
    }

    /**
     * The update would not reach the new row.
     */
    @ParameterizedTest
    @EnumSource
    void testUpdateAfterMove(IsolationLevel isolation)
            throws IOException
    {
        AlbisTable base = createTable(isolation);
        AlbisTable moved = warehouse.change(base, move(base, 3), ROW_BY_ROW);
        assertRefused(CONFLICT, () -> warehouse.change(base, update(base, NAME, 0), ROW_BY_ROW));
        assertThat(load(warehouse, "s", "t").version().version()).isEqualTo(moved.version().version());
        // the bounds of the new row exclude that the update would find it, but it may have found the old one
        RowChange update = update(base, NAME, 0);
        ReadSet five = ReadSet.ofUpdate(new Scan(ids(5), Optional.empty()));
        assertRefused(CONFLICT, () -> warehouse.change(base, update, five));
    }

    /**
     * An attempt to commit loses to another writer, so the next one is refused.
     */
    @ParameterizedTest
    @EnumSource
    void testMoveDuringUpdate(IsolationLevel isolation)
            throws IOException
    {
        AlbisTable base = createTable(isolation);
        RowChange update = update(base, NAME, 0);
        RowChange move = move(base, 3);
        assertRefused(CONFLICT, () -> beforeCommit(() -> warehouse.change(base, move, ROW_BY_ROW)).change(base, update, ROW_BY_ROW));
        AlbisTable moved = load(warehouse, "s", "t");
        RowChange secondUpdate = update(moved, NAME, 0);
        RowChange secondMove = move(moved, 3, 5);
        assertRefused(CONFLICT, () -> beforeCommit(() -> warehouse.change(moved, secondUpdate, ROW_BY_ROW)).change(moved, secondMove, ROW_BY_ROW));
    }

    /**
     * The first attempt finds a DELETE, and only the second one finds the row that may replace the deleted one. It uses
     * the manifests of the first one.
     */
    @ParameterizedTest
    @EnumSource
    void testAppendDuringUpdate(IsolationLevel isolation)
            throws IOException
    {
        AlbisTable base = createTable(isolation);
        warehouse.change(base, delete(base, 4), BY_ID);
        RowChange update = update(base, NAME, 0);
        assertRefused(CONFLICT, () -> beforeCommit(() -> warehouse.append(base, rows(oneRow()), ReadSet.BLIND)).change(base, update, ROW_BY_ROW));
    }

    /**
     * Returns a warehouse that lets others commit once, immediately before it would.
     */
    private Warehouse beforeCommit(Runnable others)
    {
        return warehouse(new HookedFileSystem(fileSystem, Hook.stallAt(Kind.CREATE_EXCLUSIVE, "/versions/", others)));
    }

    /**
     * An update can move the values of a row group into a predicate or out of it.
     */
    @Test
    void testBoundsOfOthers()
            throws IOException
    {
        AlbisTable base = createTable(SERIALIZABLE);
        RowChange delete = delete(base, 3);
        warehouse.change(base, update(base, ID, 7), ROW_BY_ROW);
        assertRefused(CONFLICT, () -> warehouse.change(base, delete, ReadSet.ofDelete(new Scan(ids(0), Optional.of(Set.of(ID))))));
        assertRefused(CONFLICT, () -> warehouse.change(base, delete, ReadSet.ofDelete(new Scan(ids(7), Optional.of(Set.of(ID))))));
        assertThat(warehouse.change(base, delete, ReadSet.ofDelete(new Scan(ids(5), Optional.of(Set.of(ID))))).rowCount()).isEqualTo(10);
    }

    /**
     * One scan has read the row group, but not the updated column. The other one would read it now.
     */
    @Test
    void testBoundsOfTwoScans()
    {
        AlbisTable base = createTable(SERIALIZABLE);
        warehouse.change(base, update(base, ID, 7), ROW_BY_ROW);
        Scan names = new Scan(TupleDomain.all(), Optional.of(Set.of(NAME)));
        assertRefused(CONFLICT, () -> warehouse.append(base, rows(oneRow()), ReadSet.ofScans(List.of(new Scan(ids(7), Optional.of(Set.of(ID))), names))));
        assertThat(warehouse.append(base, rows(oneRow()), ReadSet.ofScans(List.of(new Scan(ids(5), Optional.of(Set.of(ID))), names))).rowCount()).isEqualTo(12);
    }

    @ParameterizedTest
    @EnumSource
    void testRemovedRowGroup(IsolationLevel isolation)
    {
        AlbisTable base = createTable(isolation);
        warehouse.change(base, new RowChange(TableRows.NONE, ImmutableMap.of(), ImmutableSet.of(changed(base).id()), DELETE), ReadSet.ofDelete(Scan.of(TupleDomain.all())));
        assertRefused(CONFLICT, () -> warehouse.change(base, update(base, NAME, 0), ROW_BY_ROW));
    }

    @Test
    void testUnrelatedCommits()
    {
        AlbisTable base = createTable(SNAPSHOT);
        warehouse.append(base, rows(oneRow()), ReadSet.BLIND);
        assertThat(changed(warehouse.change(base, update(base, NAME, 0), ROW_BY_ROW)).columnGroups().getLast().dataBytes()).isEqualTo(20);
    }

    /**
     * A statement updates some rows and deletes all others. If somebody else has moved the updated rows to another row
     * group, no row is left, but the update is not lost.
     */
    @ParameterizedTest
    @EnumSource
    void testNoRowIsLeft(IsolationLevel isolation)
            throws IOException
    {
        AlbisTable base = createTable(isolation);
        RowChange change = new RowChange(TableRows.NONE, delete(base, 8, 9).deletes(), ImmutableSet.of(), update(base, NAME, 0).rewritten(), OVERWRITE);
        warehouse.change(base, move(base, 0, 1, 2, 3, 4, 5, 6, 7), ROW_BY_ROW);
        assertRefused(CONFLICT, () -> warehouse.change(base, change, ROW_BY_ROW));
        assertRefused(CONFLICT, () -> warehouse.change(base, change, ALL_ROWS));
    }

    /**
     * The other columns of the column group stay where they are.
     */
    @Test
    void testUpdateOfOneColumnOfGroup()
            throws IOException
    {
        AlbisTable base = createTable(SERIALIZABLE, TOGETHER);
        ColumnGroupInstance old = getOnlyElement(changed(base).columnGroups());
        AlbisTable first = warehouse.change(base, update(base, NAME, 0), ALL_ROWS);
        AlbisTable deleted = warehouse.change(first, delete(first, 3), ALL_ROWS);
        AlbisTable second = warehouse.change(deleted, update(deleted, NAME, 0), ALL_ROWS);
        for (AlbisTable updated : List.of(first, deleted, second, load(warehouse, "s", "t"))) {
            assertThat(changed(updated).columnGroups()).hasSize(2);
            assertThat(changed(updated).columnGroups().getFirst()).isEqualTo(new ColumnGroupInstance(old.id(), ImmutableList.of(ID), ImmutableList.of(NAME), 100, 50));
            assertThat(changed(updated).columnGroups().getLast().columnIds()).containsExactly(NAME);
            assertThat(changed(updated).statistics(ID)).isEqualTo(changed(base).statistics(ID));
            assertThat(updated.select(ids(7)).rowGroups()).isEmpty();
        }
        assertThat(changed(second).columnGroups().getLast()).isNotEqualTo(changed(first).columnGroups().getLast());
        assertThat(changed(second).liveRows()).isEqualTo(9);
        // the old files are not needed any more
        AlbisTable third = warehouse.change(second, update(second, ID, 7), ALL_ROWS);
        assertThat(changed(third).columnGroups()).extracting(ColumnGroupInstance::columnIds).containsExactly(ImmutableList.of(ID), ImmutableList.of(NAME));
        assertThat(changed(third).columnGroups()).extracting(ColumnGroupInstance::id).doesNotContain(old.id());
        assertThat(third.select(ids(7)).rowGroups()).isNotEmpty();
        // A reader keeps its version
        assertThat(changed(base).columnGroups()).containsExactly(old);
    }

    /**
     * Each update has copied nothing of what the other one changes.
     */
    @ParameterizedTest
    @EnumSource
    void testUpdateOfOtherColumnOfGroup(IsolationLevel isolation)
    {
        AlbisTable base = createTable(isolation, TOGETHER);
        warehouse.change(base, update(base, NAME, 0), ROW_BY_ROW);
        assertRefused(CONFLICT, () -> warehouse.change(base, update(base, NAME, 0), ROW_BY_ROW));
        if (isolation == SERIALIZABLE) {
            assertRefused(CONFLICT, () -> warehouse.change(base, update(base, ID, 7), ROW_BY_ROW));
        }
        ReadSet ids = ReadSet.ofUpdate(new Scan(TupleDomain.all(), Optional.of(Set.of(ID))));
        AlbisTable both = warehouse.change(base, update(base, ID, 7), ids);
        assertThat(changed(both).columnGroups()).extracting(ColumnGroupInstance::columnIds).containsExactly(ImmutableList.of(ID), ImmutableList.of(NAME));
        assertThat(changed(both).columnGroups()).extracting(ColumnGroupInstance::dataBytes).containsExactly(20L, 20L);
        assertThat(both.select(ids(7)).rowGroups()).isNotEmpty();
    }

    /**
     * New files with all columns have the old values of the column that another statement has updated.
     */
    @ParameterizedTest
    @EnumSource
    void testUpdateOfWholeGroup(IsolationLevel isolation)
    {
        AlbisTable base = createTable(isolation, TOGETHER);
        ReadSet ids = ReadSet.ofUpdate(new Scan(TupleDomain.all(), Optional.of(Set.of(ID))));
        RowGroup rewritten = new RowGroup(changed(base).id(), 10, ImmutableList.of(new ColumnGroupInstance(UUID.randomUUID(), ImmutableList.of(ID, NAME), 30, 10)), changed(base).statistics());
        RowChange both = new RowChange(TableRows.NONE, ImmutableMap.of(), ImmutableSet.of(), TableRows.withoutSketches(ImmutableList.of(rewritten)), OVERWRITE);
        AlbisTable updated = warehouse.change(base, update(base, NAME, 0), ROW_BY_ROW);
        assertRefused(CONFLICT, () -> warehouse.change(base, both, ids));
        assertRefused(CONFLICT, () -> beforeCommit(() -> warehouse.change(updated, update(updated, ID, 7), ids)).change(updated, both, ids));
        AlbisTable newest = load(warehouse, "s", "t");
        assertThat(changed(warehouse.change(newest, both, ids)).columnGroups()).isEqualTo(rewritten.columnGroups());
    }

    /**
     * A DELETE of rows and an update of a column that the DELETE has not read commute, although the column is in the
     * files that it has read.
     */
    @Test
    void testDeleteBesideUpdateOfOneColumnOfGroup()
            throws IOException
    {
        AlbisTable base = createTable(SERIALIZABLE, TOGETHER);
        warehouse.change(base, update(base, NAME, 0), ROW_BY_ROW);
        RowChange delete = delete(base, 3, 4);
        assertRefused(CONFLICT, () -> warehouse.change(base, delete, ReadSet.ofDelete(new Scan(TupleDomain.all(), Optional.of(Set.of(ID, NAME))))));
        AlbisTable both = warehouse.change(base, delete, ReadSet.ofDelete(new Scan(TupleDomain.all(), Optional.of(Set.of(ID)))));
        assertThat(changed(both).liveRows()).isEqualTo(8);
        assertThat(changed(both).columnGroups()).hasSize(2);
    }

    /**
     * An entry that is written again leaves out the files of a column that was dropped.
     */
    @Test
    void testDroppedColumn()
            throws IOException
    {
        AlbisTable base = createTable(SERIALIZABLE, TOGETHER);
        AlbisTable updated = warehouse.change(base, update(base, NAME, 0), ALL_ROWS);
        AlbisTable dropped = warehouse.alter(updated, new DropColumn(NAME));
        AlbisTable deleted = warehouse.change(dropped, delete(dropped, 3), ALL_ROWS);
        assertThat(getOnlyElement(changed(deleted).columnGroups())).isEqualTo(changed(updated).columnGroups().getFirst());
        assertThatThrownBy(() -> warehouse.change(deleted, update(deleted, NAME, 0), ALL_ROWS)).hasMessageContaining("has new values of column 2, which the table does not have");
        AlbisTable newIds = warehouse.change(deleted, update(deleted, ID, 7), ALL_ROWS);
        assertThat(getOnlyElement(changed(newIds).columnGroups()).columnIds()).containsExactly(ID);
    }

    private AlbisTable createTable(IsolationLevel isolation)
    {
        return createTable(isolation, DEFINITION.columnGroups());
    }

    private AlbisTable createTable(IsolationLevel isolation, List<TableColumnGroup> columnGroups)
    {
        TableDefinition definition = new TableDefinition(DEFINITION.columns(), columnGroups, ImmutableMap.of("isolation_level", isolation.toString()), Optional.empty(), Optional.empty());
        RowGroup one = oneRow();
        List<ColumnGroupInstance> instances = columnGroups.size() == 2 ? one.columnGroups() : ImmutableList.of(new ColumnGroupInstance(UUID.randomUUID(), ImmutableList.of(ID, NAME), 100, 50));
        RowGroup rowGroup = new RowGroup(one.id(), 10, instances, one.statistics());
        return warehouse.createTable(warehouse.newTable("s", "t", definition), rows(rowGroup, oneRow()));
    }

    private static RowGroup changed(AlbisTable table)
    {
        return getOnlyElement(table.rowGroups().stream().filter(rowGroup -> rowGroup.rows() == 10).toList());
    }

    private static TupleDomain<AlbisColumn> ids(long id)
    {
        return TupleDomain.withColumnDomains(ImmutableMap.of(AlbisColumn.make(ID, "id", BIGINT), Domain.singleValue(BIGINT, id)));
    }

    /**
     * Returns an update of all rows of a column to the same value.
     */
    private static RowChange update(AlbisTable base, int column, long value)
    {
        byte[] bound = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
        RowGroup rewritten = new RowGroup(
                changed(base).id(),
                10,
                ImmutableList.of(new ColumnGroupInstance(UUID.randomUUID(), ImmutableList.of(column), 20, 10)),
                column == ID ? ImmutableList.of(new ColumnStatistics(ID, 0, CONSTANT, Optional.of(bound), Optional.of(bound), Optional.of("bigint"))) : ImmutableList.of());
        return new RowChange(TableRows.NONE, ImmutableMap.of(), ImmutableSet.of(), TableRows.withoutSketches(ImmutableList.of(rewritten)), OVERWRITE);
    }

    /**
     * Returns a change that replaces rows by a new one.
     */
    private RowChange move(AlbisTable base, int... positions)
            throws IOException
    {
        return new RowChange(rows(oneRow()), delete(base, positions).deletes(), ImmutableSet.of(), OVERWRITE);
    }

    private RowChange delete(AlbisTable base, int... positions)
            throws IOException
    {
        DeletesWriter writer = new DeletesWriter(fileSystem, base.folder(), UUID.randomUUID());
        RowChange change = new RowChange(TableRows.NONE, ImmutableMap.of(changed(base).id(), writer.add(DeletedPositions.of(positions))), ImmutableSet.of(), DELETE);
        writer.close();
        return change;
    }
}
