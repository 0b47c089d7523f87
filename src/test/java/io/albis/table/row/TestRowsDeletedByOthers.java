package io.albis.table.row;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.format.delete.DeletedPositions;
import io.albis.format.delete.DeletesWriter;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.table.HookedFileSystem;
import io.albis.table.HookedFileSystem.Hook;
import io.albis.table.HookedFileSystem.Kind;
import io.albis.table.Warehouse;
import io.albis.table.alter.Change;
import io.albis.table.model.IsolationLevel;
import io.albis.table.model.TableDefinition;
import io.albis.table.model.TableRows;
import io.albis.table.row.ReadSet.Scan;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.predicate.TupleDomain;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import static io.albis.table.TableFixtures.DEFINITION;
import static io.albis.table.TableFixtures.assertRefused;
import static io.albis.table.TableFixtures.files;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.warehouse;
import static io.albis.table.model.IsolationLevel.SERIALIZABLE;
import static io.albis.table.model.TableException.Reason.CONFLICT;
import static io.albis.table.model.TableOperation.DELETE;
import static io.albis.table.model.TableOperation.OVERWRITE;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Statements whose rows others delete meanwhile. The engine has counted the rows of a row-level DELETE before it
 * commits, so with the isolation level SERIALIZABLE it can only commit if it has deleted all of them.
 */
class TestRowsDeletedByOthers
{
    private static final int ID = 1;
    private static final int NAME = 2;
    private static final ReadSet WHERE = ReadSet.ofDelete(Scan.of(TupleDomain.all()));
    private static final ReadSet BY_ID = ReadSet.ofDelete(new Scan(TupleDomain.all(), Optional.of(Set.of(ID))));
    private static final ReadSet ROW_BY_ROW = ReadSet.ofUpdate(Scan.of(TupleDomain.all()));

    private final MemoryFileSystem fileSystem = new MemoryFileSystem();
    private final Warehouse warehouse = warehouse(fileSystem);
    private final RowGroup shared = rowGroup(10);
    private final RowGroup other = rowGroup(5);

    @BeforeEach
    void setUp()
    {
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
    }

    @ParameterizedTest
    @EnumSource
    void testDeletesOfSameRows(IsolationLevel isolation)
            throws IOException
    {
        AlbisTable base = createTable(isolation);
        warehouse.change(base, delete(base, 1, 2), WHERE);
        RowChange overlapping = delete(base, 2, 3);
        RowChange same = delete(base, 1, 2);
        if (isolation == SERIALIZABLE) {
            int files = files(fileSystem, base.folder()).size();
            assertThatThrownBy(() -> warehouse.change(base, overlapping, WHERE))
                    .hasMessage("Another transaction has deleted rows that this statement deletes (1 of the rows, in the row group %s), in versions 2 to 2. Retry the statement", shared.id());
            assertThatThrownBy(() -> warehouse.change(base, same, WHERE))
                    .hasMessageContaining("(2 of the rows, in the row group %s)", shared.id());
            assertRefused(CONFLICT, () -> warehouse.change(base, same, WHERE));
            assertThat(load(warehouse, "s", "t").rowCount()).isEqualTo(13);
            assertThat(files(fileSystem, base.folder()).size()).isEqualTo(files);
            return;
        }
        AlbisTable both = warehouse.change(base, overlapping, WHERE);
        assertThat(both.rowCount()).isEqualTo(12);
        assertThat(both.version().summary()).containsEntry("deleted-records", "1");
        // There is nothing more to delete
        assertThat(warehouse.change(base, same, WHERE).version().version()).isEqualTo(3);
        // Deletes the last rows together with the others
        assertThat(warehouse.change(base, delete(base, 0, 3, 4, 5, 6, 7, 8, 9), WHERE).rowGroups()).hasSize(1);
        assertThat(warehouse.change(base, same, WHERE).version().version()).isEqualTo(4);
    }

    @ParameterizedTest
    @EnumSource
    void testDeletesOfOtherRows(IsolationLevel isolation)
            throws IOException
    {
        AlbisTable base = createTable(isolation);
        warehouse.change(base, delete(base, 1, 2), WHERE);
        assertThat(warehouse.change(base, delete(base, 0, 3), WHERE).rowCount()).isEqualTo(11);
        assertThat(warehouse.change(base, delete(base, 4, 5, 6, 7, 8, 9), WHERE).rowGroups()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void testRowGroupWithoutRows(IsolationLevel isolation)
            throws IOException
    {
        AlbisTable base = createTable(isolation);
        warehouse.change(base, removal(), WHERE);
        RowChange deleted = delete(base, 1, 2, 3);
        if (isolation == SERIALIZABLE) {
            assertThatThrownBy(() -> warehouse.change(base, deleted, WHERE)).hasMessageContaining("(3 of the rows, in the row group %s)", shared.id());
        }
        else {
            assertThat(warehouse.change(base, deleted, WHERE).version().version()).isEqualTo(2);
        }
    }

    /**
     * The statement counts the rows of whole row groups when it commits.
     */
    @ParameterizedTest
    @EnumSource
    void testCountOfRowGroups(IsolationLevel isolation)
            throws IOException
    {
        AlbisTable base = createTable(isolation);
        RowChange first = delete(base, 1, 2);
        RowChange second = delete(base, 3);
        warehouse.change(base, first, WHERE);
        Warehouse slow = warehouse(new HookedFileSystem(fileSystem, Hook.stallAt(Kind.CREATE_EXCLUSIVE, "/versions/", () -> warehouse.change(base, second, WHERE))));
        assertThat(slow.removeRowGroups(base, ImmutableSet.of(shared.id()), WHERE)).isEqualTo(7);
        assertThat(load(warehouse, "s", "t").version().summary()).containsEntry("deleted-records", "7");
        assertThat(slow.removeRowGroups(base, ImmutableSet.of(shared.id()), WHERE)).isEqualTo(0);
        assertThat(slow.removeRowGroups(base, ImmutableSet.of(), WHERE)).isEqualTo(0);
        assertThat(load(warehouse, "s", "t").version().version()).isEqualTo(4);
    }

    /**
     * The first attempt to commit loses to the other DELETE.
     */
    @ParameterizedTest
    @EnumSource
    void testLostRace(IsolationLevel isolation)
            throws IOException
    {
        AlbisTable base = createTable(isolation);
        RowChange first = delete(base, 1, 2);
        RowChange second = delete(base, 1, 2);
        Warehouse slow = warehouse(new HookedFileSystem(fileSystem, Hook.stallAt(Kind.CREATE_EXCLUSIVE, "/versions/", () -> warehouse.change(base, first, WHERE))));
        if (isolation == SERIALIZABLE) {
            assertRefused(CONFLICT, () -> slow.change(base, second, WHERE));
        }
        else {
            assertThat(slow.change(base, second, WHERE).version().version()).isEqualTo(2);
        }
    }

    /**
     * The rows are gone, but the DELETE could have run before the TRUNCATE.
     */
    @Test
    void testTruncation()
            throws IOException
    {
        AlbisTable base = createTable(SERIALIZABLE);
        RowChange deleted = delete(base, 1, 2);
        warehouse.alter(base, new Change.TableComment(Optional.of("x")));
        warehouse.truncate(base);
        assertThat(warehouse.change(base, deleted, WHERE).version().version()).isEqualTo(3);
    }

    @Test
    void testDeleteBeforeTruncation()
            throws IOException
    {
        AlbisTable base = createTable(SERIALIZABLE);
        RowChange deleted = delete(base, 1, 2);
        warehouse.change(base, delete(base, 2), WHERE);
        warehouse.truncate(base);
        assertRefused(CONFLICT, () -> warehouse.change(base, deleted, WHERE));
    }

    /**
     * A later INSERT may have added the rows again.
     */
    @Test
    void testInsertAfterTruncation()
            throws IOException
    {
        AlbisTable base = createTable(SERIALIZABLE);
        RowChange deleted = delete(base, 1, 2);
        warehouse.truncate(base);
        warehouse.append(base, rows(oneRow()), ReadSet.BLIND);
        assertRefused(CONFLICT, () -> warehouse.change(base, deleted, WHERE));
    }

    /**
     * The DELETE may have found other rows if the UPDATE had run first, and the UPDATE fewer rows if it had run second.
     */
    @ParameterizedTest
    @EnumSource
    void testUpdateOfColumnsThatDeleteHasRead(IsolationLevel isolation)
            throws IOException
    {
        for (Optional<Set<Integer>> columns : List.of(Optional.of(Set.of(NAME)), Optional.of(Set.of(ID, NAME)), Optional.<Set<Integer>>empty())) {
            AlbisTable base = createTable(isolation);
            warehouse.change(base, delete(base, 3), BY_ID);
            RowChange delete = delete(base, 5);
            AlbisTable deleted = warehouse.change(base, delete, ReadSet.ofDelete(new Scan(TupleDomain.all(), columns)));
            assertThat(Optional.ofNullable(deleted.version().summary().get("read-columns"))).isEqualTo(columns.map(ids -> ids.stream().sorted().map(String::valueOf).collect(joining(","))));
            RowChange update = update(NAME);
            if (isolation == SERIALIZABLE) {
                assertThatThrownBy(() -> warehouse.change(base, update, ROW_BY_ROW))
                        .hasMessage("Another transaction has deleted rows that this statement may have updated (in the row group %s), and may have read the columns that it updates, in versions 2 to 3. Retry the statement", shared.id());
                assertRefused(CONFLICT, () -> warehouse.change(base, update, ROW_BY_ROW));
            }
            else {
                assertThat(warehouse.change(base, update, ROW_BY_ROW).rowCount()).isEqualTo(13);
            }
            warehouse.dropTable(deleted);
        }
    }

    /**
     * The new file has a column that the statement has only copied.
     */
    @Test
    void testColumnsThatUpdateHasCopied()
            throws IOException
    {
        AlbisTable base = createTable(SERIALIZABLE);
        warehouse.change(base, delete(base, 3), BY_ID);
        RowChange update = update(ID);
        assertRefused(CONFLICT, () -> warehouse.change(base, update, ROW_BY_ROW));
        assertThat(warehouse.change(base, update.withUpdatedColumns(List.of(NAME)), ROW_BY_ROW).rowCount()).isEqualTo(14);
    }

    /**
     * Only those commits matter that have deleted rows of the updated row groups.
     */
    @Test
    void testUpdateAfterDeletesOfOtherRowGroups()
            throws IOException
    {
        AlbisTable base = createTable(SERIALIZABLE);
        AlbisTable deleted = warehouse.change(base, delete(base, 3), BY_ID);
        warehouse.removeRowGroups(deleted, ImmutableSet.of(other.id()), ReadSet.wholeTable());
        RowChange update = update(NAME);
        assertThat(warehouse.change(base, update, ROW_BY_ROW).rowCount()).isEqualTo(9);
    }

    /**
     * A MERGE that only deletes rows may have read any columns.
     */
    @Test
    void testUpdateAfterMerge()
            throws IOException
    {
        AlbisTable base = createTable(SERIALIZABLE);
        warehouse.change(base, new RowChange(TableRows.NONE, delete(base, 3).deletes(), ImmutableSet.of(), OVERWRITE), ROW_BY_ROW);
        RowChange update = update(NAME);
        assertRefused(CONFLICT, () -> warehouse.change(base, update, ROW_BY_ROW));
    }

    private AlbisTable createTable(IsolationLevel isolation)
    {
        TableDefinition definition = new TableDefinition(DEFINITION.columns(), DEFINITION.columnGroups(), ImmutableMap.of(IsolationLevel.PROPERTY, isolation.name()), Optional.empty(), Optional.empty());
        return warehouse.createTable(warehouse.newTable("s", "t", definition), rows(shared, other));
    }

    private static RowGroup rowGroup(int rows)
    {
        RowGroup one = oneRow();
        return new RowGroup(one.id(), rows, one.columnGroups(), one.statistics());
    }

    private RowChange removal()
    {
        return new RowChange(TableRows.NONE, ImmutableMap.of(), ImmutableSet.of(shared.id()), DELETE);
    }

    /**
     * Returns an update in place of all rows of a row group.
     */
    private RowChange update(int column)
    {
        RowGroup rewritten = new RowGroup(shared.id(), shared.rows(), ImmutableList.of(new ColumnGroupInstance(UUID.randomUUID(), ImmutableList.of(column), 20, 10)), ImmutableList.of());
        return new RowChange(TableRows.NONE, ImmutableMap.of(), ImmutableSet.of(), TableRows.withoutSketches(ImmutableList.of(rewritten)), OVERWRITE);
    }

    private RowChange delete(AlbisTable base, int... positions)
            throws IOException
    {
        DeletesWriter writer = new DeletesWriter(fileSystem, base.folder(), UUID.randomUUID());
        RowChange change = new RowChange(TableRows.NONE, ImmutableMap.of(shared.id(), writer.add(DeletedPositions.of(positions))), ImmutableSet.of(), DELETE);
        writer.close();
        return change;
    }
}
