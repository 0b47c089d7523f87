package io.albis.table.catalog;

import io.albis.format.metadata.RowGroup;
import io.albis.table.HookedFileSystem;
import io.albis.table.HookedFileSystem.Hook;
import io.albis.table.HookedFileSystem.Kind;
import io.albis.table.Warehouse;
import io.albis.table.maintenance.LostTable;
import io.albis.table.model.NewTable;
import io.albis.table.model.TableException;
import io.albis.table.name.NameEntry;
import io.albis.table.path.TablePaths;
import io.albis.table.put.SmallFiles;
import io.albis.table.row.ReadSet;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.Location;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import static io.albis.table.TableFixtures.DEFINITION;
import static io.albis.table.TableFixtures.assertRefused;
import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.rowGroupIds;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.warehouse;
import static io.albis.table.model.TableException.Reason.ALREADY_EXISTS;
import static io.albis.table.model.TableException.Reason.CONFLICT;
import static io.albis.table.model.TableException.Reason.INVALID_DEFINITION;
import static io.albis.table.model.TableException.Reason.LOCATION_NOT_ALLOWED;
import static io.albis.table.model.TableException.Reason.NOT_SUPPORTED;
import static io.albis.table.model.TableException.Reason.OUTCOME_UNKNOWN;
import static io.albis.table.model.TableException.Reason.SCHEMA_NOT_FOUND;
import static io.albis.table.model.TableException.Reason.TABLE_NOT_FOUND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tables lose their names and get others.
 */
@Timeout(300)
final class TestTableRegistration
        extends BaseRegistrationTest
{
    @Test
    void testUnregisteredTableIsRegisteredAgain()
            throws IOException
    {
        unregister(warehouse, "t");
        assertThat(warehouse.loadTable("s", "t")).isEmpty();
        assertThat(warehouse.listTables("s")).isEmpty();

        AlbisTable registered = warehouse.maintenance().registerTable("z", "u", table.folder() + "/");
        assertThat(registered.uuid()).isEqualTo(table.uuid());
        assertThat(load(warehouse, "z", "u").rowGroups()).containsExactly(row);
        assertThat(load(warehouse, "z", "u").version().writerFeatures()).isEmpty();
        assertThat(warehouse.listTables("z")).containsExactly("u");
        // A table goes on as before, with all its versions
        RowGroup second = oneRow();
        AlbisTable appended = warehouse.append(registered, rows(second), ReadSet.BLIND);
        assertThat(appended.version().version()).isEqualTo(4);
        assertThat(warehouse.history(appended).get(1).rowCount()).isEqualTo(1);
        warehouse.renameTable(appended, "s", "t");
        assertThat(rowGroupIds(load(warehouse, "s", "t"))).containsExactlyInAnyOrder(row.id(), second.id());
        warehouse.dropTable(load(warehouse, "s", "t"));
        assertRefused(INVALID_DEFINITION, () -> register(warehouse, "t", table));
    }

    @Test
    void testNameOfAnUnregisteredTableIsFree()
    {
        unregister(warehouse, "t");
        AlbisTable other = createTable(warehouse, "s", "t");
        assertRefused(ALREADY_EXISTS, () -> register(warehouse, "t", table));
        assertThat(load(warehouse, "s", "t").uuid()).isEqualTo(other.uuid());
        register(warehouse, "u", table);
        assertThat(load(warehouse, "s", "u").rowGroups()).containsExactly(row);
    }

    @Test
    void testWritersAreRefused()
    {
        unregister(warehouse, "t");
        assertRefused(CONFLICT, () -> warehouse.append(table, rows(oneRow()), ReadSet.BLIND));
        assertRefused(CONFLICT, () -> warehouse.truncate(table));
        assertRefused(TABLE_NOT_FOUND, () -> warehouse.dropTable(table));
        assertRefused(TABLE_NOT_FOUND, () -> warehouse.renameTable(table, "s", "u"));
        assertRefused(TABLE_NOT_FOUND, () -> warehouse.maintenance().unregisterTable(table));
        register(warehouse, "t", table);
        // A statement that began before goes on
        warehouse.append(table, rows(oneRow()), ReadSet.BLIND);
        assertThat(load(warehouse, "s", "t").rowGroups()).hasSize(2);
    }

    @Test
    void testRefusedRegistrations()
            throws IOException
    {
        assertRefused(ALREADY_EXISTS, () -> register(warehouse, "u", table));
        warehouse.renameTable(table, "s", "v");
        assertRefused(ALREADY_EXISTS, () -> register(warehouse, "u", table));
        AlbisTable dropped = createTable(warehouse, "s", "dropped");
        warehouse.dropTable(dropped);
        assertRefused(INVALID_DEFINITION, () -> register(warehouse, "u", dropped));
        // Nothing of a registration is left
        assertThat(warehouse.listTables("s")).containsExactly("v");
        for (String location : new String[] {"memory:///warehouse", "memory:///warehouse/s", "memory:///warehouse/s/tables", "memory:///warehouse/s/.schema", "memory:///warehouse/s/../s/t-" + table.uuid(), "s", "", "memory:///warehouse/s/none-" + UUID.randomUUID(), "memory:///warehouse/s/" + table.uuid()}) {
            assertThatThrownBy(() -> warehouse.maintenance().registerTable("s", "u", location))
                    .as(location)
                    .isInstanceOfSatisfying(TableException.class, e -> assertThat(e.reason()).isIn(INVALID_DEFINITION, LOCATION_NOT_ALLOWED, NOT_SUPPORTED));
        }
        unregister(warehouse, "v");
        assertRefused(SCHEMA_NOT_FOUND, () -> warehouse.maintenance().registerTable("none", "u", table.folder().toString()));
    }

    @Test
    void testTableWhoseEntryWasDropped()
    {
        // What DROP does if the table cannot be loaded
        warehouse.dropDamagedTable("s", "t", new NameEntry("s", 1));
        assertThat(warehouse.loadTable("s", "t")).isEmpty();
        register(warehouse, "t", table);
        assertThat(load(warehouse, "s", "t").rowGroups()).containsExactly(row);
    }

    @Test
    void testSecondAttemptToCreateAnUnregisteredTable()
    {
        NewTable created = warehouse.newTable("s", "c", DEFINITION);
        AlbisTable first = warehouse.createTable(created, rows(row));
        warehouse.maintenance().unregisterTable(first);
        assertRefused(CONFLICT, () -> warehouse.createTable(created, rows(oneRow())));
        assertThat(warehouse.loadTable("s", "c")).isEmpty();
        register(warehouse, "c", first);
        assertThat(load(warehouse, "s", "c").rowGroups()).containsExactly(row);
    }

    /**
     * The client of a registration dies before it puts the new name.
     */
    @Test
    void testRegistrationOfALostTableDies()
    {
        warehouse.dropDamagedTable("s", "t", new NameEntry("s", 1));
        Warehouse dying = warehouse(new HookedFileSystem(fileSystem, Hook.stallAt(Kind.LIST, "/s/tables/u", 2, () -> {
            throw new UncheckedIOException(new IOException("The client dies"));
        })));
        assertThatThrownBy(() -> register(dying, "u", table)).hasMessageContaining("The client dies");
        assertThat(warehouse.listTables("s")).isEmpty();
        assertThat(warehouse.maintenance().findLostTables(Optional.empty())).extracting(LostTable::state).containsExactly(LostTable.State.UNREGISTERED);
        register(warehouse, "v", table);
        assertThat(load(warehouse, "s", "v").rowGroups()).containsExactly(row);
    }

    @Test
    void testLostTableWhoseNewNameIsTaken()
    {
        AlbisTable other = createTable(warehouse, "s", "other");
        warehouse.dropDamagedTable("s", "t", new NameEntry("s", 1));
        assertRefused(ALREADY_EXISTS, () -> register(warehouse, "other", table));
        // Nothing was written
        assertThat(warehouse.maintenance().findLostTables(Optional.empty())).extracting(LostTable::state).containsExactly(LostTable.State.LOST);
        assertThat(load(warehouse, "s", "other").uuid()).isEqualTo(other.uuid());
    }

    /**
     * The entry of a registration shows that a version without a name has existed. It never takes another name away.
     */
    @Test
    void testVersionOfARegistrationIsLost()
            throws IOException
    {
        unregister(warehouse, "t");
        register(warehouse, "u", table);
        TablePaths paths = new TablePaths(table.folder());
        for (Location lost : List.of(paths.version(2), paths.version(3), paths.hint())) {
            fileSystem.deleteFile(lost);
        }
        assertThatThrownBy(() -> warehouse.loadTable("s", "u")).isInstanceOf(UncheckedIOException.class).hasMessageContaining("is missing");
        assertThat(SmallFiles.exists(fileSystem, paths.version(2))).isFalse();
    }

    /**
     * Whoever looks up the name completes a registration whose client has died.
     */
    @Test
    void testRegistrationDies()
    {
        unregister(warehouse, "t");
        Warehouse dying = warehouse(new HookedFileSystem(fileSystem, Hook.failAt(Kind.CREATE_EXCLUSIVE, "/versions/")));
        assertRefused(OUTCOME_UNKNOWN, () -> register(dying, "u", table));
        assertThat(load(warehouse, "s", "u").rowGroups()).containsExactly(row);
        assertThat(load(warehouse, "s", "u").version().isUnregistered()).isFalse();
    }

    @Test
    void testLostVersionIsNoticed()
            throws IOException
    {
        unregister(warehouse, "t");
        register(warehouse, "u", table);
        warehouse.append(load(warehouse, "s", "u"), rows(oneRow()), ReadSet.BLIND);
        fileSystem.deleteFile(new TablePaths(table.folder()).version(4));
        assertThatThrownBy(() -> warehouse.loadTable("s", "u")).isInstanceOf(UncheckedIOException.class).hasMessageContaining("is missing");
        assertThatThrownBy(() -> register(warehouse, "v", table)).isInstanceOf(UncheckedIOException.class).hasMessageContaining("is missing");
    }
}
