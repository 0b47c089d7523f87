package io.albis.table.row;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.format.metadata.RowGroup;
import io.albis.table.Warehouse;
import io.albis.table.alter.Change;
import io.albis.table.model.IsolationLevel;
import io.albis.table.model.TableColumn;
import io.albis.table.model.TableColumnGroup;
import io.albis.table.model.TableDefinition;
import io.albis.table.model.TableRows;
import io.albis.table.row.ReadSet.Scan;
import io.albis.table.version.AlbisTable;
import io.albis.table.version.TableHistory;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.predicate.TupleDomain;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.Streams.stream;
import static io.albis.format.schema.AlbisLayout.BLOCK;
import static io.albis.table.TableFixtures.DEFINITION;
import static io.albis.table.TableFixtures.assertRefused;
import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.rowGroupIds;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.warehouse;
import static io.albis.table.model.TableException.Reason.CONFLICT;
import static io.albis.table.model.TableException.Reason.TABLE_NOT_FOUND;
import static io.albis.table.model.TableException.Reason.VERSION_NOT_FOUND;
import static io.albis.table.model.TableOperation.DELETE;
import static io.albis.table.model.TableOperation.OVERWRITE;
import static io.albis.table.put.StorageCalls.unchecked;
import static io.trino.spi.type.BigintType.BIGINT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * The history of a table, and commits that replace its whole content: rollbacks and replacements.
 */
class TestContentReplacement
{
    private static final TableDefinition OTHER = new TableDefinition(
            ImmutableList.of(new TableColumn(1, "other", BIGINT, true, Optional.empty())),
            ImmutableList.of(new TableColumnGroup(BLOCK, ImmutableList.of(1))),
            ImmutableMap.of(),
            Optional.of("another"),
            Optional.empty());

    private final MemoryFileSystem fileSystem = new MemoryFileSystem();
    private final Warehouse warehouse = warehouse(fileSystem);

    @BeforeEach
    void setUp()
    {
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
    }

    @Test
    void testRollback()
    {
        RowGroup first = oneRow();
        RowGroup second = oneRow();
        AlbisTable created = createTable(warehouse, "s", "t", first);
        AlbisTable appended = warehouse.append(created, rows(second), ReadSet.BLIND);
        warehouse.alter(appended, new Change.TableComment(Optional.of("changed")));
        warehouse.truncate(appended);

        AlbisTable restored = warehouse.rollback(load(warehouse, "s", "t"), 2);
        assertThat(restored.version().version()).isEqualTo(5);
        assertThat(restored.version().operation()).isEqualTo("rollback");
        assertThat(restored.version().summary()).containsEntry("restored-version", "2");
        assertThat(rowGroupIds(restored)).containsExactlyInAnyOrder(first.id(), second.id());
        assertThat(restored.rowGroupsWithVersions().stream().map(RowGroup::addedVersion)).containsExactlyInAnyOrder(1L, 2L);
        assertThat(restored.version().comment()).isEqualTo(created.version().comment());
        assertThat(restored.version().columns()).isEqualTo(created.version().columns());
        assertThat(restored.version().name()).isEqualTo(created.version().name());
        assertThat(restored.version().lastColumnId()).isEqualTo(2);
        assertThat(restored.version().time()).isAfter(appended.version().time());

        assertThat(warehouse.rollback(restored, 5).version().version()).isEqualTo(5);
        assertRefused(VERSION_NOT_FOUND, () -> warehouse.rollback(restored, 6));
        assertRefused(VERSION_NOT_FOUND, () -> warehouse.rollback(restored, 0));
        warehouse.dropTable(restored);
        assertRefused(TABLE_NOT_FOUND, () -> warehouse.rollback(restored, 1));
    }

    /**
     * A statement that began before a rollback does not see the rows that exist again, so it conflicts, even a DELETE
     * that would commute with the deletes of others.
     */
    @Test
    void testWritersDuringRollback()
    {
        RowGroup first = oneRow();
        AlbisTable created = createTable(warehouse, "s", "t", first, oneRow());
        AlbisTable base = warehouse.append(created, rows(oneRow()), ReadSet.BLIND);
        warehouse.rollback(base, 1);
        RowChange delete = new RowChange(TableRows.NONE, ImmutableMap.of(), ImmutableSet.of(first.id()), DELETE);
        assertRefused(CONFLICT, () -> warehouse.change(base, delete, ReadSet.ofDelete(Scan.of(TupleDomain.all()))));
        assertRefused(CONFLICT, () -> warehouse.append(base, rows(oneRow()), ReadSet.wholeTable()));
        assertThatThrownBy(() -> warehouse.append(base, rows(oneRow()), ReadSet.BLIND))
                .hasMessage("Another transaction changed the columns of the table, replaced it, or rolled it back after this statement began, in versions 3 to 3. Retry the statement");
        assertThat(load(warehouse, "s", "t").rowCount()).isEqualTo(2);
        assertThat(warehouse.append(load(warehouse, "s", "t"), rows(oneRow()), ReadSet.BLIND).rowCount()).isEqualTo(3);
    }

    @Test
    void testReplacement()
    {
        AlbisTable created = createTable(warehouse, "s", "t", oneRow(), oneRow());
        AlbisTable appended = warehouse.append(created, rows(oneRow()), ReadSet.BLIND);
        // without rows, it is applied to the newest version, whatever that is
        AlbisTable replaced = warehouse.replaceTable(created, OTHER, TableRows.NONE, false);
        assertThat(replaced.version().version()).isEqualTo(3);
        assertThat(replaced.version().operation()).isEqualTo("replace");
        assertThat(replaced.version().summary()).containsEntry("deleted-records", "3");
        assertThat(replaced.uuid()).isEqualTo(created.uuid());
        assertThat(replaced.folder()).isEqualTo(created.folder());
        assertThat(replaced.version().name()).isEqualTo(created.version().name());
        assertThat(replaced.version().columns()).extracting(TableColumn::id).containsExactly(3);
        assertThat(replaced.version().lastColumnId()).isEqualTo(3);
        assertThat(replaced.rowCount()).isEqualTo(0);
        assertThat(replaced.version().comment()).contains("another");
        assertThat(replaced.version().properties()).isEmpty();

        // a rollback brings the old columns back, and the next replacement still uses new ids
        AlbisTable restored = warehouse.rollback(replaced, 2);
        assertThat(restored.version().columns()).isEqualTo(appended.version().columns());
        assertThat(restored.version().lastColumnId()).isEqualTo(3);
        assertThat(warehouse.replaceTable(restored, OTHER, TableRows.NONE, false).version().columns()).extracting(TableColumn::id).containsExactly(4);
    }

    @Test
    void testConflictsOfReplacement()
    {
        AlbisTable base = createTable(warehouse, "s", "t", oneRow());
        AlbisTable appended = warehouse.append(base, rows(oneRow()), ReadSet.BLIND);
        // it has read rows, and others have been added since
        assertRefused(CONFLICT, () -> warehouse.replaceTable(base, OTHER, TableRows.NONE, true));
        assertThat(warehouse.replaceTable(appended, OTHER, TableRows.NONE, true).version().version()).isEqualTo(3);
        // rows with the ids of columns that another replacement has used
        assertRefused(CONFLICT, () -> warehouse.replaceTable(appended, OTHER, rows(oneRow()), false));
        // writers that know the old columns
        assertRefused(CONFLICT, () -> warehouse.append(appended, rows(oneRow()), ReadSet.BLIND));

        AlbisTable renamed = warehouse.renameTable(load(warehouse, "s", "t"), "s", "u");
        assertRefused(CONFLICT, () -> warehouse.replaceTable(base, OTHER, TableRows.NONE, false));
        warehouse.dropTable(renamed);
        assertRefused(TABLE_NOT_FOUND, () -> warehouse.replaceTable(renamed, OTHER, TableRows.NONE, false));
    }

    /**
     * A replacement removes all rows. With every isolation level, it must not undo an UPDATE of rows that it has read.
     */
    @ParameterizedTest
    @EnumSource(IsolationLevel.class)
    void testReplacementAfterUpdate(IsolationLevel isolation)
    {
        TableDefinition definition = new TableDefinition(DEFINITION.columns(), DEFINITION.columnGroups(), ImmutableMap.of(IsolationLevel.PROPERTY, isolation.name()), Optional.empty(), Optional.empty());
        RowGroup updated = oneRow();
        AlbisTable base = warehouse.createTable(warehouse.newTable("s", "t", definition), rows(updated));
        warehouse.change(base, new RowChange(rows(oneRow()), ImmutableMap.of(), ImmutableSet.of(updated.id()), OVERWRITE), ReadSet.wholeTable());
        assertRefused(CONFLICT, () -> warehouse.replaceTable(base, OTHER, TableRows.NONE, true));
        // as if it had begun after the UPDATE
        AlbisTable replaced = warehouse.replaceTable(base, OTHER, TableRows.NONE, false);
        assertThat(replaced.version().version()).isEqualTo(3);
    }

    @Test
    void testHistory()
    {
        AlbisTable first = createTable(warehouse, "s", "t", oneRow());
        AlbisTable second = warehouse.append(first, rows(oneRow()), ReadSet.BLIND);
        AlbisTable third = warehouse.append(second, rows(oneRow()), ReadSet.BLIND);
        // a transaction that has seen version 2 does not see version 3
        assertThat(numbers(warehouse.history(second))).containsExactly(1L, 2L);
        assertThat(numbers(warehouse.history(third))).containsExactly(1L, 2L, 3L);
        assertRefused(VERSION_NOT_FOUND, () -> get(warehouse.history(second), 3));
        List<Instant> times = List.of(first.version().time(), second.version().time(), third.version().time());
        for (int i = 0; i < times.size(); i++) {
            assertThat(asOf(third, times.get(i))).isEqualTo(i + 1);
            assertThat(asOf(third, times.get(i).plusNanos(999_999))).isEqualTo(i + 1);
            int previous = i;
            if (i > 0) {
                assertThat(asOf(third, times.get(i).minusMillis(1))).isEqualTo(previous);
            }
        }
        assertThat(asOf(third, Instant.MAX)).isEqualTo(3);
        assertRefused(VERSION_NOT_FOUND, () -> asOf(third, times.getFirst().minusMillis(1)));
    }

    private static List<Long> numbers(TableHistory history)
    {
        return stream(history.versions())
                .map(version -> version.version())
                .collect(toImmutableList());
    }

    private long asOf(AlbisTable table, Instant time)
    {
        return unchecked(() -> warehouse.history(table).asOf(time)).version();
    }

    private static void get(TableHistory history, long number)
    {
        unchecked(() -> history.get(number));
    }
}
