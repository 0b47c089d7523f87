package io.albis.table.name;

import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.RowGroup;
import io.albis.table.HookedFileSystem;
import io.albis.table.HookedFileSystem.Hook;
import io.albis.table.HookedFileSystem.Kind;
import io.albis.table.HookedFileSystem.Operation;
import io.albis.table.Warehouse;
import io.albis.table.WarehouseOptions;
import io.albis.table.model.TableException;
import io.albis.table.path.NumberedFiles;
import io.albis.table.put.StorageCalls.StorageCall;
import io.albis.table.row.ReadSet;
import io.albis.table.storage.FileEvents;
import io.albis.table.storage.FileEvents.Event;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.local.LocalFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.table.TableFixtures.POLICY;
import static io.albis.table.TableFixtures.TYPE_RESOLVER;
import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.localWarehouse;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.viewDefinition;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * A process sees names that another process has put but not forced to disk yet. Its own commits must not depend on
 * these names before they are durable.
 */
final class TestDurableNames
{
    @TempDir
    private Path root;

    @Test
    void testInsert()
            throws Exception
    {
        Warehouse other = another();
        createTable(other, "s", "t", oneRow());

        List<String> forced = forced(() -> {
            Warehouse warehouse = localWarehouse(root, "local:///warehouse");
            warehouse.append(load(warehouse, "s", "t"), rows(oneRow()), ReadSet.BLIND);
        });

        assertThat(indexOf(forced, "s/tables/t")).isLessThan(indexOf(forced, "s/t-[^/]*/versions"));
        assertThat(indexOf(forced, "s/.schema")).isLessThan(indexOf(forced, "s/t-[^/]*/versions"));
    }

    @Test
    void testCreate()
            throws Exception
    {
        another();

        List<String> forced = forced(() -> createTable(localWarehouse(root, "local:///warehouse"), "s", "t", oneRow()));

        assertThat(indexOf(forced, "s/.schema")).isLessThan(indexOf(forced, "s/tables/t"));
    }

    /**
     * A version of a view is durable before the entry that refers to it, and the entry before the next version.
     */
    @Test
    void testView()
            throws Exception
    {
        Warehouse other = localWarehouse(root, "local:///warehouse");
        other.createSchema("s", Optional.empty(), ImmutableMap.of());

        List<String> created = forced(() -> localWarehouse(root, "local:///warehouse").views().create("s", "v", viewDefinition(), Optional.empty(), Optional.empty()));

        assertThat(indexOf(created, "s/v-[^/]*/versions")).isLessThan(indexOf(created, "s/tables/v"));
        assertThat(indexOf(created, "s/.schema")).isLessThan(indexOf(created, "s/tables/v"));
        // The marker of the entry is forced before the entry, in the same folder
        assertThat(created.stream().filter("s/tables/v"::equals).count()).isGreaterThanOrEqualTo(2);

        List<String> replaced = forced(() -> {
            Warehouse warehouse = localWarehouse(root, "local:///warehouse");
            warehouse.views().replace(load(warehouse, "s", "v"), viewDefinition(), Optional.empty(), Optional.empty());
        });

        assertThat(indexOf(replaced, "s/tables/v")).isLessThan(indexOf(replaced, "s/v-[^/]*/versions"));
        assertThat(indexOf(replaced, "s/.schema")).isLessThan(indexOf(replaced, "s/v-[^/]*/versions"));
    }

    /**
     * Files outside the warehouse refer to the id in its file {@code .albis}.
     */
    @Test
    void testIdentityOfTheWarehouse()
            throws Exception
    {
        Warehouse warehouse = localWarehouse(root, "local:///warehouse");
        warehouse.createSchema("own", Optional.empty(), ImmutableMap.of());
        localWarehouse(root, "local:///warehouse").createSchema("other", Optional.of("local:///outside/other"), ImmutableMap.of());

        List<String> forced = forced(() -> warehouse.createSchema("s", Optional.of("local:///outside/s"), ImmutableMap.of()));

        assertThat(indexOf(forced, "")).isLessThan(indexOf(forced, "s/.schema"));
    }

    /**
     * The process that completes a RENAME begun by another process ends the old name.
     */
    @Test
    void testRenameOfAnother()
            throws Exception
    {
        Warehouse other = another();
        AlbisTable table = createTable(other, "s", "a", oneRow());
        AlbisTable renamed = other.renameTable(table, "s", "b");
        // The state after a process died before committing the new name
        Path folder = root.resolve(table.folder().path());
        Files.delete(folder.resolve("versions/" + NumberedFiles.fileName(renamed.version().version())));
        Files.delete(folder.resolve("versions/hint"));
        Files.delete(root.resolve("warehouse/s/tables/a/" + NumberedFiles.fileName(2)));

        List<String> forced = forced(() -> load(localWarehouse(root, "local:///warehouse"), "s", "b"));

        // The first one is that of the old version, before the hint is repaired
        int version = forced.size() - 1 - indexOf(forced.reversed(), "s/a-[^/]*/versions");
        assertThat(indexOf(forced, "s/tables/b")).isLessThan(version);
        assertThat(version).isLessThan(indexOf(forced, "s/tables/a"));
    }

    /**
     * The client that has begun to rename a schema has died. If only the new name survived a power failure, both
     * schemas would have the tables.
     */
    @Test
    void testRenameOfSchemaOfAnother()
            throws Exception
    {
        Warehouse other = another();
        createTable(other, "s", "t", oneRow());
        renameAndDie();

        List<String> completed = forced(() -> localWarehouse(root, "local:///warehouse").renameSchema("s", "z"));

        assertThat(load(other, "z", "t").rowGroups()).hasSize(1);
        assertThat(indexOf(completed, "s/.schema")).isLessThan(indexOf(completed, "z/.schema"));
        // The marker of the entry is forced before the entry, in the same folder
        assertThat(completed.stream().filter("z/.schema"::equals).count()).isGreaterThanOrEqualTo(2);

        // No schema would have the tables if only the next schema of the old name survived
        List<String> created = forced(() -> localWarehouse(root, "local:///warehouse").createSchema("s", Optional.empty(), ImmutableMap.of()));
        assertThat(indexOf(created, "z/.schema")).isLessThan(indexOf(created, "s/.schema"));

        // The entries with which the keys of the schemas were created
        assertThat(indexOf(forced(() -> createTable(localWarehouse(root, "local:///warehouse"), "z", "u", oneRow())), "s/.schema")).isNotNegative();
        List<String> entry = forced(() -> createTable(localWarehouse(root, "local:///warehouse"), "s", "u", oneRow()));
        assertThat(indexOf(entry, "s/.schema")).isLessThan(indexOf(entry, "s-%523/tables/u"));

        // The other schema gets the name of a schema that was renamed
        other.renameSchema("z", "y");
        List<String> renamed = forced(() -> localWarehouse(root, "local:///warehouse").renameSchema("s", "z"));
        assertThat(indexOf(renamed, "y/.schema")).isLessThan(indexOf(renamed, "s/.schema"));
    }

    /**
     * Another schema has got the new name, for which reason the schema keeps its old one. If only the copy of the old
     * entry survived a power failure, a late client could still complete the rename.
     */
    @Test
    void testSchemaThatKeepsItsName()
            throws Exception
    {
        Warehouse other = another();
        renameAndDie();
        localWarehouse(root, "local:///warehouse").createSchema("z", Optional.empty(), ImmutableMap.of());

        List<String> forced = forced(() -> assertThatThrownBy(() -> localWarehouse(root, "local:///warehouse").renameSchema("s", "z"))
                .isInstanceOf(TableException.class)
                .hasMessage("Schema 'z' already exists"));

        assertThat(other.listSchemas()).containsExactlyInAnyOrder("s", "z");
        assertThat(Files.exists(root.resolve("warehouse/s/.schema/" + NumberedFiles.fileName(3)))).isTrue();
        assertThat(forced).contains("z/.schema");
        assertThat(forced.lastIndexOf("z/.schema")).isLessThan(forced.lastIndexOf("s/.schema"));
    }

    /**
     * Leaves the state after a process died before it put the entry of the new name.
     */
    private void renameAndDie()
            throws IOException
    {
        localWarehouse(root, "local:///warehouse").renameSchema("s", "z");
        Files.delete(root.resolve("warehouse/z/.schema/" + NumberedFiles.fileName(1)));
        Files.delete(root.resolve("warehouse/z/.schema/" + NumberedFiles.renamedName(1)));
        assertThat(localWarehouse(root, "local:///warehouse").listSchemas()).containsExactly("s");
    }

    /**
     * A hint that outlives its version after a power failure would look like a lost version. A reader that writes the
     * hint forces the version first, which another process may have just created.
     */
    @Test
    void testReaderRepairsTheHint()
            throws Exception
    {
        Warehouse other = another();
        AlbisTable table = createTable(other, "s", "t", oneRow());
        Path versions = root.resolve(table.folder().path()).resolve("versions");
        Files.delete(versions.resolve("hint"));

        List<Event> events = FileEvents.record(versions, () -> load(localWarehouse(root, "local:///warehouse"), "s", "t"));

        assertThat(versions.resolve("hint")).exists();
        assertThat(events).isNotEmpty();
        assertThat(events.getFirst().force()).isTrue();
        assertThat(events.getFirst().path()).isEqualTo(versions);
        assertThat(events.stream().anyMatch(event -> !event.force())).isTrue();
    }

    /**
     * The client that has dropped the table may have died before the version without a name was durable. After a power
     * failure, the table would exist again, without its files.
     */
    @Test
    void testVacuumOfATableThatAnotherHasDropped()
            throws Exception
    {
        Warehouse other = another();
        other.dropTable(createTable(other, "s", "t", oneRow()));
        Files.delete(root.resolve("warehouse/s/tables/t/" + NumberedFiles.fileName(2)));

        List<String> forced = forced(() -> localWarehouse(root, "local:///warehouse").maintenance().vacuum(Optional.empty(), Instant.now().plusSeconds(10)));

        assertThat(indexOf(forced, "s/t-[^/]*/versions")).isLessThan(indexOf(forced, "s/tables/t"));
    }

    /**
     * The entry of a registration must not outlive the version without a name that precedes it.
     */
    @Test
    void testRegistrationOfATableThatAnotherHasUnregistered()
            throws Exception
    {
        Warehouse other = another();
        AlbisTable table = createTable(other, "s", "t", oneRow());
        other.maintenance().unregisterTable(table);

        List<String> forced = forced(() -> localWarehouse(root, "local:///warehouse").maintenance().registerTable("s", "u", table.folder().toString()));

        assertThat(indexOf(forced, "s/t-[^/]*/versions")).isLessThan(indexOf(forced, "s/tables/u"));
    }

    /**
     * A CREATE TABLE that has died before its entry leaves no folder of the name.
     */
    @Test
    void testRegistrationOfATableWithoutAnyEntry()
            throws Exception
    {
        Warehouse other = another();
        AlbisTable table = createTable(other, "s", "t", oneRow());
        Files.delete(root.resolve("warehouse/s/tables/t/" + NumberedFiles.fileName(1)));
        Files.delete(root.resolve("warehouse/s/tables/t"));

        localWarehouse(root, "local:///warehouse").maintenance().registerTable("s", "u", table.folder().toString());

        assertThat(load(other, "s", "u").rowGroups()).hasSize(1);
    }

    /**
     * The client that has expired versions may have died before its version was durable. After a power failure, these
     * versions would not be expired, and without their files.
     */
    @Test
    void testExpiryOfAnother()
            throws Exception
    {
        Warehouse other = another();
        other.truncate(createTable(other, "s", "t", oneRow()));
        // This version does not expire, so that the next run does not commit another one
        Instant before = betweenCommits();

        assertForcedBeforeDeletes(warehouse -> warehouse.expireVersions(load(warehouse, "s", "t"), before, 1));
    }

    /**
     * After a power failure, a slow statement could commit files of a write that is no longer condemned.
     */
    @Test
    void testOrphanRemovalOfAnother()
            throws Exception
    {
        Warehouse other = another();
        AlbisTable table = createTable(other, "s", "t", oneRow());
        RowGroup orphan = oneRow();
        Path file = root.resolve(orphan.dataFile(table.folder(), orphan.columnGroups().getFirst()).path());
        Files.createDirectories(file.getParent());
        Files.write(file, new byte[1]);
        // The write is condemned after this time, so that it is not forgotten
        Instant before = betweenCommits();

        assertForcedBeforeDeletes(warehouse -> warehouse.removeOrphans(load(warehouse, "s", "t"), before));
    }

    /**
     * Returns a client that has created a schema.
     */
    private Warehouse another()
    {
        Warehouse warehouse = localWarehouse(root, "local:///warehouse");
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        return warehouse;
    }

    /**
     * Asserts that a statement forces the version that it finds before it deletes a file. Another client has put the
     * version and then died.
     */
    private void assertForcedBeforeDeletes(Consumer<Warehouse> statement)
            throws Exception
    {
        Warehouse dying = beforeDeletes(() -> {
            throw new IOException("Dead");
        });
        assertThatThrownBy(() -> statement.accept(dying)).isInstanceOf(UncheckedIOException.class).hasMessageContaining("Dead");
        Warehouse before = localWarehouse(root, "local:///warehouse");
        long version = load(before, "s", "t").version().version();
        Path marker = root.resolve("deletes");

        List<Event> events = FileEvents.record(root, () -> statement.accept(beforeDeletes(() -> Files.write(marker, new byte[1]))));

        assertThat(load(before, "s", "t").version().version()).isEqualTo(version);
        List<Path> paths = events.stream()
                .map(Event::path)
                .collect(toImmutableList());
        assertThat(paths).contains(marker);
        assertThat(paths.subList(0, paths.indexOf(marker))).anyMatch(path -> path.endsWith("versions"));
    }

    /**
     * Returns a time after that of all files, and before that of the next one.
     */
    private static Instant betweenCommits()
            throws InterruptedException
    {
        Thread.sleep(20);
        Instant now = Instant.now();
        Thread.sleep(20);
        return now;
    }

    private Warehouse beforeDeletes(StorageCall<?> action)
    {
        TrinoFileSystem fileSystem = new HookedFileSystem(new LocalFileSystem(root), new Hook()
        {
            @Override
            public void before(Operation operation)
                    throws IOException
            {
                if (operation.kind() == Kind.DELETE) {
                    action.call();
                }
            }
        });
        return new Warehouse(fileSystem, Location.of("local:///warehouse"), TYPE_RESOLVER, WarehouseOptions.DEFAULT.withLocalRoot(root).withPolicy(POLICY));
    }

    private static int indexOf(List<String> forced, String pattern)
    {
        for (int i = 0; i < forced.size(); i++) {
            if (forced.get(i).matches(pattern)) {
                return i;
            }
        }
        throw new AssertionError("%s was not forced, but %s".formatted(pattern, forced));
    }

    /**
     * Returns the folders below the warehouse, in the order in which they were forced.
     */
    private List<String> forced(FileEvents.Action action)
            throws Exception
    {
        return FileEvents.record(root, action).stream()
                .filter(Event::force)
                .map(event -> root.resolve("warehouse").relativize(event.path()).toString())
                .collect(toImmutableList());
    }
}
