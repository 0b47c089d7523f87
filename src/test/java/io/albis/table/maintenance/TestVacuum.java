package io.albis.table.maintenance;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.format.metadata.RowGroup;
import io.albis.table.Warehouse;
import io.albis.table.WarehouseOptions;
import io.albis.table.alter.Change.CreateTag;
import io.albis.table.maintenance.LostTable.State;
import io.albis.table.maintenance.VacuumCandidate.Reason;
import io.albis.table.model.NewTable;
import io.albis.table.model.TableDefinition;
import io.albis.table.name.NameEntry;
import io.albis.table.path.TablePaths;
import io.albis.table.row.ReadSet;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.Location;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;

import static io.albis.table.TableFixtures.DEFINITION;
import static io.albis.table.TableFixtures.ROOT;
import static io.albis.table.TableFixtures.TYPE_RESOLVER;
import static io.albis.table.TableFixtures.assertRefused;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.overwrite;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.model.TableException.Reason.CONFLICT;
import static io.albis.table.model.TableException.Reason.INVALID_DEFINITION;
import static io.albis.table.model.TableException.Reason.LOCATION_NOT_ALLOWED;
import static io.albis.table.model.TableException.Reason.TABLE_NOT_FOUND;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What vacuum frees, and what it keeps.
 */
@Timeout(120)
final class TestVacuum
        extends BaseVacuumTest
{
    @Test
    void testDroppedTable()
            throws IOException
    {
        AlbisTable table = create("t");
        table = warehouse.append(table, rows(rowGroup(table.folder())), ReadSet.BLIND);
        rowGroup(table.folder());
        AlbisTable kept = create("kept");
        warehouse.dropTable(load(warehouse, "s", "t"));
        assertThat(lost()).containsOnly(Map.entry("t", State.DROPPED));
        assertThat(warehouse.maintenance().vacuum(Optional.empty(), PAST).freed()).isEmpty();
        long files = contents(table.folder()).size();
        assertThat(files).isGreaterThan(12);

        VacuumResult result = vacuum();
        assertThat(result.freed()).hasSize(1);
        VacuumCandidate freed = result.freed().getFirst();
        assertThat(freed.reason()).isEqualTo(Reason.DROPPED_TABLE);
        assertThat(freed.location()).isEqualTo(table.folder());
        assertThat(freed.schemaName()).contains("s");
        assertThat(freed.tableName()).contains("t");
        assertThat(result.files()).isEqualTo(files);
        assertThat(result.bytes()).isGreaterThan(7 * 12);

        TablePaths paths = new TablePaths(table.folder());
        assertThat(contents(table.folder())).isEmpty();
        assertThat(files(table.folder())).contains(paths.hint().toString());
        assertThat(isStub(paths.version(1))).isTrue();
        assertThat(isStub(paths.version(2))).isTrue();
        assertThat(isStub(paths.version(3))).isFalse();
        checkComplete(load(warehouse, "s", "kept"));
        assertThat(load(warehouse, "s", "kept").version()).isEqualTo(kept.version());
        assertThat(lost()).isEmpty();
        assertThat(vacuum().freed()).isEmpty();

        AlbisTable dropped = table;
        assertRefused(INVALID_DEFINITION, () -> warehouse.maintenance().registerTable("s", "u", dropped.folder().toString()));
        assertRefused(TABLE_NOT_FOUND, () -> warehouse.append(dropped, rows(rowGroup(dropped.folder())), ReadSet.BLIND));
        // What a load leaves that goes on
        assertThat(vacuum().files()).isEqualTo(4);
        create("t");
        checkComplete(load(warehouse, "s", "t"));
    }

    /**
     * A drop that has died before its tombstone leaves an entry that every reader opens.
     */
    @Test
    void testEntryOfADroppedTableEnds()
            throws IOException
    {
        AlbisTable table = create("t");
        byte[] entry = file("memory:///warehouse/s/tables/t/00000000000000000001.json");
        warehouse.dropTable(table);
        fileSystem.deleteDirectory(Location.of("memory:///warehouse/s/tables/t"));
        overwrite(fileSystem, "memory:///warehouse/s/tables/t/00000000000000000001.json", entry);
        assertThat(warehouse.listTables("s")).containsExactly("t");
        vacuum();
        assertThat(warehouse.listTables("s")).isEmpty();
    }

    /**
     * The folder of a table that was dropped by mistake is restored to another place. Both tables have the same id.
     */
    @Test
    void testNameOfARestoredTableStays()
            throws IOException
    {
        AlbisTable table = create("t");
        Location restored = Location.of("memory:///warehouse/s/restored/" + table.folder().fileName());
        for (String file : files(table.folder())) {
            overwrite(fileSystem, file.replace(table.folder().toString(), restored.toString()), file(file));
        }
        warehouse.dropTable(table);
        warehouse.maintenance().registerTable("s", "t", restored.toString());
        assertThat(vacuum().freed()).extracting(VacuumCandidate::location).containsExactly(table.folder());
        assertThat(contents(table.folder())).isEmpty();
        checkComplete(load(warehouse, "s", "t"));
        assertThat(load(warehouse, "s", "t").folder()).isEqualTo(restored);
        assertThat(lost()).isEmpty();
    }

    @Test
    void testVersionsWithTagsAndExpiredVersions()
            throws IOException
    {
        AlbisTable table = create("t");
        for (int i = 0; i < 4; i++) {
            warehouse.append(table, rows(rowGroup(table.folder())), ReadSet.BLIND);
        }
        warehouse.alter(table, new CreateTag("tag", OptionalLong.of(2)));
        warehouse.expireVersions(table, future(), 1);
        warehouse.dropTable(load(warehouse, "s", "t"));
        vacuum();
        TablePaths paths = new TablePaths(table.folder());
        for (int version = 1; version <= 7; version++) {
            assertThat(isStub(paths.version(version))).as("version %s", version).isTrue();
        }
        assertThat(contents(table.folder())).isEmpty();
    }

    @Test
    void testTablesThatWereNotDroppedStay()
    {
        AlbisTable live = create("live");
        AlbisTable unregistered = create("unregistered");
        warehouse.maintenance().unregisterTable(unregistered);
        create("lost");
        warehouse.dropDamagedTable("s", "lost", new NameEntry("s", 1));
        AlbisTable renamed = warehouse.renameTable(create("old"), "s", "renamed");
        Set<String> before = files(ROOT);

        assertThat(vacuum().freed()).isEmpty();
        assertThat(files(ROOT)).isEqualTo(before);
        assertThat(lost()).containsOnly(Map.entry("unregistered", State.UNREGISTERED), Map.entry("lost", State.LOST));
        checkComplete(load(warehouse, "s", "live"));
        checkComplete(load(warehouse, "s", "renamed"));
        assertThat(load(warehouse, "s", "live").version()).isEqualTo(live.version());
        assertThat(load(warehouse, "s", "renamed").version()).isEqualTo(renamed.version());
        checkComplete(warehouse.maintenance().registerTable("s", "again", unregistered.folder().toString()));
        assertThat(lost()).containsOnly(Map.entry("lost", State.LOST));
    }

    @Test
    void testFailedLoad()
    {
        NewTable load = newTable("t");
        RowGroup rowGroup = rowGroup(load.folder());
        assertThat(lost()).containsOnly(Map.entry("t", State.UNFINISHED));
        assertThat(warehouse.maintenance().vacuum(Optional.empty(), PAST).freed()).isEmpty();

        VacuumResult result = vacuum();
        assertThat(result.freed()).hasSize(1);
        assertThat(result.freed().getFirst().reason()).isEqualTo(Reason.FAILED_LOAD);
        assertThat(result.freed().getFirst().tableName()).contains("t");
        assertThat(result.files()).isEqualTo(4);
        assertThat(contents(load.folder())).isEmpty();
        assertThat(lost()).isEmpty();
        assertThat(vacuum().freed()).isEmpty();

        // The load has only been slow
        assertRefused(CONFLICT, () -> warehouse.createTable(load, rows(rowGroup)));
        assertThat(warehouse.loadTable("s", "t")).isEmpty();
        assertThat(warehouse.listTables("s")).isEmpty();
        rowGroup(load.folder());
        // It has no version that anybody could read, so it needs no retention
        assertThat(vacuum().files()).isEqualTo(4);
        create("t");
    }

    @Test
    void testLoadThatHasWrittenRecently()
            throws Exception
    {
        NewTable load = newTable("t");
        RowGroup first = rowGroup(load.folder());
        Instant before = Instant.now();
        while (!Instant.now().isAfter(before.plusMillis(2))) {
            Thread.sleep(1);
        }
        RowGroup second = rowGroup(load.folder());
        assertThat(warehouse.maintenance().vacuum(Optional.empty(), before).freed()).isEmpty();
        warehouse.createTable(load, rows(first, second));
        checkComplete(load(warehouse, "s", "t"));
    }

    /**
     * Files that do not belong to a table stay, and so does a folder of a load that contains such files.
     */
    @Test
    void testOtherFiles()
    {
        AlbisTable table = create("t");
        RowGroup rowGroup = table.rowGroups().getFirst();
        Set<Location> others = ImmutableSet.of(
                table.folder().appendPath("notes.txt"),
                RowGroup.folder(table.folder(), rowGroup.id()).appendPath("notes.txt"),
                table.folder().appendPath("manifests/notes.txt"),
                table.folder().appendPath("versions/notes.json"),
                Location.of(table.folder() + "x/00/rg-" + rowGroup.id() + "/cg-" + rowGroup.id() + "/data"));
        others.forEach(this::write);
        warehouse.dropTable(table);
        NewTable load = newTable("load");
        rowGroup(load.folder());
        write(load.folder().appendPath("schema/schema"));
        Set<String> files = files(load.folder());

        vacuum();
        assertThat(contents(table.folder())).containsExactlyInAnyOrderElementsOf(others.stream()
                .filter(other -> other.toString().startsWith(table.folder() + "/"))
                .map(Location::toString)
                .toList());
        assertThat(files(Location.of(table.folder() + "x"))).hasSize(1);
        assertThat(files(load.folder())).isEqualTo(files);
    }

    @Test
    void testTableAtALocationNearby()
    {
        AlbisTable table = create("t");
        TableDefinition definition = new TableDefinition(DEFINITION.columns(), DEFINITION.columnGroups(), DEFINITION.properties(), DEFINITION.comment(), Optional.of(table.folder() + "0"));
        NewTable near = warehouse.newTable("s", "near", definition);
        warehouse.createTable(near, rows(rowGroup(near.folder())));
        warehouse.dropTable(table);
        assertThat(vacuum().freed()).hasSize(1);
        checkComplete(load(warehouse, "s", "near"));
        warehouse.dropTable(load(warehouse, "s", "near"));
        // A location in the warehouse is found wherever it is
        assertThat(vacuum().freed()).hasSize(1);
        assertThat(contents(near.folder())).isEmpty();
    }

    @Test
    void testLocationOutside()
    {
        warehouse.createSchema("outside", Optional.of("memory:///elsewhere/schema"), ImmutableMap.of());
        NewTable inSchema = warehouse.newTable("outside", "t", DEFINITION);
        warehouse.dropTable(warehouse.createTable(inSchema, rows(rowGroup(inSchema.folder()))));
        NewTable load = warehouse.newTable("outside", "load", DEFINITION);
        rowGroup(load.folder());
        TableDefinition definition = new TableDefinition(DEFINITION.columns(), DEFINITION.columnGroups(), DEFINITION.properties(), DEFINITION.comment(), Optional.of("memory:///elsewhere/tables"));
        NewTable alone = warehouse.newTable("s", "alone", definition);
        warehouse.dropTable(warehouse.createTable(alone, rows(rowGroup(alone.folder()))));

        // The locations of schemas are known, and those of tables are not
        assertThat(lost()).containsOnly(Map.entry("t", State.DROPPED), Map.entry("load", State.UNFINISHED));
        assertThat(vacuum().freed()).hasSize(2);
        assertThat(contents(inSchema.folder())).isEmpty();
        assertThat(contents(load.folder())).isEmpty();
        assertRefused(CONFLICT, () -> warehouse.createTable(load, rows()));
        assertThat(contents(alone.folder())).isNotEmpty();
        assertThat(warehouse.maintenance().vacuum(Optional.of("memory:///elsewhere/tables/"), future()).freed()).hasSize(1);
        assertThat(contents(alone.folder())).isEmpty();
        assertRefused(LOCATION_NOT_ALLOWED, () -> warehouse.maintenance().vacuum(Optional.of("memory:///secret"), future()));
    }

    /**
     * A table inside of another warehouse does not say that it belongs there.
     */
    @Test
    void testOtherWarehouseInside()
    {
        Warehouse inner = new Warehouse(fileSystem, Location.of("memory:///warehouse/teams/inner"), TYPE_RESOLVER);
        inner.createSchema("s", Optional.empty(), ImmutableMap.of());
        NewTable dropped = inner.newTable("s", "t", DEFINITION);
        inner.dropTable(inner.createTable(dropped, rows(rowGroup(dropped.folder()))));
        NewTable load = inner.newTable("s", "load", DEFINITION);
        rowGroup(load.folder());
        TableDefinition definition = new TableDefinition(DEFINITION.columns(), DEFINITION.columnGroups(), DEFINITION.properties(), DEFINITION.comment(), Optional.of("memory:///warehouse/teams/inner/location"));
        NewTable located = inner.newTable("s", "located", definition);
        rowGroup(located.folder());
        Set<String> files = files(ROOT);

        assertThat(vacuum().freed()).isEmpty();
        assertThat(files(ROOT)).isEqualTo(files);
        assertThat(lost()).isEmpty();
        assertThat(warehouse.maintenance().vacuum(Optional.of("memory:///warehouse/teams/inner/location"), future()).freed()).isEmpty();
        assertThat(warehouse.maintenance().vacuum(Optional.of("memory:///warehouse/teams/inner/s"), future()).freed()).isEmpty();
        assertThat(files(ROOT)).isEqualTo(files);
        assertThat(vacuum(inner).freed()).hasSize(3);
    }

    /**
     * A copy of a warehouse refers to the same folders outside of both.
     */
    @Test
    void testCopyOfTheWarehouse()
            throws IOException
    {
        warehouse.createSchema("outside", Optional.of("memory:///elsewhere/schema"), ImmutableMap.of());
        NewTable table = warehouse.newTable("outside", "t", DEFINITION);
        warehouse.dropTable(warehouse.createTable(table, rows(rowGroup(table.folder()))));
        for (String file : files(ROOT)) {
            overwrite(fileSystem, file.replace("memory:///warehouse/", "memory:///own/"), file(file));
        }
        Warehouse copy = new Warehouse(fileSystem, Location.of("memory:///own"), TYPE_RESOLVER, WarehouseOptions.DEFAULT.withAllowedLocations(List.of(Location.of("memory:///elsewhere"))));
        Set<String> files = files(Location.of("memory:///elsewhere"));
        assertThat(vacuum(copy).freed()).isEmpty();
        assertThat(copy.maintenance().vacuum(Optional.of("memory:///elsewhere/schema"), future()).freed()).isEmpty();
        assertThat(copy.maintenance().findLostTables(Optional.of("memory:///elsewhere/schema"))).isEmpty();
        assertThat(files(Location.of("memory:///elsewhere"))).isEqualTo(files);
        assertThat(vacuum().freed()).hasSize(1);
    }

    @Test
    void testDamagedTables()
            throws IOException
    {
        AlbisTable withoutVersions = create("t");
        fileSystem.deleteDirectory(new TablePaths(withoutVersions.folder()).versionsFolder());
        AlbisTable withoutNewest = create("u");
        warehouse.append(withoutNewest, rows(rowGroup(withoutNewest.folder())), ReadSet.BLIND);
        fileSystem.deleteFile(new TablePaths(withoutNewest.folder()).version(2));
        AlbisTable damaged = create("v");
        overwrite(fileSystem, new TablePaths(damaged.folder()).version(1).toString(), new byte[3]);
        AlbisTable dropped = create("w");
        warehouse.dropTable(dropped);
        overwrite(fileSystem, new TablePaths(dropped.folder()).version(2).toString(), new byte[3]);
        Set<String> files = files(ROOT);

        assertThat(vacuum().freed()).isEmpty();
        assertThat(files(ROOT)).isEqualTo(files);
        // Names refer to the others
        assertThat(lost()).containsOnly(Map.entry("w", State.DAMAGED));
    }

    /**
     * An entry that cannot be read may refer to any folder without versions.
     */
    @Test
    void testDamagedEntry()
            throws IOException
    {
        create("t");
        overwrite(fileSystem, "memory:///warehouse/s/tables/t/00000000000000000001.json", new byte[3]);
        NewTable load = newTable("load");
        rowGroup(load.folder());
        assertThat(vacuum().freed()).isEmpty();
        assertThat(contents(load.folder())).isNotEmpty();
        // The entry may also refer to the load
        assertThat(lost()).containsOnly(Map.entry("t", State.NAME_DAMAGED));
        warehouse.dropDamagedTable("s", "t", new NameEntry("s", 1));
        assertThat(lost()).containsOnly(Map.entry("t", State.LOST), Map.entry("load", State.UNFINISHED));
        assertThat(vacuum().freed()).hasSize(1);
    }

    @Test
    void testTemporaryFiles()
    {
        AlbisTable table = create("t");
        Location inTable = new TablePaths(table.folder()).versionsFolder().appendPath("." + UUID.randomUUID() + ".tmp");
        Location ofName = Location.of("memory:///warehouse/s/tables/t/." + UUID.randomUUID() + ".tmp");
        Location ofSchema = Location.of("memory:///warehouse/s/.schema/." + UUID.randomUUID() + ".tmp");
        Location other = new TablePaths(table.folder()).versionsFolder().appendPath(".x.tmp");
        for (Location file : List.of(inTable, ofName, ofSchema, other)) {
            write(file);
        }
        assertThat(warehouse.maintenance().vacuum(Optional.empty(), PAST).freed()).isEmpty();
        VacuumResult result = vacuum();
        assertThat(result.freed()).extracting(VacuumCandidate::reason).containsOnly(Reason.TEMPORARY_FILES);
        assertThat(result.files()).isEqualTo(3);
        assertThat(files(ROOT)).contains(other.toString()).doesNotContain(inTable.toString(), ofName.toString(), ofSchema.toString());
        checkComplete(load(warehouse, "s", "t"));
    }

    @Test
    void testDryRun()
    {
        warehouse.dropTable(create("t"));
        rowGroup(newTable("load").folder());
        write(Location.of("memory:///warehouse/s/.schema/." + UUID.randomUUID() + ".tmp"));
        Set<String> files = files(ROOT);
        VacuumResult dryRun = warehouse.maintenance().vacuumDryRun(Optional.empty(), future());
        assertThat(files(ROOT)).isEqualTo(files);
        assertThat(dryRun.freed()).hasSize(3);
        assertThat(vacuum().freed()).isEqualTo(dryRun.freed());
        assertThat(warehouse.maintenance().vacuumDryRun(Optional.empty(), future()).freed()).isEmpty();
    }
}
