package io.albis.table.alter;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.StatisticsDomains;
import io.albis.format.run.Compression;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.InitialValue;
import io.albis.table.alter.SchemaChange.AddColumn;
import io.albis.table.alter.SchemaChange.ColumnPlace;
import io.albis.table.alter.SchemaChange.DropColumn;
import io.albis.table.alter.SchemaChange.DropNotNull;
import io.albis.table.alter.SchemaChange.RenameColumn;
import io.albis.table.alter.SchemaChange.SetDefault;
import io.albis.table.alter.SchemaChange.SetType;
import io.albis.table.model.TableColumn;
import io.albis.table.model.TableColumnGroup;
import io.albis.table.model.TableDefinition;
import io.albis.table.model.TableRows;
import io.albis.table.path.TablePaths;
import io.albis.table.row.ReadSet;
import io.albis.table.row.ReadSet.Scan;
import io.albis.table.version.AlbisTable;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import static com.google.common.collect.Iterables.getOnlyElement;
import static io.airlift.slice.Slices.utf8Slice;
import static io.albis.format.schema.AlbisLayout.BLOCK;
import static io.albis.format.schema.AlbisLayout.ROW;
import static io.albis.table.TableFixtures.assertRefused;
import static io.albis.table.TableFixtures.files;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.overwrite;
import static io.albis.table.TableFixtures.withChecksum;
import static io.albis.table.model.SchemaFeatures.COLUMN_DEFAULTS;
import static io.albis.table.model.SchemaFeatures.INITIAL_VALUES;
import static io.albis.table.model.SchemaFeatures.WIDENED_COLUMNS;
import static io.albis.table.model.TableException.Reason.ALREADY_EXISTS;
import static io.albis.table.model.TableException.Reason.CONFLICT;
import static io.albis.table.model.TableException.Reason.NOT_SUPPORTED;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Changes of columns.
 */
final class TestSchemaChanges
        extends BaseSchemaChangesTest
{
    @Test
    void testAddColumn()
    {
        AlbisTable base = createTable();
        AlbisTable last = warehouse.alter(base, add("c", BIGINT, ColumnPlace.last()));
        assertThat(names(last)).containsExactly("id", "name", "c");
        assertThat(last.version().lastColumnId()).isEqualTo(ADDED);
        // a group of its own, with the layout of the one before it
        assertThat(last.version().columnGroups()).containsExactly(
                new TableColumnGroup(BLOCK, ImmutableList.of(ID)),
                new TableColumnGroup(ROW, ImmutableList.of(NAME)),
                new TableColumnGroup(ROW, ImmutableList.of(ADDED)));
        AlbisTable after = warehouse.alter(last, add("b", BIGINT, new ColumnPlace(ID)));
        assertThat(names(after)).containsExactly("id", "b", "name", "c");
        assertThat(after.version().columnGroups().get(1)).isEqualTo(new TableColumnGroup(BLOCK, ImmutableList.of(4)));
        AlbisTable first = warehouse.alter(after, add("a", BIGINT, ColumnPlace.first()));
        assertThat(names(first)).containsExactly("a", "id", "b", "name", "c");
        assertThat(first.version().columnGroups().getFirst()).isEqualTo(new TableColumnGroup(BLOCK, ImmutableList.of(5)));
        // no file of a row group and no manifest is written
        assertThat(first.version().manifests()).isEqualTo(base.version().manifests());
        assertThat(first.version().operation()).isEqualTo("alter");
        assertThat(load(warehouse, "s", "t").version()).isEqualTo(first.version());
        // a reader keeps its version
        assertThat(names(base)).containsExactly("id", "name");
        assertRefused(ALREADY_EXISTS, () -> warehouse.alter(base, add("c", VARCHAR, ColumnPlace.last())));
        assertRefused(CONFLICT, () -> warehouse.alter(base, add("d", VARCHAR, new ColumnPlace(9))));
    }

    /**
     * The only column group of a table remains the only one, so new row groups have as many files as before.
     */
    @Test
    void testAddColumnToOnlyGroup()
    {
        TableColumn id = new TableColumn(ID, "id", INTEGER, true, Optional.empty());
        TableColumn name = new TableColumn(NAME, "name", VARCHAR, true, Optional.empty());
        AlbisTable base = createTable("together", ImmutableList.of(id, name), new TableColumnGroup(ROW, ImmutableList.of(NAME, ID), Optional.of(Compression.LZ4)));
        AlbisTable last = warehouse.alter(base, add("c", BIGINT, ColumnPlace.last()));
        assertThat(last.version().columnGroups()).containsExactly(new TableColumnGroup(ROW, ImmutableList.of(NAME, ADDED, ID), Optional.of(Compression.LZ4)));
        AlbisTable first = warehouse.alter(last, add("a", BIGINT, ColumnPlace.first()));
        assertThat(first.version().columnGroups()).containsExactly(new TableColumnGroup(ROW, ImmutableList.of(4, NAME, ADDED, ID), Optional.of(Compression.LZ4)));
        // the row group of the first version keeps its group, and nothing stores the new columns
        assertThat(first.version().manifests()).isEqualTo(base.version().manifests());

        // a single column may be together with the others or apart from them
        AlbisTable single = createTable("single", ImmutableList.of(id), new TableColumnGroup(BLOCK, ImmutableList.of(ID)));
        AddColumn apart = new AddColumn("b", BIGINT, true, Optional.empty(), Optional.empty(), Optional.empty(), ColumnPlace.last(), true);
        assertThat(apart.apply(single.version()).columnGroups()).containsExactly(new TableColumnGroup(BLOCK, ImmutableList.of(ID)), new TableColumnGroup(BLOCK, ImmutableList.of(NAME)));
        assertThat(add("b", BIGINT, ColumnPlace.last()).apply(single.version()).columnGroups()).containsExactly(new TableColumnGroup(BLOCK, ImmutableList.of(ID, NAME)));
        assertThat(apart.apply(base.version()).columnGroups()).hasSize(1);
    }

    private AlbisTable createTable(String tableName, List<TableColumn> columns, TableColumnGroup columnGroup)
    {
        return warehouse.createTable(warehouse.newTable("s", tableName, new TableDefinition(columns, ImmutableList.of(columnGroup), ImmutableMap.of(), Optional.empty(), Optional.empty())), TableRows.NONE);
    }

    @Test
    void testAddNotNullColumn()
    {
        AddColumn withoutValue = new AddColumn("c", BIGINT, false, Optional.empty(), Optional.empty(), Optional.empty(), ColumnPlace.last(), false);
        AlbisTable base = createTable();
        assertRefused(NOT_SUPPORTED, () -> warehouse.alter(base, withoutValue));
        AlbisTable added = warehouse.alter(base, new AddColumn("c", BIGINT, false, Optional.empty(), Optional.of("7"), Optional.of(InitialValue.of(BIGINT, 7L)), ColumnPlace.last(), false));
        assertThat(added.version().features()).contains(INITIAL_VALUES);
        assertThat(added.version().writerFeatures()).contains(COLUMN_DEFAULTS);
        assertThat(load(warehouse, "s", "t").version().columns().getLast()).isEqualTo(new TableColumn(ADDED, "c", BIGINT, false, Optional.empty(), Optional.of("7"), Optional.of(InitialValue.of(BIGINT, 7L))));
        // in a table without rows, there is nothing that could be null, or that needs a value
        AlbisTable empty = warehouse.createTable(warehouse.newTable("s", "empty", DEFINITION), TableRows.NONE);
        AlbisTable notNull = warehouse.alter(empty, withoutValue);
        assertThat(notNull.version().columns().getLast().nullable()).isFalse();
        AlbisTable withDefault = warehouse.alter(notNull, new AddColumn("d", BIGINT, true, Optional.empty(), Optional.of("7"), Optional.of(InitialValue.of(BIGINT, 7L)), ColumnPlace.last(), false));
        assertThat(withDefault.version().columns().getLast().initial()).isEmpty();
        assertThat(withDefault.version().features()).isEmpty();
    }

    /**
     * A column has its initial value in row groups that do not store it, and bounds say so.
     */
    @Test
    void testInitialValueInBounds()
    {
        AlbisTable base = createTable();
        AlbisTable added = warehouse.alter(base, new AddColumn("c", BIGINT, true, Optional.empty(), Optional.empty(), Optional.of(InitialValue.of(BIGINT, 7L)), ColumnPlace.last(), false));
        AlbisColumn column = added.version().columns().getLast().toAlbisColumn();
        AlbisTable appended = warehouse.append(added, rows(rowGroup(added, 1, 2)), ReadSet.BLIND);
        assertThat(appended.version().manifests())
                .filteredOn(manifest -> manifest.bounds().find(ADDED).isPresent())
                .isNotEmpty()
                .allSatisfy(manifest -> {
                    assertThat(manifest.bounds().find(ADDED).orElseThrow().nullCount()).isEqualTo(0);
                    assertThat(manifest.overlaps(TupleDomain.withColumnDomains(ImmutableMap.of(column, Domain.singleValue(BIGINT, 7L))))).isTrue();
                    assertThat(manifest.overlaps(TupleDomain.withColumnDomains(ImmutableMap.of(column, Domain.singleValue(BIGINT, 8L))))).isFalse();
                });
        for (RowGroup rowGroup : appended.rowGroups()) {
            assertThat(StatisticsDomains.overlaps(rowGroup, TupleDomain.withColumnDomains(ImmutableMap.of(column, Domain.singleValue(BIGINT, 7L))))).isTrue();
            assertThat(StatisticsDomains.overlaps(rowGroup, TupleDomain.withColumnDomains(ImmutableMap.of(column, Domain.onlyNull(BIGINT))))).isFalse();
            assertThat(StatisticsDomains.containsAll(rowGroup, TupleDomain.withColumnDomains(ImmutableMap.of(column, Domain.notNull(BIGINT))))).isTrue();
        }
    }

    @Test
    void testDamagedInitialValue()
            throws IOException
    {
        AlbisTable base = createTable();
        AlbisTable added = warehouse.alter(base, new AddColumn("c", BIGINT, true, Optional.empty(), Optional.empty(), Optional.of(InitialValue.of(BIGINT, 7L)), ColumnPlace.last(), false));
        String version = new TablePaths(added.folder()).version(2).toString();
        String text = new String(files(fileSystem, added.folder()).get(version), UTF_8);
        assertThat(text).contains("\"initial\":\"BwAAAAAAAAA=\"");
        for (String damage : List.of("\"initial\":\"BwAA\"", "\"initial\":\"?\"", "\"initial\":7")) {
            overwrite(fileSystem, version, withChecksum(text.replace("\"initial\":\"BwAAAAAAAAA=\"", damage)));
            assertThatThrownBy(() -> load(warehouse, "s", "t"))
                    .as(damage)
                    .hasStackTraceContaining("Damaged Albis file " + version);
        }
        // a reader that did not know the feature would return nulls
        overwrite(fileSystem, version, withChecksum(text.replace("\"features\":[\"initial-values\"]", "\"features\":[]")));
        assertThatThrownBy(() -> load(warehouse, "s", "t")).hasStackTraceContaining("a column has an initial value, but features does not contain initial-values");
        overwrite(fileSystem, version, text.getBytes(UTF_8));
        assertThat(load(warehouse, "s", "t").version()).isEqualTo(added.version());
    }

    /**
     * Readers repeat the initial value for each row, so a long one would take much memory.
     */
    @Test
    void testLongInitialValue()
    {
        AddColumn longest = new AddColumn("c", VARCHAR, true, Optional.empty(), Optional.empty(), Optional.of(InitialValue.of(VARCHAR, utf8Slice("x".repeat(1024)))), ColumnPlace.last(), false);
        AddColumn longer = new AddColumn("d", VARCHAR, true, Optional.empty(), Optional.empty(), Optional.of(InitialValue.of(VARCHAR, utf8Slice("x".repeat(1025)))), ColumnPlace.last(), false);
        AlbisTable table = warehouse.alter(createTable(), longest);
        assertRefused(NOT_SUPPORTED, () -> warehouse.alter(table, longer));
        warehouse.dropTable(table);
        AlbisTable empty = warehouse.createTable(warehouse.newTable("s", "t", DEFINITION), TableRows.NONE);
        assertThat(names(warehouse.alter(empty, longer))).containsExactly("id", "name", "d");
    }

    @Test
    void testDropColumn()
    {
        AlbisTable base = createTable();
        AlbisTable dropped = warehouse.alter(base, new DropColumn(NAME));
        assertThat(names(dropped)).containsExactly("id");
        assertThat(dropped.version().columnGroups()).containsExactly(new TableColumnGroup(BLOCK, ImmutableList.of(ID)));
        assertThat(dropped.version().manifests().getFirst().bounds().find(NAME)).isEmpty();
        assertThat(dropped.version().manifests().getFirst().bounds().find(ID)).isPresent();
        assertRefused(CONFLICT, () -> warehouse.alter(base, new DropColumn(NAME)));
        assertRefused(NOT_SUPPORTED, () -> warehouse.alter(dropped, new DropColumn(ID)));
        // the id and the values of the dropped column never come back
        AlbisTable again = warehouse.alter(dropped, add("name", VARCHAR, ColumnPlace.last()));
        assertThat(again.version().columns().getLast().id()).isEqualTo(ADDED);
        // except by a return to an earlier version
        AlbisTable restored = warehouse.rollback(again, 1);
        assertThat(restored.version().columns()).isEqualTo(base.version().columns());
        assertThat(restored.version().lastColumnId()).isEqualTo(ADDED);
    }

    /**
     * The column group of a dropped column leaves the entry of a row group when that is written for another reason.
     */
    @Test
    void testEntryAfterDrop()
            throws IOException
    {
        AlbisTable base = createTable();
        RowGroup before = getOnlyElement(base.rowGroups());
        AlbisTable dropped = warehouse.alter(warehouse.alter(base, new DropColumn(NAME)), add("c", BIGINT, ColumnPlace.last()));
        assertThat(getOnlyElement(dropped.rowGroups())).isEqualTo(before);
        AlbisTable deleted = warehouse.change(dropped, delete(dropped), ReadSet.ofDelete(Scan.of(TupleDomain.all())));
        RowGroup after = getOnlyElement(deleted.rowGroups());
        assertThat(after.columnGroups()).isEqualTo(before.columnGroups().subList(0, 1));
        assertThat(after.statistics(ID)).isEqualTo(before.statistics(ID));
        assertThat(after.statistics(NAME)).isEmpty();
        // a row group keeps one column group, even if the table has no column of it any more
        AlbisTable withoutColumns = warehouse.alter(deleted, new DropColumn(ID));
        AlbisTable filled = warehouse.change(withoutColumns, fill(withoutColumns, ADDED), ReadSet.wholeTable());
        assertThat(getOnlyElement(filled.rowGroups()).columnIds()).containsExactly(ADDED);
        assertThat(getOnlyElement(withoutColumns.rowGroups()).columnIds()).containsExactly(ID);
        assertThat(getOnlyElement(warehouse.rollback(filled, 1).rowGroups())).isEqualTo(before);
    }

    @Test
    void testDropColumnOfGroup()
    {
        TableDefinition definition = new TableDefinition(DEFINITION.columns(), ImmutableList.of(new TableColumnGroup(BLOCK, ImmutableList.of(NAME, ID))), ImmutableMap.of(), Optional.empty(), Optional.empty());
        AlbisTable base = warehouse.createTable(warehouse.newTable("s", "t", definition), TableRows.NONE);
        assertThat(warehouse.alter(base, new DropColumn(NAME)).version().columnGroups()).containsExactly(new TableColumnGroup(BLOCK, ImmutableList.of(ID)));
    }

    @Test
    void testRenameColumn()
    {
        AlbisTable base = createTable();
        AlbisTable renamed = warehouse.alter(base, new RenameColumn(ID, "number"));
        assertThat(names(renamed)).containsExactly("number", "name");
        assertThat(renamed.version().columns().getFirst()).isEqualTo(base.version().columns().getFirst().withName("number"));
        assertRefused(ALREADY_EXISTS, () -> warehouse.alter(base, new RenameColumn(NAME, "number")));
        assertThat(names(warehouse.alter(renamed, new RenameColumn(NAME, "id")))).containsExactly("number", "id");
        assertThat(names(warehouse.alter(renamed, new RenameColumn(NAME, "id")))).containsExactly("number", "id");
        assertRefused(CONFLICT, () -> warehouse.alter(base, new RenameColumn(9, "x")));
    }

    @Test
    void testSetType()
    {
        AlbisTable base = createTable();
        AlbisTable widened = warehouse.alter(base, new SetType(ID, BIGINT));
        assertThat(widened.version().columns().getFirst().type()).isEqualTo(BIGINT);
        assertThat(widened.version().features()).containsExactly(WIDENED_COLUMNS);
        // the bounds of the manifest have the new type, and prune as before
        AlbisColumn column = widened.version().columns().getFirst().toAlbisColumn();
        assertThat(widened.select(TupleDomain.withColumnDomains(ImmutableMap.of(column, Domain.singleValue(BIGINT, 5L)))).manifests()).isEqualTo(1);
        assertThat(widened.select(TupleDomain.withColumnDomains(ImmutableMap.of(column, Domain.singleValue(BIGINT, 50L)))).manifests()).isEqualTo(0);
        // also after they were merged with bounds of the new type
        AlbisTable appended = warehouse.append(widened, rows(rowGroup(widened, 20, 30)), ReadSet.BLIND);
        assertThat(appended.select(TupleDomain.withColumnDomains(ImmutableMap.of(column, Domain.singleValue(BIGINT, 5L)))).manifests()).isEqualTo(1);
        assertThat(appended.select(TupleDomain.withColumnDomains(ImmutableMap.of(column, Domain.singleValue(BIGINT, 50L)))).manifests()).isEqualTo(0);
        assertRefused(NOT_SUPPORTED, () -> warehouse.alter(appended, new SetType(ID, INTEGER)));
        assertRefused(NOT_SUPPORTED, () -> warehouse.alter(appended, new SetType(ID, VARCHAR)));
        assertThat(warehouse.rollback(appended, 1).version().columns()).isEqualTo(base.version().columns());
    }

    @Test
    void testInitialValueIsWidened()
    {
        AlbisTable base = createTable();
        AlbisTable added = warehouse.alter(base, new AddColumn("c", INTEGER, true, Optional.empty(), Optional.empty(), Optional.of(InitialValue.of(INTEGER, 7L)), ColumnPlace.last(), false));
        AlbisTable widened = warehouse.alter(added, new SetType(ADDED, BIGINT));
        assertThat(widened.version().columns().getLast().initial()).contains(InitialValue.of(BIGINT, 7L));
        assertThat(load(warehouse, "s", "t").version()).isEqualTo(widened.version());
    }

    @Test
    void testDefault()
    {
        AlbisTable base = createTable();
        AlbisTable set = warehouse.alter(base, new SetDefault(NAME, VARCHAR, Optional.of("'x'")));
        assertThat(set.version().columns().getLast().defaultValue()).contains("'x'");
        assertThat(set.version().writerFeatures()).containsExactly(COLUMN_DEFAULTS);
        AlbisTable dropped = warehouse.alter(set, new SetDefault(NAME, VARCHAR, Optional.empty()));
        assertThat(dropped.version().columns().getLast().defaultValue()).isEmpty();
        // the feature remains, because a rollback can restore the default value
        assertThat(dropped.version().writerFeatures()).containsExactly(COLUMN_DEFAULTS);
        assertThat(warehouse.rollback(dropped, 2).version().columns()).isEqualTo(set.version().columns());
    }

    @Test
    void testNotNull()
            throws IOException
    {
        AlbisTable base = createTable();
        // one of the names is null
        assertRefused(NOT_SUPPORTED, () -> warehouse.setNotNull(base, NAME));
        assertThat(warehouse.setNotNull(base, ID).version().version()).isEqualTo(1);
        AlbisTable nullable = warehouse.alter(base, new DropNotNull(ID));
        assertThat(nullable.version().columns().getFirst().nullable()).isTrue();
        AlbisTable notNull = warehouse.setNotNull(nullable, ID);
        assertThat(notNull.version().columns().getFirst().nullable()).isFalse();
        AlbisTable added = warehouse.alter(notNull, add("c", BIGINT, ColumnPlace.last()));
        assertRefused(NOT_SUPPORTED, () -> warehouse.setNotNull(added, ADDED));
        AlbisTable withValue = warehouse.alter(added, new AddColumn("d", BIGINT, true, Optional.empty(), Optional.empty(), Optional.of(InitialValue.of(BIGINT, 7L)), ColumnPlace.last(), false));
        assertThat(warehouse.setNotNull(withValue, 4).version().columns().getLast().nullable()).isFalse();
        assertRefused(CONFLICT, () -> warehouse.setNotNull(withValue, 9));
    }

    /**
     * An UPDATE writes a column group without the column that was dropped from it.
     */
    @Test
    void testUpdateAfterDrop()
    {
        TableDefinition definition = new TableDefinition(DEFINITION.columns(), ImmutableList.of(new TableColumnGroup(BLOCK, ImmutableList.of(NAME, ID))), ImmutableMap.of(), Optional.empty(), Optional.empty());
        RowGroup both = new RowGroup(UUID.randomUUID(), 10, ImmutableList.of(new ColumnGroupInstance(UUID.randomUUID(), ImmutableList.of(NAME, ID), 100, 50)), ImmutableList.of(statistics(ID, 0, INTEGER, 1, 9), statistics(NAME, 1)));
        AlbisTable base = warehouse.createTable(warehouse.newTable("s", "t", definition), rows(both));
        AlbisTable dropped = warehouse.alter(base, new DropColumn(NAME));
        AlbisTable updated = warehouse.change(dropped, fill(dropped, ID), ReadSet.wholeTable());
        RowGroup after = getOnlyElement(updated.rowGroups());
        assertThat(after.columnIds()).containsExactly(ID);
        assertThat(after.statistics(NAME)).isEmpty();
        assertThat(getOnlyElement(warehouse.rollback(updated, 1).rowGroups()).columnGroups()).isEqualTo(both.columnGroups());
    }
}
