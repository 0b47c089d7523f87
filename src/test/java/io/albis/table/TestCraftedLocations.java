package io.albis.table;

import com.google.common.collect.ImmutableMap;
import io.albis.format.io.AlbisDataException;
import io.albis.format.metadata.RowGroup;
import io.albis.table.HookedFileSystem.Hook;
import io.albis.table.HookedFileSystem.Operation;
import io.albis.table.alter.Change;
import io.albis.table.model.TableDefinition;
import io.albis.table.model.TableException;
import io.albis.table.path.WarehousePaths;
import io.albis.table.row.ReadSet;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;

import static io.albis.format.io.AlbisDataException.Reason.DAMAGED;
import static io.albis.table.TableFixtures.DEFINITION;
import static io.albis.table.TableFixtures.POLICY;
import static io.albis.table.TableFixtures.ROOT;
import static io.albis.table.TableFixtures.TYPE_RESOLVER;
import static io.albis.table.TableFixtures.assertRefused;
import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.files;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.overwrite;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.warehouse;
import static io.albis.table.TableFixtures.withChecksum;
import static io.albis.table.model.TableException.Reason.LOCATION_NOT_ALLOWED;
import static io.albis.table.model.TableException.Reason.NOT_SUPPORTED;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Files with valid checksums that refer to folders outside of the warehouse. Whatever they contain, nothing outside is
 * written, and nothing is read except tables of other warehouses, as {@code docs/security.md} describes.
 */
final class TestCraftedLocations
{
    private static final Location VICTIM = Location.of("memory:///victim");

    private final MemoryFileSystem fileSystem = new MemoryFileSystem();
    // locations outside of the warehouse
    private final List<String> reads = new ArrayList<>();
    private final List<String> writes = new ArrayList<>();
    private final Warehouse warehouse = warehouse(new HookedFileSystem(fileSystem, new Hook()
    {
        @Override
        public void before(Operation operation)
        {
            String location = operation.location().toString();
            assertThat(location + "/").doesNotContain("/../");
            if (!location.startsWith(ROOT + "/")) {
                boolean isWrite = switch (operation.kind()) {
                    case READ, LENGTH, EXISTS, LIST -> false;
                    case CREATE, CREATE_EXCLUSIVE, OVERWRITE, DELETE, RENAME -> true;
                };
                (isWrite ? writes : reads).add(operation.kind() + " " + location);
            }
        }
    }));
    private AlbisTable victim;
    private Map<String, byte[]> victimFiles;

    @BeforeEach
    void setUp()
            throws IOException
    {
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        createTable(warehouse, "s", "t", oneRow());
        Warehouse other = new Warehouse(fileSystem, VICTIM, TYPE_RESOLVER, WarehouseOptions.DEFAULT.withPolicy(POLICY));
        other.createSchema("s", Optional.empty(), ImmutableMap.of());
        victim = createTable(other, "s", "t", oneRow());
        victimFiles = files(fileSystem, VICTIM);
    }

    /**
     * Such a folder is refused before anything is read, whether it is relative or absolute.
     */
    @ParameterizedTest
    @ValueSource(strings = {
            "..",
            "../victim/s",
            "s/../../victim/s",
            "s/..",
            "/victim/s",
            "./s",
            "s/./t",
            "s//t",
            "s/",
    })
    void testRelativeFolder(String path)
            throws IOException
    {
        assertRefusedUnread("{\"path\":\"%s\"}".formatted(path));
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "memory:///own/../victim/s",
            "memory:///own/./s",
            "memory:///own//s",
            "memory:///..",
            "mem/ry:///own/s",
            "memory:///",
            "victim",
            "/victim/s",
            "",
    })
    void testAbsoluteFolder(String path)
            throws IOException
    {
        assertRefusedUnread("{\"warehouse\":\"%s\",\"path\":\"%s\"}".formatted(ownId(), path));
    }

    /**
     * Asserts that neither a table nor a schema can have the folder, and that nothing in it is read or written.
     */
    private void assertRefusedUnread(String folder)
            throws IOException
    {
        craftEntry(folder);
        assertDamaged(() -> warehouse.loadTable("s", "t"));
        craftSchema(folder);
        assertDamaged(() -> warehouse.getSchema("s"));
        assertDamaged(() -> warehouse.newTable("s", "x", DEFINITION));
        assertThat(warehouse.listTables("s")).containsExactly("t");
        maintain();
        assertThat(reads).isEmpty();
        assertThat(writes).isEmpty();
    }

    /**
     * The entry says that this warehouse may write to a table, and the versions say that it may not.
     */
    @Test
    void testTableInAnotherWarehouse()
            throws IOException
    {
        String id = ownId();
        // A missing hint is repaired only in a table that is writable
        fileSystem.deleteFile(victim.folder().appendPath("versions/hint"));
        victimFiles = files(fileSystem, VICTIM);
        craftEntry("{\"warehouse\":\"%s\",\"path\":\"%s\"}".formatted(id, victim.folder()), victim);
        assertDamaged(() -> warehouse.loadTable("s", "t"));
        assertDamaged(() -> warehouse.renameTable(victim, "s", "u"));
        assertDamaged(() -> warehouse.dropTable(victim));
        maintain();
        assertVictimIsUnchanged();
    }

    /**
     * A table of another warehouse can be read, as in a copy of a warehouse.
     */
    @Test
    void testTableOfAnotherWarehouse()
            throws IOException
    {
        Warehouse other = new Warehouse(fileSystem, VICTIM, TYPE_RESOLVER, WarehouseOptions.DEFAULT.withPolicy(POLICY).withAllowedLocations(List.of(Location.of("memory:///shared"))));
        AlbisTable shared = other.createTable(other.newTable("s", "shared", new TableDefinition(DEFINITION.columns(), DEFINITION.columnGroups(), DEFINITION.properties(), DEFINITION.comment(), Optional.of("memory:///shared"))), rows(oneRow()));
        victimFiles = files(fileSystem, VICTIM);
        Map<String, byte[]> sharedFiles = files(fileSystem, Location.of("memory:///shared"));
        for (String id : List.of(shared.version().warehouse().orElseThrow().toString(), ownId())) {
            craftEntry("{\"warehouse\":\"%s\",\"path\":\"%s\"}".formatted(id, shared.folder()), shared);
            if (id.equals(ownId())) {
                assertDamaged(() -> warehouse.loadTable("s", "t"));
                continue;
            }
            AlbisTable table = load(warehouse, "s", "t");
            assertThat(table.rowGroups()).hasSize(1);
            assertRefused(NOT_SUPPORTED, () -> warehouse.append(table, rows(oneRow()), ReadSet.BLIND));
            assertRefused(NOT_SUPPORTED, () -> warehouse.alter(table, new Change.TableComment(Optional.of("mine"))));
            assertRefused(NOT_SUPPORTED, () -> warehouse.truncate(table));
            assertRefused(NOT_SUPPORTED, () -> warehouse.renameTable(table, "s", "u"));
            assertRefused(NOT_SUPPORTED, () -> warehouse.expireVersions(table, Instant.MAX, 1));
            assertRefused(NOT_SUPPORTED, () -> warehouse.removeOrphans(table, Instant.MAX));
            assertRefused(NOT_SUPPORTED, () -> warehouse.maintenance().unregisterTable(table));
        }
        maintain();
        assertVictimIsUnchanged();
        assertThat(files(fileSystem, Location.of("memory:///shared"))).usingRecursiveComparison().isEqualTo(sharedFiles);
    }

    /**
     * New tables need a location that the catalog allows, whatever the entry of the schema says.
     */
    @Test
    void testSchemaInAnotherWarehouse()
            throws IOException
    {
        Location schema = VICTIM.appendPath("s");
        assertThat(victim.folder().toString()).startsWith(schema + "/");
        // a load of the other warehouse that has not put its first version
        RowGroup loaded = oneRow();
        Location load = WarehousePaths.newTableFolder(schema, "x", UUID.randomUUID());
        overwrite(fileSystem, loaded.dataFile(load, loaded.columnGroups().getFirst()).toString(), new byte[10]);
        victimFiles = files(fileSystem, VICTIM);
        craftSchema("{\"warehouse\":\"%s\",\"path\":\"%s\"}".formatted(ownId(), schema));
        assertRefused(LOCATION_NOT_ALLOWED, () -> warehouse.newTable("s", "x", DEFINITION));
        maintain();
        assertVictimIsUnchanged();
    }

    /**
     * Names are encoded, so no name leads out of the folder of the names.
     */
    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "../..", "/victim", "../../victim/s/tables/t", "a/../../b", "\\\\", "%2e%2e"})
    void testNames(String name)
            throws IOException
    {
        AlbisTable table = load(warehouse, "s", "t");
        String version = location("/versions/0");
        craft(version, "\"schemaName\":\"s\",\"tableName\":\"t\"", "\"schemaName\":\"%s\",\"tableName\":\"%s\"".formatted(name, name));
        String entry = location("/tables/t/0");
        String oldEntry = "\"renamedFrom\":{\"number\":1,\"schemaName\":\"%s\",\"tableName\":\"%s\"}".formatted(name, name);
        craft(entry, "\"generation\"", oldEntry + ",\"generation\"");
        assertThat(load(warehouse, "s", "t").uuid()).isEqualTo(table.uuid());
        warehouse.renameTable(load(warehouse, "s", "t"), "s", "u");
        maintain();
        warehouse.dropTable(load(warehouse, "s", "u"));
        maintain();
        assertThat(reads).isEmpty();
        assertThat(writes).isEmpty();
        assertVictimIsUnchanged();
    }

    private void maintain()
    {
        for (String tableName : List.of("t", "u")) {
            try {
                Optional<AlbisTable> table = warehouse.loadTable("s", tableName);
                if (table.isPresent()) {
                    warehouse.expireVersions(table.get(), Instant.now().plusSeconds(100), 1);
                    warehouse.removeOrphans(table.get(), Instant.now().plusSeconds(100));
                }
            }
            catch (UncheckedIOException e) {
                assertThat(e.getCause()).isInstanceOf(AlbisDataException.class);
            }
            catch (TableException e) {
                assertThat(e.reason()).isEqualTo(NOT_SUPPORTED);
            }
        }
        assertThat(warehouse.maintenance().findLostTables(Optional.empty())).isNotNull();
        assertThat(warehouse.maintenance().vacuum(Optional.empty(), Instant.now().plusSeconds(100))).isNotNull();
    }

    private void assertVictimIsUnchanged()
            throws IOException
    {
        assertThat(writes).isEmpty();
        assertThat(files(fileSystem, VICTIM)).usingRecursiveComparison().isEqualTo(victimFiles);
    }

    private static void assertDamaged(Runnable read)
    {
        assertThatThrownBy(read::run)
                .isInstanceOf(UncheckedIOException.class)
                .cause()
                .isInstanceOfSatisfying(AlbisDataException.class, e -> assertThat(e.reason()).as(e.getMessage()).isEqualTo(DAMAGED));
    }

    /**
     * Returns the id of the warehouse, which it gets with its first folder outside.
     */
    private String ownId()
            throws IOException
    {
        if (!warehouse.schemaExists("outside")) {
            warehouse.createSchema("outside", Optional.of("memory:///own"), ImmutableMap.of());
            warehouse.dropSchema("outside");
            warehouse.createSchema("outside", Optional.empty(), ImmutableMap.of());
            reads.clear();
        }
        return id(new String(read(fileSystem, ROOT + "/.albis"), UTF_8));
    }

    private static String id(String text)
    {
        return text.substring(text.indexOf("\"id\":\"") + 6).substring(0, 36);
    }

    private static byte[] read(TrinoFileSystem fileSystem, String location)
            throws IOException
    {
        return files(fileSystem, ROOT).get(location);
    }

    private void craftEntry(String folder)
            throws IOException
    {
        craft(location("/tables/t/0"), "\"folder\":\\{[^}]*}", "\"folder\":" + folder);
    }

    private void craftEntry(String folder, AlbisTable table)
            throws IOException
    {
        craftEntry(folder);
        craft(location("/tables/t/0"), "\"uuid\":\"[^\"]*\"", "\"uuid\":\"%s\"".formatted(table.uuid()));
    }

    private void craftSchema(String folder)
            throws IOException
    {
        craft(location("/.schema/0"), "\"properties\"", "\"location\":%s,\"properties\"".formatted(folder));
    }

    private void craft(String location, String pattern, String replacement)
            throws IOException
    {
        String text = new String(read(fileSystem, location), UTF_8);
        String crafted = text.replaceFirst(pattern, Matcher.quoteReplacement(replacement));
        assertThat(crafted).contains(replacement);
        overwrite(fileSystem, location, withChecksum(crafted));
    }

    private String location(String part)
            throws IOException
    {
        return files(fileSystem, ROOT.appendPath("s")).keySet().stream()
                .filter(location -> location.contains(part))
                .findFirst().orElseThrow();
    }
}
