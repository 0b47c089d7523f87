package io.albis.table.row;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.table.HookedFileSystem;
import io.albis.table.HookedFileSystem.Hook;
import io.albis.table.HookedFileSystem.Kind;
import io.albis.table.Warehouse;
import io.albis.table.alter.Change;
import io.albis.table.alter.SchemaChange;
import io.albis.table.model.TableColumnGroup;
import io.albis.table.model.TableRows;
import io.albis.table.row.ReadSet.Scan;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.predicate.TupleDomain;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.Iterables.getOnlyElement;
import static io.albis.format.schema.AlbisLayout.BLOCK;
import static io.albis.table.TableFixtures.assertRefused;
import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.warehouse;
import static io.albis.table.model.TableException.Reason.CONFLICT;
import static io.albis.table.model.TableOperation.DELETE;
import static io.albis.table.model.TableOperation.OVERWRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Commits that group the columns of row groups in another way.
 */
class TestRegrouping
{
    private static final int ID = 1;
    private static final int NAME = 2;
    private static final List<List<Integer>> TOGETHER = ImmutableList.of(ImmutableList.of(NAME, ID));
    private static final List<List<Integer>> APART = ImmutableList.of(ImmutableList.of(NAME), ImmutableList.of(ID));
    private static final ReadSet ROW_BY_ROW = ReadSet.ofUpdate(Scan.of(TupleDomain.all()));

    private final MemoryFileSystem fileSystem = new MemoryFileSystem();
    private final Warehouse warehouse = warehouse(fileSystem);
    private AlbisTable base;

    @BeforeEach
    void setUp()
    {
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        base = createTable(warehouse, "s", "t", oneRow());
    }

    @Test
    void testRegroup()
    {
        AlbisTable regrouped = regroup(base, TOGETHER);
        assertThat(regrouped.version().version()).isEqualTo(2);
        assertThat(regrouped.version().operation()).isEqualTo("regroup");
        assertThat(regrouped.version().summary())
                .containsEntry("rewritten-row-groups", "1")
                .containsEntry("rewritten-bytes", "30")
                .containsEntry("deleted-records", "0")
                .doesNotContainKey("added-records");
        assertThat(regrouped.version().schemaId()).isEqualTo(base.version().schemaId());
        assertThat(regrouped.version().columnGroups()).isEqualTo(tableGroups(TOGETHER));
        assertThat(only(regrouped).id()).isEqualTo(only(base).id());
        assertThat(only(regrouped).columnGroups()).extracting(ColumnGroupInstance::columnIds).isEqualTo(TOGETHER);
        assertThat(regrouped.rowGroupsWithVersions()).allMatch(rowGroup -> rowGroup.addedVersion() == 1);
        // the same groups again, for no row group
        assertThat(warehouse.regroup(regrouped, tableGroups(TOGETHER), TableRows.NONE).version()).isEqualTo(regrouped.version());
        // other groups for later row groups only
        AlbisTable later = warehouse.regroup(regrouped, tableGroups(APART), TableRows.NONE);
        assertThat(later.version().operation()).isEqualTo("regroup");
        assertThat(later.version().columnGroups()).isEqualTo(tableGroups(APART));
        assertThat(only(later)).isEqualTo(only(regrouped));
    }

    @Test
    void testRemovedRowGroup()
    {
        AlbisTable removed = warehouse.change(base, new RowChange(TableRows.NONE, ImmutableMap.of(), ImmutableSet.of(only(base).id()), DELETE), ReadSet.ofDelete(Scan.of(TupleDomain.all())));
        warehouse.append(removed, rows(oneRow()), ReadSet.BLIND);
        AlbisTable regrouped = regroup(base, TOGETHER);
        assertThat(regrouped.version().columnGroups()).isEqualTo(tableGroups(TOGETHER));
        assertThat(regrouped.rowGroups()).hasSize(1).noneMatch(rowGroup -> rowGroup.id().equals(only(base).id()));
    }

    @Test
    void testOtherColumnGroups()
    {
        // the table has other groups at first
        assertThat(base.version().columnGroups()).isNotIn(tableGroups(TOGETHER), tableGroups(APART));
        regroup(base, TOGETHER);
        assertRefused(CONFLICT, () -> regroup(base, APART));
        // the same groups are no conflict, and neither are the instances of the other one
        AlbisTable again = regroup(base, TOGETHER);
        assertThat(again.version().version()).isEqualTo(3);
    }

    @Test
    void testColumnsThatOthersChange()
    {
        warehouse.alter(base, new SchemaChange.DropColumn(NAME));
        assertRefused(CONFLICT, () -> regroup(base, TOGETHER));
    }

    /**
     * An update in place before a regrouping of the old values is a conflict, and after one that it does not know of it
     * is none.
     */
    @Test
    void testUpdatesInPlace()
    {
        AlbisTable regrouped = regroup(base, TOGETHER);
        RowChange update = update(base);
        AlbisTable updated = warehouse.change(base, update, ROW_BY_ROW);
        ColumnGroupInstance instance = getOnlyElement(update.rewritten().rowGroups()).columnGroups().getFirst();
        assertThat(only(updated).columnGroup(NAME)).contains(instance);
        assertThat(only(updated).columnGroup(ID).orElseThrow().id()).isEqualTo(only(regrouped).columnGroup(ID).orElseThrow().id());
        // another one that has read the old values
        assertRefused(CONFLICT, () -> warehouse.change(base, update(base), ROW_BY_ROW));
        assertRefused(CONFLICT, () -> warehouse.change(regrouped, update(regrouped), ROW_BY_ROW));
        assertRefused(CONFLICT, () -> regroup(regrouped, TOGETHER));
        // the updated values are copied, which does not make them those that others have read
        regroup(updated, TOGETHER);
        assertRefused(CONFLICT, () -> warehouse.change(base, update(base), ROW_BY_ROW));
        assertRefused(CONFLICT, () -> warehouse.change(regrouped, update(regrouped), ROW_BY_ROW));
        warehouse.change(updated, update(updated), ROW_BY_ROW);
    }

    /**
     * The columns of a row group are copied several times, and in parts.
     */
    @Test
    void testChainOfRegroupings()
    {
        AlbisTable current = base;
        for (int i = 0; i < 5; i++) {
            current = regroup(current, i % 2 == 0 ? TOGETHER : APART);
            current = warehouse.append(current, rows(oneRow()), ReadSet.BLIND);
        }
        AlbisTable updated = warehouse.change(base, update(base), ReadSet.ofScans(ImmutableList.of()));
        assertThat(updated.version().version()).isEqualTo(current.version().version() + 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {50, 150})
    void testManyVersions(int versions)
    {
        AlbisTable current = regroup(base, TOGETHER);
        for (int i = 0; i < versions; i++) {
            current = warehouse.alter(current, new Change.TableComment(Optional.of("version " + i)));
        }
        if (versions < 100) {
            warehouse.change(base, update(base), ROW_BY_ROW);
        }
        else {
            // the versions in between are too many to read
            assertRefused(CONFLICT, () -> warehouse.change(base, update(base), ROW_BY_ROW));
        }
    }

    @Test
    void testExpiredVersion()
    {
        AlbisTable tagged = warehouse.alter(base, new Change.CreateTag("base", OptionalLong.of(base.version().version())));
        AlbisTable regrouped = regroup(tagged, TOGETHER);
        warehouse.expireVersions(regrouped, Instant.now().plusSeconds(10), 1);
        // the base has a tag, but it is not known any more what has changed since
        assertRefused(CONFLICT, () -> warehouse.change(base, update(base), ROW_BY_ROW));
        warehouse.change(load(warehouse, "s", "t"), update(load(warehouse, "s", "t")), ROW_BY_ROW);
    }

    /**
     * An expiry dies after it has deleted the manifest of a version, and before it has replaced the version by a stub.
     */
    @Test
    void testPartlyExpiredVersion()
    {
        AlbisTable tagged = warehouse.alter(base, new Change.CreateTag("base", OptionalLong.of(base.version().version())));
        AlbisTable regrouped = regroup(regroup(tagged, TOGETHER), APART);
        Warehouse dying = warehouse(new HookedFileSystem(fileSystem, Hook.failAt(Kind.OVERWRITE, "/versions/0")));
        assertThatThrownBy(() -> dying.expireVersions(load(dying, "s", "t"), Instant.now().plusSeconds(10), 1)).hasRootCauseMessage("The client dies");
        assertThat(load(warehouse, "s", "t").version().isExpired(regrouped.version().version() - 1)).isTrue();
        assertRefused(CONFLICT, () -> warehouse.change(base, update(base), ROW_BY_ROW));
        warehouse.change(load(warehouse, "s", "t"), update(load(warehouse, "s", "t")), ROW_BY_ROW);
    }

    private AlbisTable regroup(AlbisTable table, List<List<Integer>> groups)
    {
        List<RowGroup> regrouped = table.rowGroups().stream()
                .map(rowGroup -> new RowGroup(
                        rowGroup.id(),
                        rowGroup.rows(),
                        groups.stream()
                                .map(columns -> new ColumnGroupInstance(UUID.randomUUID(), columns, 20, 10))
                                .collect(toImmutableList()),
                        ImmutableList.of()))
                .collect(toImmutableList());
        return warehouse.regroup(table, tableGroups(groups), TableRows.withoutSketches(regrouped));
    }

    private static RowChange update(AlbisTable table)
    {
        RowGroup rowGroup = table.rowGroups().getFirst();
        ColumnGroupInstance instance = new ColumnGroupInstance(UUID.randomUUID(), ImmutableList.of(NAME), 20, 10);
        RowGroup updated = new RowGroup(rowGroup.id(), rowGroup.rows(), ImmutableList.of(instance), ImmutableList.of());
        return new RowChange(TableRows.NONE, ImmutableMap.of(), ImmutableSet.of(), TableRows.withoutSketches(ImmutableList.of(updated)), OVERWRITE);
    }

    private static RowGroup only(AlbisTable table)
    {
        return getOnlyElement(table.rowGroups());
    }

    private static List<TableColumnGroup> tableGroups(List<List<Integer>> groups)
    {
        return groups.stream()
                .map(columns -> new TableColumnGroup(BLOCK, columns))
                .collect(toImmutableList());
    }
}
