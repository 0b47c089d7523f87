package io.albis.table.alter;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.table.HookedFileSystem;
import io.albis.table.HookedFileSystem.Hook;
import io.albis.table.HookedFileSystem.Kind;
import io.albis.table.HookedFileSystem.Operation;
import io.albis.table.Warehouse;
import io.albis.table.alter.SchemaChange.ColumnPlace;
import io.albis.table.alter.SchemaChange.DropColumn;
import io.albis.table.alter.SchemaChange.DropNotNull;
import io.albis.table.alter.SchemaChange.RenameColumn;
import io.albis.table.alter.SchemaChange.SetDefault;
import io.albis.table.alter.SchemaChange.SetType;
import io.albis.table.model.TableColumn;
import io.albis.table.model.TableException.Reason;
import io.albis.table.model.TableRows;
import io.albis.table.row.ReadSet;
import io.albis.table.row.RowChange;
import io.albis.table.version.AlbisTable;
import io.trino.spi.predicate.TupleDomain;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

import static com.google.common.collect.Iterables.getOnlyElement;
import static io.albis.table.TableFixtures.assertRefused;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.model.TableException.Reason.ALREADY_EXISTS;
import static io.albis.table.model.TableException.Reason.CONFLICT;
import static io.albis.table.model.TableException.Reason.NOT_SUPPORTED;
import static io.albis.table.model.TableOperation.OVERWRITE;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Changes of columns beside statements that write rows or change columns.
 */
final class TestSchemaChangesBesideWriters
        extends BaseSchemaChangesTest
{
    /**
     * A write that began before a change must not commit rows that contradict the columns.
     */
    @Test
    void testAppendAfterChange()
    {
        Map<Change, Optional<Reason>> changes = ImmutableMap.<Change, Optional<Reason>>builder()
                .put(add("c", BIGINT, ColumnPlace.last()), Optional.of(CONFLICT))
                .put(new DropColumn(NAME), Optional.of(CONFLICT))
                .put(new SetType(ID, BIGINT), Optional.of(CONFLICT))
                .put(new RenameColumn(NAME, "x"), Optional.empty())
                .put(new DropNotNull(ID), Optional.empty())
                .put(new SetDefault(ID, INTEGER, Optional.of("1")), Optional.empty())
                .put(new Change.ColumnComment(ID, Optional.empty()), Optional.empty())
                .buildOrThrow();
        changes.forEach((change, refused) -> {
            AlbisTable base = createTable();
            AlbisTable changed = warehouse.alter(base, change);
            checkAppend(warehouse, base, refused);
            assertThat(load(warehouse, "s", "t").version().columns()).as(change.toString()).isEqualTo(changed.version().columns());
            warehouse.dropTable(load(warehouse, "s", "t"));

            // the write is about to commit when the change takes place
            AlbisTable other = createTable();
            checkAppend(beforeCommit(() -> warehouse.alter(other, change)), other, refused);
            assertThat(load(warehouse, "s", "t").version().columns()).as(change.toString()).isEqualTo(changed.version().columns());
            warehouse.dropTable(load(warehouse, "s", "t"));
        });
    }

    @Test
    void testAppendDuringSetNotNull()
    {
        AlbisTable base = warehouse.createTable(warehouse.newTable("s", "t", DEFINITION), TableRows.NONE);
        AlbisTable notNull = warehouse.setNotNull(base, NAME);
        assertThat(notNull.version().columns().getLast().nullable()).isFalse();
        checkAppend(warehouse, base, Optional.of(CONFLICT));
        warehouse.dropTable(notNull);

        // rows with nulls are committed between the check and the commit
        AlbisTable other = warehouse.createTable(warehouse.newTable("s", "t", DEFINITION), TableRows.NONE);
        assertRefused(NOT_SUPPORTED, () -> beforeCommit(() -> warehouse.append(other, rows(rowGroup(other, 1, 2)), ReadSet.BLIND)).setNotNull(other, NAME));
        assertThat(load(warehouse, "s", "t").version().columns().getLast().nullable()).isTrue();
        assertThat(load(warehouse, "s", "t").rowCount()).isEqualTo(10);
    }

    /**
     * Changes of different columns, which the second one of both writers makes to the version of the first.
     */
    @Test
    void testConcurrentChanges()
    {
        AlbisTable base = createTable();
        AlbisTable both = beforeCommit(() -> warehouse.alter(base, add("c", BIGINT, ColumnPlace.last())))
                .alter(base, add("d", BIGINT, ColumnPlace.last()));
        assertThat(both.version().columns()).extracting(TableColumn::id).containsExactly(1, 2, 3, 4);
        assertRefused(ALREADY_EXISTS, () -> beforeCommit(() -> warehouse.alter(both, add("e", BIGINT, ColumnPlace.last())))
                .alter(both, new RenameColumn(ID, "e")));
        assertRefused(CONFLICT, () -> beforeCommit(() -> warehouse.alter(both, new SetType(ID, BIGINT)))
                .alter(both, new SetDefault(ID, INTEGER, Optional.of("1"))));
        // no default suits any type
        warehouse.alter(load(warehouse, "s", "t"), new SetDefault(ID, INTEGER, Optional.empty()));
        AlbisTable newest = load(warehouse, "s", "t");
        assertRefused(CONFLICT, () -> beforeCommit(() -> warehouse.alter(newest, new DropColumn(NAME)))
                .alter(newest, new SetType(NAME, VARCHAR)));
        assertThat(names(load(warehouse, "s", "t"))).containsExactly("id", "c", "d", "e");
    }

    /**
     * An UPDATE writes a column that the row groups do not store yet.
     */
    @Test
    void testFill()
            throws IOException
    {
        AlbisTable base = warehouse.alter(createTable(), add("c", BIGINT, ColumnPlace.last()));
        ReadSet rowByRow = ReadSet.ofUpdate(new ReadSet.Scan(TupleDomain.all(), Optional.of(ImmutableSet.of(ID))));
        AlbisTable filled = warehouse.change(base, fill(base, ADDED), rowByRow);
        RowGroup before = getOnlyElement(base.rowGroups());
        RowGroup after = getOnlyElement(filled.rowGroups());
        assertThat(after.columnGroups()).hasSize(3).startsWith(before.columnGroups().toArray(ColumnGroupInstance[]::new));
        assertThat(after.columnIds()).containsExactly(ID, NAME, ADDED);
        assertThat(after.statistics(ID)).isEqualTo(before.statistics(ID));
        assertThat(after.statistics(ADDED)).map(ColumnStatistics::nullCount).contains(0L);
        // others have filled it since
        assertRefused(CONFLICT, () -> warehouse.change(base, fill(base, ADDED), rowByRow));
        // would write rows without the new values
        RowChange replacement = replaceRows(base);
        assertRefused(CONFLICT, () -> warehouse.change(base, replacement, rowByRow));
        // a DELETE that has read the column
        RowChange delete = delete(base);
        assertRefused(CONFLICT, () -> warehouse.change(base, delete, ReadSet.ofDelete(new ReadSet.Scan(TupleDomain.all(), Optional.of(ImmutableSet.of(ADDED))))));
        AlbisTable deleted = warehouse.change(base, delete, ReadSet.ofDelete(new ReadSet.Scan(TupleDomain.all(), Optional.of(ImmutableSet.of(ID)))));
        assertThat(getOnlyElement(deleted.rowGroups()).columnGroups()).isEqualTo(after.columnGroups());
        assertThat(deleted.rowCount()).isEqualTo(9);
    }

    /**
     * A statement that has read the table replaces it, although others have changed a column since.
     */
    @Test
    void testReplaceAfterChange()
    {
        for (Change change : List.of(new DropColumn(NAME), new RenameColumn(NAME, "x"), new SetType(ID, BIGINT), add("c", BIGINT, ColumnPlace.last()))) {
            AlbisTable base = createTable();
            warehouse.alter(base, change);
            assertRefused(CONFLICT, () -> warehouse.replaceTable(base, DEFINITION, TableRows.NONE, true));
            warehouse.dropTable(load(warehouse, "s", "t"));
        }
    }

    private void checkAppend(Warehouse writer, AlbisTable base, Optional<Reason> refused)
    {
        RowGroup rowGroup = rowGroup(base, 1, 2);
        if (refused.isPresent()) {
            assertRefused(refused.get(), () -> writer.append(base, rows(rowGroup), ReadSet.BLIND));
            return;
        }
        assertThat(writer.append(base, rows(rowGroup), ReadSet.BLIND).rowGroups()).extracting(RowGroup::id).contains(rowGroup.id());
    }

    /**
     * Returns a warehouse that lets others commit once, immediately before it would.
     */
    private Warehouse beforeCommit(Runnable others)
    {
        AtomicBoolean done = new AtomicBoolean();
        return warehouse(new HookedFileSystem(fileSystem, new Hook()
        {
            @Override
            public void before(Operation operation)
            {
                if (operation.kind() == Kind.CREATE_EXCLUSIVE && operation.location().path().contains("/versions/") && !done.getAndSet(true)) {
                    others.run();
                }
            }
        }));
    }

    private RowChange replaceRows(AlbisTable base)
            throws IOException
    {
        return new RowChange(rows(rowGroup(base, 1, 2)), delete(base).deletes(), ImmutableSet.of(), OVERWRITE);
    }
}
