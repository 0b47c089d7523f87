package io.albis.table.name;

import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.RowGroup;
import io.albis.table.HookedFileSystem;
import io.albis.table.HookedFileSystem.Operation;
import io.albis.table.Warehouse;
import io.albis.table.WarehouseViews;
import io.albis.table.WarehouseViews.Kind;
import io.albis.table.model.NewTable;
import io.albis.table.model.TableException;
import io.albis.table.model.TableName;
import io.albis.table.row.ReadSet;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystem;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.albis.table.TableFixtures.DEFINITION;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.rowGroupIds;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.viewDefinition;
import static io.albis.table.TableFixtures.warehouse;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Clients concurrently change a few names while the storage stalls, fails, and loses responses. In the end, the state
 * must match what the clients were told.
 */
final class TestRandomNames
{
    private static final int CLIENTS = 4;
    private static final int OPERATIONS = 60;
    private static final List<String> SCHEMAS = List.of("s", "t", "u");
    private static final List<String> TABLES = List.of("a", "b");

    private final MemoryFileSystem fileSystem = new MemoryFileSystem();
    private final Warehouse quiet = warehouse(fileSystem);

    // Tables whose creation was acknowledged, with their acknowledged rows
    private final Map<UUID, Set<UUID>> acknowledged = new ConcurrentHashMap<>();
    // Tables that a client has tried to drop, whatever the outcome
    private final Set<UUID> dropTried = ConcurrentHashMap.newKeySet();
    private final Set<UUID> dropped = ConcurrentHashMap.newKeySet();
    private final Map<UUID, String> folders = new ConcurrentHashMap<>();
    private final List<String> registered = new ArrayList<>();

    @RepeatedTest(20)
    @Timeout(300)
    void test()
            throws Exception
    {
        long seed = new Random().nextLong();
        System.out.println("Random names by seed " + seed);
        Random random = new Random(seed);
        List<Callable<Void>> clients = new ArrayList<>();
        for (int client = 0; client < CLIENTS; client++) {
            long clientSeed = random.nextLong();
            clients.add(() -> {
                new Client(clientSeed).run();
                return null;
            });
        }
        try (ExecutorService executor = Executors.newFixedThreadPool(CLIENTS)) {
            for (Future<Void> client : executor.invokeAll(clients)) {
                client.get();
            }
        }
        try {
            check();
        }
        catch (RuntimeException | AssertionError e) {
            throw new AssertionError("Seed " + seed, e);
        }
    }

    private void check()
            throws IOException
    {
        for (String schema : SCHEMAS) {
            if (!quiet.schemaExists(schema)) {
                quiet.createSchema(schema, Optional.empty(), ImmutableMap.of());
            }
        }
        // The first lookup completes each RENAME, and the second one sees the result
        names();
        registerLost();
        Map<UUID, List<AlbisTable>> names = names();
        names.forEach((uuid, tables) -> assertThat(tables).as("names of %s", uuid).hasSize(1));
        acknowledged.forEach((uuid, rows) -> {
            if (dropped.contains(uuid)) {
                assertThat(names).as("a dropped table has a name").doesNotContainKey(uuid);
            }
            else if (!dropTried.contains(uuid)) {
                assertThat(names).as("a table has lost its name").containsKey(uuid);
            }
            if (names.containsKey(uuid)) {
                assertThat(rowGroupIds(names.get(uuid).getFirst())).containsAll(rows);
            }
        });
        for (List<AlbisTable> tables : names.values()) {
            AlbisTable table = tables.getFirst();
            TableName name = table.version().name().orElseThrow();
            assertThat(quiet.views().list(table.schemaName()))
                    .filteredOn(listed -> listed.name().equals(table.tableName()))
                    .extracting(listed -> listed.entry().schemaKey())
                    .containsExactly(name.schemaName());
            assertThat(name.tableName()).isEqualTo(table.tableName());
            assertThat(listedViews(table.schemaName()).contains(table.tableName())).isEqualTo(table.version().isView());
            quiet.dropTable(table);
        }
        for (String schema : SCHEMAS) {
            assertThat(quiet.listTables(schema)).isEmpty();
            quiet.dropSchema(schema);
        }
        assertThat(quiet.listSchemas()).isEmpty();
    }

    private Set<String> listedViews(String schema)
    {
        return quiet.views().list(schema).stream()
                .filter(listed -> listed.mayBeView() && quiet.views().kind(listed.name(), listed.entry()) == Kind.VIEW)
                .map(WarehouseViews.ListedName::name)
                .collect(toImmutableSet());
    }

    /**
     * Gives a name to each table that was unregistered.
     */
    private void registerLost()
    {
        Map<UUID, List<AlbisTable>> names = names();
        folders.forEach((uuid, folder) -> {
            if (acknowledged.containsKey(uuid) && !names.containsKey(uuid) && !dropTried.contains(uuid)) {
                quiet.maintenance().registerTable(SCHEMAS.getFirst(), "registered" + uuid, folder);
                registered.add("registered" + uuid);
            }
        });
    }

    private Map<UUID, List<AlbisTable>> names()
    {
        Map<UUID, List<AlbisTable>> names = new HashMap<>();
        registered.forEach(table -> quiet.loadTable(SCHEMAS.getFirst(), table).ifPresent(loaded -> names.computeIfAbsent(loaded.uuid(), _ -> new ArrayList<>()).add(loaded)));
        for (String schema : SCHEMAS) {
            for (String table : TABLES) {
                quiet.loadTable(schema, table).ifPresent(loaded -> names.computeIfAbsent(loaded.uuid(), _ -> new ArrayList<>()).add(loaded));
            }
        }
        return names;
    }

    private final class Client
    {
        private final Random random;
        private final Warehouse warehouse;
        // Stale tables, as a transaction has that loaded them some time ago
        private final List<AlbisTable> seen = new ArrayList<>();

        private Client(long seed)
        {
            this.random = new Random(seed);
            TrinoFileSystem hooked = new HookedFileSystem(fileSystem, new Faults(new Random(seed + 1)));
            this.warehouse = warehouse(hooked);
        }

        private void run()
        {
            for (int operation = 0; operation < OPERATIONS; operation++) {
                try {
                    operation();
                }
                catch (TableException | UncheckedIOException | StorageException e) {
                    // The operations that record outcomes handle the exceptions that matter
                }
            }
        }

        private void operation()
        {
            String schema = SCHEMAS.get(random.nextInt(SCHEMAS.size()));
            String table = TABLES.get(random.nextInt(TABLES.size()));
            switch (random.nextInt(22)) {
                case 0, 1 -> warehouse.createSchema(schema, Optional.empty(), ImmutableMap.of());
                case 2 -> warehouse.dropSchema(schema);
                case 3 -> warehouse.listTables(schema);
                case 4, 5, 6 -> create(schema, table);
                case 7 -> createView(schema, table);
                case 8, 9 -> look(schema, table);
                case 10, 11 -> pick().ifPresent(this::insert);
                case 12, 13 -> pick().ifPresent(picked -> see(warehouse.renameTable(picked, schema, table)));
                case 14, 15 -> pick().ifPresent(this::drop);
                case 16, 17 -> pick().ifPresent(picked -> warehouse.maintenance().unregisterTable(picked));
                case 18, 19 -> pick().ifPresent(picked -> see(warehouse.maintenance().registerTable(schema, table, picked.folder().toString())));
                case 20, 21 -> warehouse.renameSchema(schema, SCHEMAS.get(random.nextInt(SCHEMAS.size())));
                default -> throw new IllegalStateException("no such operation");
            }
        }

        private void look(String schema, String table)
        {
            warehouse.loadTable(schema, table).ifPresent(this::see);
        }

        private void see(AlbisTable table)
        {
            seen.add(table);
            folders.put(table.uuid(), table.folder().toString());
            if (seen.size() > 4) {
                seen.removeFirst();
            }
        }

        private Optional<AlbisTable> pick()
        {
            return seen.isEmpty() ? Optional.empty() : Optional.of(seen.get(random.nextInt(seen.size())));
        }

        private void create(String schema, String table)
        {
            RowGroup row = oneRow();
            NewTable newTable = warehouse.newTable(schema, table, DEFINITION);
            AlbisTable created = warehouse.createTable(newTable, rows(row));
            acknowledged.computeIfAbsent(created.uuid(), _ -> ConcurrentHashMap.newKeySet()).add(row.id());
            see(created);
        }

        private void createView(String schema, String table)
        {
            AlbisTable created = warehouse.views().create(schema, table, viewDefinition(), Optional.empty(), Optional.empty());
            acknowledged.computeIfAbsent(created.uuid(), _ -> ConcurrentHashMap.newKeySet());
            see(created);
        }

        private void insert(AlbisTable table)
        {
            if (table.version().isView()) {
                warehouse.views().replace(table, viewDefinition(), Optional.empty(), Optional.empty());
                return;
            }
            RowGroup row = oneRow();
            warehouse.append(table, rows(row), ReadSet.BLIND);
            acknowledged.computeIfAbsent(table.uuid(), _ -> ConcurrentHashMap.newKeySet()).add(row.id());
        }

        private void drop(AlbisTable table)
        {
            dropTried.add(table.uuid());
            warehouse.dropTable(table);
            dropped.add(table.uuid());
        }
    }

    /**
     * An exception that the client library of a storage may throw.
     */
    private static final class StorageException
            extends RuntimeException
    {
        private StorageException(String message)
        {
            super(message);
        }
    }

    private static final class Faults
            implements HookedFileSystem.Hook
    {
        private final Random random;
        // The number of operations that still fail, as if the client had died and another one had replaced it
        private int dead;

        private Faults(Random random)
        {
            this.random = random;
        }

        @Override
        public void before(Operation operation)
                throws IOException
        {
            if (dead > 0) {
                dead--;
                fail();
            }
            int choice = random.nextInt(200);
            // A name is most at risk just before a client puts an entry
            if (choice < (operation.kind() == HookedFileSystem.Kind.CREATE_EXCLUSIVE ? 100 : 10)) {
                stall();
            }
            else if (choice >= 190) {
                fail();
            }
            else if (choice == 189) {
                dead = 20;
            }
        }

        /**
         * Fails after the operation has run, as if its response were lost.
         */
        @Override
        public void after(Operation operation)
                throws IOException
        {
            int choice = random.nextInt(100);
            if (choice < 5) {
                stall();
            }
            else if (choice < 8) {
                fail();
            }
        }

        private void stall()
        {
            try {
                Thread.sleep(random.nextInt(5));
            }
            catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void fail()
                throws IOException
        {
            if (random.nextBoolean()) {
                throw new StorageException("Storage fails");
            }
            throw new IOException("Storage fails");
        }
    }
}
