package io.albis.table.catalog;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.io.AlbisDataException;
import io.albis.table.HookedFileSystem;
import io.albis.table.HookedFileSystem.Hook;
import io.albis.table.HookedFileSystem.Kind;
import io.albis.table.HookedFileSystem.Operation;
import io.albis.table.Warehouse;
import io.albis.table.WarehouseViews;
import io.albis.table.WarehouseViews.ListedName;
import io.albis.table.alter.Change;
import io.albis.table.maintenance.LostTable;
import io.albis.table.model.TableException;
import io.albis.table.model.ViewDefinition;
import io.albis.table.model.ViewDefinition.PathSchema;
import io.albis.table.model.ViewDefinition.ViewColumn;
import io.albis.table.name.NameEntry;
import io.albis.table.name.UnreadableTableException;
import io.albis.table.path.NumberedFiles;
import io.albis.table.put.SmallFiles;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.Location;
import io.trino.filesystem.memory.MemoryFileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.format.io.AlbisDataException.Reason.TOO_NEW;
import static io.albis.table.TableFixtures.assertRefused;
import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.overwrite;
import static io.albis.table.TableFixtures.viewDefinition;
import static io.albis.table.TableFixtures.warehouse;
import static io.albis.table.TableFixtures.withChecksum;
import static io.albis.table.model.TableException.Reason.ALREADY_EXISTS;
import static io.albis.table.model.TableException.Reason.CONFLICT;
import static io.albis.table.model.TableException.Reason.INVALID_NAME;
import static io.albis.table.model.TableException.Reason.NOT_SUPPORTED;
import static io.albis.table.model.TableException.Reason.SCHEMA_NOT_EMPTY;
import static io.albis.table.model.TableException.Reason.SCHEMA_NOT_FOUND;
import static io.albis.table.model.TableException.Reason.TABLE_NOT_FOUND;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class TestViews
{
    private static final ViewDefinition VIEW = new ViewDefinition(
            "SELECT *\nFROM \"täbles\" -- 'x'",
            Optional.of("albis"),
            Optional.of("s"),
            ImmutableList.of(new ViewColumn("n", "bigint", Optional.of("a number")), new ViewColumn("m", "map(varchar,array(unknown))", Optional.empty())),
            Optional.empty(),
            true,
            ImmutableList.of(new PathSchema("albis", "functions")),
            Optional.empty());

    private final MemoryFileSystem fileSystem = new MemoryFileSystem();
    private final Warehouse warehouse = warehouse(fileSystem);

    @BeforeEach
    void setUp()
    {
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
    }

    @Test
    void testStatements()
    {
        AlbisTable created = warehouse.views().create("s", "v", VIEW, Optional.of("a comment"), Optional.empty());
        assertThat(created.version().isView()).isTrue();
        assertView("v", VIEW, Optional.of("a comment"));
        assertThat(views("s")).containsExactly("v");

        ViewDefinition other = viewDefinition();
        warehouse.views().replace(created, other, Optional.empty(), Optional.empty());
        assertView("v", other, Optional.empty());
        warehouse.alter(load(warehouse, "s", "v"), new Change.TableComment(Optional.of("another comment")));
        assertView("v", other, Optional.of("another comment"));
        // The loaded version is old
        warehouse.alter(created, new Change.AlteredView(view -> view.withColumnComment("id", Optional.of("an id"))));
        ViewDefinition commented = other.withColumnComment("id", Optional.of("an id"));
        assertThat(commented.columns()).containsExactly(new ViewColumn("id", "varchar(36)", Optional.of("an id")));
        assertView("v", commented, Optional.of("another comment"));
        assertRefused(CONFLICT, () -> warehouse.alter(created, new Change.AlteredView(view -> view.withColumnComment("gone", Optional.empty()))));
        warehouse.alter(created, new Change.AlteredView(view -> view.withOwner("bob")));
        assertThat(load(warehouse, "s", "v").version().view().orElseThrow().owner()).contains("bob");

        warehouse.createSchema("t", Optional.empty(), ImmutableMap.of());
        warehouse.renameTable(load(warehouse, "s", "v"), "t", "w");
        assertThat(warehouse.loadTable("s", "v")).isEmpty();
        assertThat(views("s")).isEmpty();
        assertThat(views("t")).containsExactly("w");
        assertThat(load(warehouse, "t", "w").version().view()).contains(commented.withOwner("bob"));
        assertThat(warehouse.history(load(warehouse, "t", "w")).versions()).toIterable().hasSize(6);

        assertRefused(SCHEMA_NOT_EMPTY, () -> warehouse.dropSchema("t"));
        warehouse.dropTable(load(warehouse, "t", "w"));
        assertThat(warehouse.loadTable("t", "w")).isEmpty();
        warehouse.dropSchema("t");
    }

    @Test
    void testErrors()
    {
        assertRefused(SCHEMA_NOT_FOUND, () -> warehouse.views().create("none", "v", VIEW, Optional.empty(), Optional.empty()));
        assertRefused(SCHEMA_NOT_FOUND, () -> warehouse.views().create("n".repeat(300), "v", VIEW, Optional.empty(), Optional.empty()));
        assertRefused(INVALID_NAME, () -> warehouse.views().create("s", "v$files", VIEW, Optional.empty(), Optional.empty()));
        AlbisTable invoked = warehouse.views().create("s", "v", VIEW, Optional.empty(), Optional.empty());
        assertRefused(NOT_SUPPORTED, () -> warehouse.alter(invoked, new Change.AlteredView(view -> view.withOwner("bob"))));
        assertThat(warehouse.views().list("none")).isEmpty();
        assertThat(warehouse.views().list("n".repeat(300))).isEmpty();
    }

    @Test
    void testTableAndViewExcludeEachOther()
    {
        createTable(warehouse, "s", "t");
        assertRefused(ALREADY_EXISTS, () -> warehouse.views().create("s", "t", VIEW, Optional.empty(), Optional.empty()));
        AlbisTable view = warehouse.views().create("s", "v", VIEW, Optional.empty(), Optional.empty());
        assertRefused(ALREADY_EXISTS, () -> createTable(warehouse, "s", "v"));
        assertRefused(ALREADY_EXISTS, () -> warehouse.views().create("s", "v", viewDefinition(), Optional.empty(), Optional.empty()));
        assertRefused(ALREADY_EXISTS, () -> warehouse.renameTable(view, "s", "t"));
        assertRefused(ALREADY_EXISTS, () -> warehouse.renameTable(load(warehouse, "s", "t"), "s", "v"));
        assertView("v", VIEW, Optional.empty());
        assertThat(load(warehouse, "s", "t").version().isView()).isFalse();
        assertThat(warehouse.views().list("s")).containsExactlyInAnyOrder(new ListedName("t", new NameEntry("s", 1), false), new ListedName("v", new NameEntry("s", 1), true));

        // Each name then refers to the other kind
        warehouse.dropTable(view);
        createTable(warehouse, "s", "v");
        warehouse.dropTable(load(warehouse, "s", "t"));
        warehouse.views().create("s", "t", VIEW, Optional.empty(), Optional.empty());
        assertThat(views("s")).containsExactly("t");
        assertThat(warehouse.views().list("s")).containsExactlyInAnyOrder(new ListedName("t", new NameEntry("s", 3), true), new ListedName("v", new NameEntry("s", 3), false));
    }

    /**
     * Clients create tables and views with the same name at the same time.
     */
    @RepeatedTest(20)
    @Timeout(60)
    void testConcurrentCreation()
            throws Exception
    {
        List<Callable<Optional<AlbisTable>>> clients = new ArrayList<>();
        for (int client = 0; client < 6; client++) {
            boolean view = client % 2 == 0;
            clients.add(() -> {
                Warehouse own = warehouse(fileSystem);
                try {
                    return Optional.of(view ? own.views().create("s", "x", viewDefinition(), Optional.empty(), Optional.empty()) : createTable(own, "s", "x"));
                }
                catch (TableException e) {
                    assertThat(e.reason()).isEqualTo(ALREADY_EXISTS);
                    return Optional.empty();
                }
            });
        }
        List<AlbisTable> created = new ArrayList<>();
        try (ExecutorService executor = Executors.newFixedThreadPool(clients.size())) {
            for (Future<Optional<AlbisTable>> client : executor.invokeAll(clients)) {
                client.get().ifPresent(created::add);
            }
        }
        assertThat(created).hasSize(1);
        AlbisTable loaded = load(warehouse, "s", "x");
        assertThat(loaded.uuid()).isEqualTo(created.getFirst().uuid());
        assertThat(loaded.version()).isEqualTo(created.getFirst().version());
        assertThat(views("s")).isEqualTo(loaded.version().isView() ? ImmutableList.of("x") : ImmutableList.of());
        // The views of the others were abandoned
        assertThat(warehouse.maintenance().findLostTables(Optional.empty()))
                .filteredOn(lost -> lost.state() == LostTable.State.LOST)
                .allMatch(lost -> lost.rows().orElseThrow() == 0 && isTable(lost));
    }

    private boolean isTable(LostTable lost)
    {
        try {
            return !new String(SmallFiles.read(fileSystem, lost.location().appendPath("versions/" + NumberedFiles.fileName(1))).orElseThrow(), UTF_8).contains("\"view\":");
        }
        catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /**
     * A client stalls before it creates the entry of a view, and another one creates a table.
     */
    @Test
    void testCreateStalls()
    {
        Warehouse stalled = before("tables/x/00000000000000000001.json", other -> createTable(other, "s", "x"));
        assertRefused(ALREADY_EXISTS, () -> stalled.views().create("s", "x", VIEW, Optional.empty(), Optional.empty()));
        assertThat(load(warehouse, "s", "x").version().isView()).isFalse();
        // The marker of the view remains, but the entry is that of the table
        assertThat(warehouse.views().list("s")).containsExactly(new ListedName("x", new NameEntry("s", 1), true));
        assertThat(views("s")).isEmpty();
        assertThat(warehouse.maintenance().findLostTables(Optional.empty()))
                .extracting(LostTable::state)
                .containsExactly(LostTable.State.DROPPED);
    }

    @Test
    void testCreateOfTableStalls()
    {
        Warehouse stalled = before("tables/x/00000000000000000001.json", other -> other.views().create("s", "x", VIEW, Optional.empty(), Optional.empty()));
        assertRefused(ALREADY_EXISTS, () -> createTable(stalled, "s", "x"));
        assertView("x", VIEW, Optional.empty());
        assertThat(views("s")).containsExactly("x");
    }

    /**
     * The client that drops the view puts a tombstone while another replaces the view, drops it, and creates a table.
     */
    @Test
    void testDropStalls()
    {
        AlbisTable view = warehouse.views().create("s", "x", VIEW, Optional.empty(), Optional.empty());
        before("tables/x/00000000000000000002.json", other -> {
            assertRefused(TABLE_NOT_FOUND, () -> other.views().replace(view, viewDefinition(), Optional.empty(), Optional.empty()));
            createTable(other, "s", "x");
        }).dropTable(view);
        assertThat(load(warehouse, "s", "x").version().isView()).isFalse();
    }

    @Test
    void testReplaceStalls()
    {
        AlbisTable view = warehouse.views().create("s", "x", VIEW, Optional.empty(), Optional.empty());
        Warehouse stalled = before("/versions/00000000000000000002.json", other -> {
            other.dropTable(load(other, "s", "x"));
            createTable(other, "s", "x");
        });
        assertRefused(TABLE_NOT_FOUND, () -> stalled.views().replace(view, viewDefinition(), Optional.empty(), Optional.empty()));
        assertThat(load(warehouse, "s", "x").version().isView()).isFalse();
    }

    @Test
    void testReplaceStallsAndOthersReplace()
    {
        AlbisTable view = warehouse.views().create("s", "x", VIEW, Optional.empty(), Optional.empty());
        ViewDefinition first = viewDefinition();
        ViewDefinition second = viewDefinition();
        before("/versions/00000000000000000002.json", other -> other.views().replace(view, first, Optional.of("first"), Optional.empty()))
                .views().replace(view, second, Optional.of("second"), Optional.empty());
        assertView("x", second, Optional.of("second"));
        assertThat(warehouse.history(load(warehouse, "s", "x")).versions()).toIterable().hasSize(3);
    }

    /**
     * A statement that replaces a view must not replace a view of another name.
     */
    @Test
    void testReplaceStallsAndOthersRename()
    {
        AlbisTable view = warehouse.views().create("s", "x", VIEW, Optional.empty(), Optional.empty());
        Warehouse stalled = before("/versions/00000000000000000002.json", other -> other.renameTable(view, "s", "y"));
        assertRefused(TABLE_NOT_FOUND, () -> stalled.views().replace(view, viewDefinition(), Optional.empty(), Optional.empty()));
        assertView("y", VIEW, Optional.empty());
        assertThat(warehouse.loadTable("s", "x")).isEmpty();
    }

    @Test
    void testCreateStallsAndTheSchemaGoes()
    {
        Warehouse stalled = before("tables/x/00000000000000000001.json", other -> other.dropSchema("s"));
        assertRefused(SCHEMA_NOT_FOUND, () -> stalled.views().create("s", "x", VIEW, Optional.empty(), Optional.empty()));
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        assertThat(warehouse.listTables("s")).isEmpty();
        assertThat(warehouse.loadTable("s", "x")).isEmpty();
    }

    @Test
    void testDropOfSchemaStalls()
    {
        Warehouse stalled = before("s/.schema/00000000000000000002.json", other -> other.views().create("s", "x", VIEW, Optional.empty(), Optional.empty()));
        assertRefused(SCHEMA_NOT_EMPTY, () -> stalled.dropSchema("s"));
        assertView("x", VIEW, Optional.empty());
    }

    @Test
    void testRegistration()
    {
        AlbisTable view = warehouse.views().create("s", "x", VIEW, Optional.of("a comment"), Optional.empty());
        warehouse.dropDamagedTable("s", "x", new NameEntry("s", 1));
        assertThat(warehouse.maintenance().findLostTables(Optional.empty()))
                .extracting(LostTable::location)
                .containsExactly(view.folder());
        warehouse.maintenance().registerTable("s", "y", view.folder().toString());
        assertView("y", VIEW, Optional.of("a comment"));
        assertThat(views("s")).containsExactly("y");
    }

    @Test
    void testVacuum()
    {
        warehouse.dropTable(warehouse.views().create("s", "x", VIEW, Optional.empty(), Optional.empty()));
        warehouse.views().create("s", "y", VIEW, Optional.empty(), Optional.empty());
        warehouse.maintenance().vacuum(Optional.empty(), Instant.now().plusSeconds(10));
        assertThat(warehouse.maintenance().vacuumDryRun(Optional.empty(), Instant.now().plusSeconds(10)).freed()).isEmpty();
        assertView("y", VIEW, Optional.empty());
        assertThat(views("s")).containsExactly("y");
        createTable(warehouse, "s", "x");
    }

    /**
     * A version of Albis without views refuses all versions of a view, because it does not know their feature.
     */
    @Test
    void testUnknownFeature()
            throws IOException
    {
        AlbisTable view = warehouse.views().create("s", "x", VIEW, Optional.empty(), Optional.empty());
        Location version = view.folder().appendPath("versions/" + NumberedFiles.fileName(1));
        String content = new String(SmallFiles.read(fileSystem, version).orElseThrow(), UTF_8);
        assertThat(content).contains("\"features\":[\"view\"]");
        overwrite(fileSystem, version.toString(), withChecksum(content.replace("\"features\":[\"view\"]", "\"features\":[\"vision\"]")));
        assertThatThrownBy(() -> warehouse.loadTable("s", "x"))
                .isInstanceOf(UnreadableTableException.class)
                .cause()
                .isInstanceOfSatisfying(AlbisDataException.class, e -> assertThat(e.reason()).isEqualTo(TOO_NEW));
        // Its name is taken, and so is its schema
        assertRefused(ALREADY_EXISTS, () -> createTable(warehouse, "s", "x"));
        assertRefused(SCHEMA_NOT_EMPTY, () -> warehouse.dropSchema("s"));
    }

    @Test
    void testDamage()
            throws IOException
    {
        AlbisTable view = warehouse.views().create("s", "x", VIEW, Optional.empty(), Optional.empty());
        Location version = view.folder().appendPath("versions/" + NumberedFiles.fileName(1));
        String content = new String(SmallFiles.read(fileSystem, version).orElseThrow(), UTF_8);
        for (String damaged : List.of(
                content.replace("\"features\":[\"view\"]", "\"features\":[]"),
                content.replaceFirst("\"view\":\\{.*\\}\\}", "\"lost\":0}"),
                content.replace("\"columns\":[{\"name\":\"n\"", "\"columns\":[{\"name\":null"),
                content.replace("\"runAsInvoker\":true", "\"runAsInvoker\":true,\"owner\":\"alice\""))) {
            assertThat(damaged).isNotEqualTo(content);
            overwrite(fileSystem, version.toString(), withChecksum(damaged));
            assertThatThrownBy(() -> warehouse.loadTable("s", "x"))
                    .as(damaged)
                    .isInstanceOf(UnreadableTableException.class)
                    .hasMessageContaining("Damaged Albis file " + version);
        }
        assertThat(warehouse.views().kind("x", new NameEntry("s", 1))).isEqualTo(WarehouseViews.Kind.VIEW);
        overwrite(fileSystem, "memory:///warehouse/s/tables/x/" + NumberedFiles.fileName(1), new byte[1]);
        assertThat(warehouse.views().kind("x", new NameEntry("s", 1))).isEqualTo(WarehouseViews.Kind.TABLE);
        warehouse.dropDamagedTable("s", "x", new NameEntry("s", 1));
        assertThat(warehouse.loadTable("s", "x")).isEmpty();
    }

    private void assertView(String name, ViewDefinition view, Optional<String> comment)
    {
        AlbisTable loaded = load(warehouse, "s", name);
        assertThat(loaded.version().view()).contains(view);
        assertThat(loaded.version().comment()).isEqualTo(comment);
        assertThat(loaded.rowGroups()).isEmpty();
    }

    private List<String> views(String schema)
    {
        return warehouse.views().list(schema).stream()
                .filter(listed -> listed.mayBeView() && warehouse.views().kind(listed.name(), listed.entry()) == WarehouseViews.Kind.VIEW)
                .map(ListedName::name)
                .collect(toImmutableList());
    }

    /**
     * Returns a client that stalls once, before it creates a file whose location ends like this.
     */
    private Warehouse before(String location, Consumer<Warehouse> others)
    {
        return warehouse(new HookedFileSystem(fileSystem, new Hook()
        {
            private boolean done;

            @Override
            public void before(Operation operation)
            {
                if (!done && operation.kind() == Kind.CREATE_EXCLUSIVE && operation.location().toString().endsWith(location)) {
                    done = true;
                    others.accept(warehouse);
                }
            }
        }));
    }
}
