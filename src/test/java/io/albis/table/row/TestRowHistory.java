package io.albis.table.row;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.format.metadata.RowGroup;
import io.albis.table.HookedFileSystem;
import io.albis.table.HookedFileSystem.Hook;
import io.albis.table.HookedFileSystem.Kind;
import io.albis.table.HookedFileSystem.Operation;
import io.albis.table.Warehouse;
import io.albis.table.alter.BaseSchemaChangesTest;
import io.albis.table.alter.Change;
import io.albis.table.model.TableException;
import io.albis.table.model.TableRows;
import io.albis.table.version.AlbisTable;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

import static com.google.common.collect.Iterables.getOnlyElement;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.model.TableException.Reason.NOT_SUPPORTED;
import static io.albis.table.model.TableException.Reason.VERSION_NOT_FOUND;
import static io.albis.table.model.TableOperation.OPTIMIZE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Which row groups a version has changed.
 */
class TestRowHistory
        extends BaseSchemaChangesTest
{
    private List<RowChanges> changes(AlbisTable table, long start)
    {
        return ImmutableList.copyOf(warehouse.rowHistory(table).since(start));
    }

    private static List<UUID> ids(List<RowGroupChange> changes)
    {
        return changes.stream()
                .map(change -> change.after().or(change::before).orElseThrow().id())
                .toList();
    }

    @Test
    void testChanges()
            throws IOException
    {
        AlbisTable created = createTable();
        AlbisTable deleted = warehouse.change(created, delete(created), ReadSet.wholeTable());
        AlbisTable updated = warehouse.change(deleted, fill(deleted, NAME), ReadSet.wholeTable());
        RowGroup first = getOnlyElement(updated.rowGroups());
        warehouse.alter(updated, new Change.TableComment(Optional.of("new")));
        RowGroup second = rowGroup(updated, 1, 9);
        AlbisTable appended = warehouse.append(load(warehouse, "s", "t"), rows(second), ReadSet.BLIND);
        AlbisTable truncated = warehouse.truncate(appended);

        List<RowChanges> changes = changes(truncated, 1);
        assertThat(changes).extracting(RowChanges::version).containsExactly(2L, 3L, 5L, 6L);
        assertThat(changes).extracting(RowChanges::ordinal).containsExactly(0, 1, 2, 3);
        assertThat(changes).extracting(RowChanges::time).isSorted().endsWith(truncated.version().time());

        RowGroupChange delete = getOnlyElement(changes.get(0).rowGroups());
        assertThat(delete.before().orElseThrow().deletedRows()).isEmpty();
        assertThat(delete.after().orElseThrow().deletedRows()).isEqualTo(first.deletedRows()).isPresent();
        assertThat(delete.rewritten()).isEmpty();

        RowGroupChange update = getOnlyElement(changes.get(1).rowGroups());
        assertThat(update.before().orElseThrow().columnGroups()).isEqualTo(getOnlyElement(created.rowGroups()).columnGroups());
        assertThat(update.after().orElseThrow().columnGroups()).isEqualTo(first.columnGroups());
        assertThat(update.rewritten()).containsExactly(NAME);

        RowGroupChange append = getOnlyElement(changes.get(2).rowGroups());
        assertThat(append.before()).isEmpty();
        assertThat(append.after()).map(RowGroup::id).contains(second.id());

        assertThat(changes.get(3).rowGroups()).allMatch(change -> change.after().isEmpty());
        assertThat(ids(changes.get(3).rowGroups())).containsExactlyInAnyOrder(first.id(), second.id());

        // a part of the versions
        assertThat(changes(appended, 3)).extracting(RowChanges::version, RowChanges::ordinal).containsExactly(tuple(5L, 0));
        assertThat(changes(appended, 5)).isEmpty();
    }

    @Test
    void testOptimize()
    {
        AlbisTable created = createTable();
        RowGroup merged = rowGroup(created, 1, 9);
        RowChange change = new RowChange(rows(merged), ImmutableMap.of(), ImmutableSet.of(getOnlyElement(created.rowGroups()).id()), OPTIMIZE);
        AlbisTable optimized = warehouse.change(created, change, ReadSet.wholeTable());
        assertThat(optimized.rowGroups()).extracting(RowGroup::id).containsExactly(merged.id());
        assertThat(changes(optimized, 1)).isEmpty();
    }

    /**
     * Commits merge manifests, so row groups move to other manifests.
     */
    @Test
    void testMergedManifests()
    {
        AlbisTable table = createTable();
        List<UUID> appended = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            RowGroup rowGroup = rowGroup(table, i, i);
            appended.add(rowGroup.id());
            table = warehouse.append(table, rows(rowGroup), ReadSet.BLIND);
        }
        assertThat(table.version().manifests()).hasSizeLessThan(100);
        List<RowChanges> changes = changes(table, 1);
        assertThat(changes).allMatch(version -> version.rowGroups().size() == 1 && getOnlyElement(version.rowGroups()).before().isEmpty());
        assertThat(changes).flatExtracting(version -> ids(version.rowGroups())).containsExactlyElementsOf(appended);
    }

    /**
     * Manifests that both versions have are not read.
     */
    @Test
    void testReads()
    {
        AlbisTable table = createTable();
        table = warehouse.append(table, rows(rowGroup(table, 1, 2)), ReadSet.BLIND);
        table = warehouse.append(table, rows(rowGroup(table, 2, 3)), ReadSet.BLIND);
        table = warehouse.alter(table, new Change.TableComment(Optional.of("new")));
        assertThat(table.version().manifests()).hasSize(3);
        List<Operation> reads = new ArrayList<>();
        Warehouse counted = warehouse(new HookedFileSystem(fileSystem, new Hook()
        {
            @Override
            public void before(Operation operation)
            {
                if (operation.kind() == Kind.READ && operation.location().path().contains("/manifests/")) {
                    reads.add(operation);
                }
            }
        }));
        RowHistory history = counted.rowHistory(load(counted, "s", "t"));
        assertThat(ImmutableList.copyOf(history.since(2))).hasSize(1);
        assertThat(reads.stream().map(operation -> operation.location().fileName()).distinct()).hasSize(1);
    }

    @Test
    void testMissingVersions()
            throws IOException
    {
        AlbisTable table = createTable();
        for (int i = 0; i < 4; i++) {
            table = warehouse.append(table, rows(rowGroup(table, i, i)), ReadSet.BLIND);
        }
        table = warehouse.alter(table, new Change.CreateTag("kept", OptionalLong.of(2)));
        RowHistory before = warehouse.rowHistory(table);
        assertThat(before.check(1, 5).version()).isEqualTo(5);
        assertThatThrownBy(() -> before.check(1, 7))
                .isInstanceOfSatisfying(TableException.class, e -> assertThat(e.reason()).isEqualTo(VERSION_NOT_FOUND))
                .hasMessage("Table 's.t' has no version 7. Its versions are between 1 and 6");
        warehouse.expireVersions(table, Instant.now().plusSeconds(1), 1);
        RowHistory after = warehouse.rowHistory(load(warehouse, "s", "t"));
        assertThatThrownBy(() -> after.check(1, 2))
                .isInstanceOfSatisfying(TableException.class, e -> assertThat(e.reason()).isEqualTo(VERSION_NOT_FOUND))
                .hasMessageStartingWith("Table 's.t' has no version 1 any more, because it has expired.");
        assertThatThrownBy(() -> after.check(2, 7))
                .isInstanceOfSatisfying(TableException.class, e -> assertThat(e.reason()).isEqualTo(VERSION_NOT_FOUND))
                .hasMessage("The changes of table 's.t' between versions 2 and 7 are not known any more, because version 3 has expired");
        // a table that was loaded before
        assertThatThrownBy(() -> ImmutableList.copyOf(before.since(2)))
                .isInstanceOfSatisfying(TableException.class, e -> assertThat(e.reason()).isEqualTo(VERSION_NOT_FOUND));
    }

    @Test
    void testReplacedTable()
    {
        AlbisTable table = createTable();
        AlbisTable replaced = warehouse.replaceTable(table, DEFINITION, TableRows.NONE, false);
        assertThatThrownBy(() -> warehouse.rowHistory(replaced).check(1, 2))
                .isInstanceOfSatisfying(TableException.class, e -> assertThat(e.reason()).isEqualTo(NOT_SUPPORTED))
                .hasMessage("Versions 1 and 2 of table 's.t' have no column in common, because the table was replaced, or its columns were dropped");
    }
}
