package io.albis.table;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.RowGroup;
import io.albis.table.json.JsonFiles;
import io.albis.table.json.JsonKind;
import io.albis.table.model.TableDefinition;
import io.albis.table.model.TableException;
import io.albis.table.name.WarehouseIdentity;
import io.albis.table.put.SmallFiles;
import io.albis.table.row.ReadSet;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.local.LocalFileSystem;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.filesystem.switching.SwitchingFileSystemFactory;
import io.trino.spi.security.ConnectorIdentity;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import static io.albis.table.TableFixtures.DEFINITION;
import static io.albis.table.TableFixtures.POLICY;
import static io.albis.table.TableFixtures.ROOT;
import static io.albis.table.TableFixtures.TYPE_RESOLVER;
import static io.albis.table.TableFixtures.files;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.rowGroupIds;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.model.TableException.Reason.NOT_SUPPORTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Two machines have a warehouse at local:///warehouse, one of them a copy of the other, and share a store. Nothing
 * distinguishes the two warehouses, so neither of them may write to the store.
 */
final class TestWarehouseWithoutAuthority
{
    private static final Location WAREHOUSE = Location.of("local:///warehouse");
    private static final String SHARED = "memory:///shared";

    @TempDir
    private Path machine;

    private final MemoryFileSystem store = new MemoryFileSystem();

    @BeforeEach
    void setUp()
    {
        warehouse().createSchema("s", Optional.empty(), ImmutableMap.of());
    }

    @Test
    void testNothingIsMadeOnAnotherFileSystem()
            throws IOException
    {
        Map<String, byte[]> before = files(fileSystem(), WAREHOUSE);
        assertRefused(() -> warehouse().newTable("s", "t", at(SHARED)));
        assertRefused(() -> warehouse().createSchema("u", Optional.of(SHARED), ImmutableMap.of()));
        assertThat(files(fileSystem(), WAREHOUSE)).containsExactlyEntriesOf(before);
        // A location on the same file system belongs to the same machine
        warehouse().createTable(warehouse().newTable("s", "t", at("local:///outside")), rows(oneRow()));
        warehouse().append(load(warehouse(), "s", "t"), rows(oneRow()), ReadSet.BLIND);
    }

    /**
     * The table was created by another plugin, or before Albis refused such locations.
     */
    @Test
    void testTableOnAnotherFileSystemIsForeign()
            throws IOException
    {
        RowGroup row = oneRow();
        Warehouse stored = new Warehouse(store, ROOT, TYPE_RESOLVER, options());
        stored.createSchema("s", Optional.empty(), ImmutableMap.of());
        stored.createSchema("u", Optional.of(SHARED), ImmutableMap.of());
        stored.createTable(stored.newTable("s", "t", at(SHARED)), rows(row));
        copyToMachine();

        Map<String, byte[]> before = files(store, Location.of(SHARED));
        AlbisTable table = load(warehouse(), "s", "t");
        assertThat(rowGroupIds(table)).containsExactly(row.id());
        assertRefused(() -> warehouse().checkWritable(table));
        assertRefused(() -> warehouse().append(table, rows(oneRow()), ReadSet.BLIND));
        assertRefused(() -> warehouse().renameTable(table, "s", "renamed"));
        assertRefused(() -> warehouse().newTable("u", "t", DEFINITION));
        warehouse().dropTable(table);
        assertThat(warehouse().loadTable("s", "t")).isEmpty();
        assertThat(files(store, Location.of(SHARED))).containsExactlyEntriesOf(before);
    }

    private void copyToMachine()
            throws IOException
    {
        Path target = machine.resolve("warehouse");
        for (Map.Entry<String, byte[]> file : files(store, ROOT).entrySet()) {
            Path path = target.resolve(file.getKey().substring(ROOT.toString().length() + 1));
            Files.createDirectories(path.getParent());
            Files.write(path, file.getValue());
        }
        // The identity names this root
        JsonFiles json = new JsonFiles(TYPE_RESOLVER);
        Location location = ROOT.appendPath(".albis");
        UUID id = json.read(location, JsonKind.WAREHOUSE, WarehouseIdentity.Identity.class, SmallFiles.read(store, location).orElseThrow()).id();
        Files.write(target.resolve(".albis"), json.write(JsonKind.WAREHOUSE, id, new WarehouseIdentity.Identity(id, WAREHOUSE.toString())));
    }

    private static void assertRefused(Runnable operation)
    {
        assertThatThrownBy(operation::run)
                .isInstanceOfSatisfying(TableException.class, e -> assertThat(e.reason()).isEqualTo(NOT_SUPPORTED))
                .hasMessageContaining("cannot be distinguished from a copy");
    }

    private static TableDefinition at(String location)
    {
        return new TableDefinition(DEFINITION.columns(), DEFINITION.columnGroups(), DEFINITION.properties(), DEFINITION.comment(), Optional.of(location));
    }

    private Warehouse warehouse()
    {
        return new Warehouse(fileSystem(), WAREHOUSE, TYPE_RESOLVER, options());
    }

    private WarehouseOptions options()
    {
        return WarehouseOptions.DEFAULT
                .withLocalRoot(machine)
                .withAllowedLocations(ImmutableList.of(Location.of(SHARED), Location.of("local:///outside")))
                .withPolicy(POLICY);
    }

    private TrinoFileSystem fileSystem()
    {
        TrinoFileSystem local = new LocalFileSystem(machine);
        return new SwitchingFileSystemFactory(location -> location.scheme().equals(Optional.of("memory")) ? _ -> store : _ -> local).create(ConnectorIdentity.ofUser("user"));
    }
}
