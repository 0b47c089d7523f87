package io.albis.table.row;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.table.Warehouse;
import io.albis.table.alter.Change;
import io.albis.table.alter.SchemaChange;
import io.albis.table.model.IndexedColumns;
import io.albis.table.model.TableColumnGroup;
import io.albis.table.model.TableRows;
import io.albis.table.row.ReadSet.Scan;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.predicate.TupleDomain;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.Iterables.getOnlyElement;
import static io.albis.format.schema.AlbisLayout.BLOCK;
import static io.albis.table.TableFixtures.assertRefused;
import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.warehouse;
import static io.albis.table.model.TableException.Reason.CONFLICT;
import static io.albis.table.model.TableOperation.DELETE;
import static io.albis.table.model.TableOperation.OVERWRITE;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Commits that add and remove indexes of columns.
 */
final class TestIndexChange
{
    private static final int ID = 1;
    private static final int NAME = 2;
    private static final List<TableColumnGroup> TOGETHER = ImmutableList.of(new TableColumnGroup(BLOCK, ImmutableList.of(NAME, ID)));
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
    void testIndexes()
    {
        AlbisTable added = add(base, NAME);
        assertThat(added.version().version()).isEqualTo(2);
        assertThat(added.version().operation()).isEqualTo("regroup");
        assertThat(added.version().schemaId()).isEqualTo(base.version().schemaId());
        assertThat(added.version().columnGroups()).isEqualTo(base.version().columnGroups());
        assertThat(indexed(added)).containsExactly(NAME);
        assertThat(only(added).columnGroup(NAME)).isNotEqualTo(only(base).columnGroup(NAME));
        assertThat(added.rowGroupsWithVersions()).allMatch(rowGroup -> rowGroup.addedVersion() == 1);
        // the same index again, for no row group
        assertThat(warehouse.addIndexes(added, ImmutableSet.of(NAME), TableRows.NONE).version()).isEqualTo(added.version());
        // for later row groups only
        AlbisTable later = warehouse.addIndexes(added, ImmutableSet.of(ID), TableRows.NONE);
        assertThat(later.version().operation()).isEqualTo("regroup");
        assertThat(indexed(later)).containsExactlyInAnyOrder(ID, NAME);
        assertThat(only(later)).isEqualTo(only(added));
        AlbisTable dropped = warehouse.dropIndexes(later, ImmutableSet.of(NAME, ID), TableRows.NONE);
        assertThat(dropped.version().properties()).isEqualTo(base.version().properties());
    }

    /**
     * Statements that change the indexes of different columns do not conflict unless they write the same files.
     */
    @Test
    void testOtherIndexes()
    {
        warehouse.addIndexes(base, ImmutableSet.of(ID), TableRows.NONE);
        AlbisTable both = add(base, NAME);
        assertThat(indexed(both)).containsExactlyInAnyOrder(ID, NAME);
        assertThat(indexed(warehouse.dropIndexes(base, ImmutableSet.of(ID), TableRows.NONE))).containsExactly(NAME);
    }

    @Test
    void testSameIndex()
    {
        add(base, NAME);
        // the values are the same, so it does not matter which of the files stay
        AlbisTable again = add(base, NAME);
        assertThat(again.version().version()).isEqualTo(3);
        assertThat(indexed(again)).containsExactly(NAME);
    }

    /**
     * A statement that has written the columns of others again has not written their new indexes, or has written those
     * that were dropped.
     */
    @Test
    void testOtherIndexesOfSameFiles()
    {
        TableRows both = TableRows.withoutSketches(ImmutableList.of(withNewInstance(only(base), ImmutableList.of(NAME, ID))));
        AlbisTable added = warehouse.addIndexes(base, ImmutableSet.of(ID), TableRows.NONE);
        assertRefused(CONFLICT, () -> warehouse.addIndexes(base, ImmutableSet.of(NAME), both));
        assertRefused(CONFLICT, () -> warehouse.regroup(base, TOGETHER, both));
        warehouse.dropIndexes(added, ImmutableSet.of(ID), TableRows.NONE);
        assertRefused(CONFLICT, () -> warehouse.addIndexes(added, ImmutableSet.of(NAME), both));
        assertRefused(CONFLICT, () -> warehouse.regroup(added, TOGETHER, both));
        // the indexes of the base again
        assertThat(indexed(warehouse.addIndexes(base, ImmutableSet.of(NAME), both))).containsExactly(NAME);
    }

    /**
     * The files have the old column groups.
     */
    @Test
    void testColumnGroupsThatOthersChange()
    {
        warehouse.regroup(base, TOGETHER, TableRows.NONE);
        assertRefused(CONFLICT, () -> add(base, NAME));
        // later writes have the new column groups and the index
        assertThat(indexed(warehouse.addIndexes(base, ImmutableSet.of(NAME), TableRows.NONE))).containsExactly(NAME);
    }

    @Test
    void testColumnsThatOthersChange()
    {
        warehouse.alter(base, new SchemaChange.DropColumn(NAME));
        assertRefused(CONFLICT, () -> add(base, NAME));
        assertRefused(CONFLICT, () -> warehouse.addIndexes(base, ImmutableSet.of(NAME), TableRows.NONE));
    }

    @Test
    void testRowsThatOthersChange()
    {
        AlbisTable updated = warehouse.change(base, update(base), ROW_BY_ROW);
        // the files have the old values
        assertRefused(CONFLICT, () -> add(base, NAME));
        AlbisTable added = add(updated, NAME);
        // an update that began before them is still valid
        AlbisTable again = warehouse.change(updated, update(updated), ROW_BY_ROW);
        assertThat(only(again).columnGroup(NAME)).isNotEqualTo(only(added).columnGroup(NAME));
        assertThat(indexed(again)).containsExactly(NAME);
    }

    @Test
    void testRemovedRowGroup()
    {
        AlbisTable removed = warehouse.change(base, new RowChange(TableRows.NONE, ImmutableMap.of(), ImmutableSet.of(only(base).id()), DELETE), ReadSet.ofDelete(Scan.of(TupleDomain.all())));
        warehouse.append(removed, rows(oneRow()), ReadSet.BLIND);
        AlbisTable added = add(base, NAME);
        assertThat(indexed(added)).containsExactly(NAME);
        assertThat(only(added).id()).isNotEqualTo(only(base).id());
    }

    @Test
    void testPropertiesThatOthersChange()
    {
        warehouse.alter(base, new Change.Properties(ImmutableMap.of("isolation_level", "SNAPSHOT"), ImmutableSet.of()));
        AlbisTable added = add(base, NAME);
        assertThat(added.version().properties()).containsEntry("isolation_level", "SNAPSHOT").containsEntry("indexed_by", "2");
    }

    private AlbisTable add(AlbisTable table, int column)
    {
        List<RowGroup> written = table.rowGroups().stream()
                .map(rowGroup -> withNewInstance(rowGroup, ImmutableList.of(column)))
                .collect(toImmutableList());
        return warehouse.addIndexes(table, ImmutableSet.of(column), TableRows.withoutSketches(written));
    }

    private static RowChange update(AlbisTable table)
    {
        RowGroup updated = withNewInstance(table.rowGroups().getFirst(), ImmutableList.of(NAME));
        return new RowChange(TableRows.NONE, ImmutableMap.of(), ImmutableSet.of(), TableRows.withoutSketches(ImmutableList.of(updated)), OVERWRITE);
    }

    private static RowGroup withNewInstance(RowGroup rowGroup, List<Integer> columns)
    {
        ColumnGroupInstance instance = new ColumnGroupInstance(UUID.randomUUID(), columns, 20, 10);
        return new RowGroup(rowGroup.id(), rowGroup.rows(), ImmutableList.of(instance), ImmutableList.of());
    }

    private static Set<Integer> indexed(AlbisTable table)
    {
        return IndexedColumns.of(table.version().properties());
    }

    private static RowGroup only(AlbisTable table)
    {
        return getOnlyElement(table.rowGroups());
    }
}
