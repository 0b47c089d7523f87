package io.albis.table;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.TestTier;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.table.model.NewTable;
import io.albis.table.row.ReadSet;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.local.LocalFileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import static com.google.common.base.Preconditions.checkState;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.table.TableFixtures.DEFINITION;
import static io.albis.table.TableFixtures.POLICY;
import static io.albis.table.TableFixtures.TYPE_RESOLVER;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.rowGroupIds;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.viewDefinition;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Runs the scripts of docs/operations.md exactly as printed there, except for the folders.
 */
@Timeout(300)
final class TestOperationsScripts
{
    private static final Path OPERATIONS = Path.of("docs/operations.md");
    private static final String DOCUMENTED_WAREHOUSE = "/mnt/nvme/warehouse";
    private static final String DOCUMENTED_BACKUP = "/backup/warehouse";
    private static final int WRITERS = 3;
    private static final int BACKUPS = 6;

    @TempDir
    private Path local;

    private Warehouse warehouse;

    @BeforeEach
    void setUp()
            throws IOException
    {
        Files.createDirectory(local.resolve("warehouse"));
        warehouse = warehouse("warehouse");
        warehouse.createSchema("first", Optional.empty(), ImmutableMap.of());
        warehouse.createSchema("second", Optional.empty(), ImmutableMap.of());
        warehouse.createSchema("third", Optional.empty(), ImmutableMap.of());
    }

    static LongStream seeds()
    {
        return LongStream.rangeClosed(1, TestTier.isComplete() ? 2 : 1);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void testBackupWhileOthersWrite(long seed)
            throws Exception
    {
        assumeTrue(isOnPath("rsync"), "The documented backup needs rsync, which this machine does not have");
        AtomicBoolean done = new AtomicBoolean();
        try (ExecutorService executor = Executors.newFixedThreadPool(WRITERS + 1)) {
            List<Future<?>> writers = new ArrayList<>();
            create("third", "t");
            writers.add(executor.submit(() -> {
                renameSchemasUntil(done, new Random(seed));
                return null;
            }));
            for (int writer = 0; writer < WRITERS; writer++) {
                int number = writer;
                writers.add(executor.submit(() -> {
                    writeUntil(done, number == 0 ? "versions" : "t" + number, new Random(seed * WRITERS + number));
                    return null;
                }));
            }
            try {
                for (int backup = 0; backup < BACKUPS; backup++) {
                    Map<UUID, Set<UUID>> before = rowGroups(warehouse);
                    Script script = run("backup");
                    assertThat(script.exitCode()).describedAs(script.output()).isZero();
                    assertBackup(before, rowGroups(warehouse));
                }
            }
            finally {
                done.set(true);
            }
            for (Future<?> writer : writers) {
                writer.get(60, SECONDS);
            }
        }
    }

    /**
     * Listings ask only for the kind of names with a marker.
     */
    @Test
    void testBackupOfViews()
            throws Exception
    {
        assumeTrue(isOnPath("rsync"), "The documented backup needs rsync, which this machine does not have");
        create("first", "t");
        warehouse.views().create("first", "v", viewDefinition(), Optional.empty(), Optional.empty());

        assertThat(run("backup").exitCode()).isZero();
        assertThat(warehouse("backup").views().list("first")).isEqualTo(warehouse.views().list("first"));
    }

    /**
     * Lookups ask for the key of a schema only if it has a marker.
     */
    @Test
    void testBackupOfRenamedSchema()
            throws Exception
    {
        assumeTrue(isOnPath("rsync"), "The documented backup needs rsync, which this machine does not have");
        create("first", "t");
        for (String name : ImmutableList.of("renamed", "again")) {
            warehouse.renameSchema("first", name);
            warehouse.createSchema("first", Optional.empty(), ImmutableMap.of());
            create("first", "t");
            assertThat(run("backup").exitCode()).isZero();
            Warehouse copy = warehouse("backup");
            for (String schema : ImmutableList.of(name, "first")) {
                assertThat(load(copy, schema, "t").uuid()).isEqualTo(load(warehouse, schema, "t").uuid());
            }
        }
    }

    @Test
    void testBackupThatFails()
            throws Exception
    {
        assumeTrue(isOnPath("rsync"), "The documented backup needs rsync, which this machine does not have");
        Files.writeString(local.resolve("backup"), "a file where the backup should be");

        assertThat(run("backup").exitCode()).isNotZero();
    }

    /**
     * Asserts that the backup contains each table that existed throughout. A table that exists before and after the
     * backup, under any name, existed throughout.
     */
    private void assertBackup(Map<UUID, Set<UUID>> before, Map<UUID, Set<UUID>> after)
            throws IOException
    {
        // The check writes to a copy, so that its writes are not part of the next backup
        Path copy = copyOf(local.resolve("backup"));
        Warehouse restored = warehouse(copy.getFileName().toString());
        Map<UUID, Set<UUID>> copied = rowGroups(restored);
        for (Map.Entry<UUID, Set<UUID>> table : before.entrySet()) {
            if (after.containsKey(table.getKey())) {
                assertThat(copied).containsKey(table.getKey());
                assertThat(copied.get(table.getKey())).containsAll(table.getValue());
                assertThat(after.get(table.getKey())).containsAll(copied.get(table.getKey()));
            }
        }
        for (AlbisTable table : tables(restored)) {
            for (RowGroup rowGroup : table.rowGroups()) {
                for (ColumnGroupInstance columnGroup : rowGroup.columnGroups()) {
                    Path file = toPath(rowGroup.dataFile(table.folder(), columnGroup));
                    assertThat(Files.readString(file)).isEqualTo(content(columnGroup));
                }
            }
            AlbisTable appended = restored.append(table, rows(oneRow()), ReadSet.BLIND);
            assertThat(appended.version().version()).isEqualTo(table.version().version() + 1);
        }
    }

    private void writeUntil(AtomicBoolean done, String name, Random random)
            throws Exception
    {
        String schema = "first";
        create(schema, name);
        while (!done.get()) {
            AlbisTable table = load(warehouse, schema, name);
            switch (random.nextInt(6)) {
                case 0 -> {
                    warehouse.dropTable(table);
                    create(schema, name);
                }
                case 1, 2 -> {
                    String other = schema.equals("first") ? "second" : "first";
                    warehouse.renameTable(table, other, name);
                    schema = other;
                }
                default -> warehouse.append(table, rows(writeRow(table.folder())), ReadSet.BLIND);
            }
        }
    }

    private void renameSchemasUntil(AtomicBoolean done, Random random)
            throws Exception
    {
        List<String> names = ImmutableList.of("third", "fourth", "fifth");
        String schema = names.getFirst();
        while (!done.get()) {
            String other = names.get(random.nextInt(names.size()));
            // The backup copies the schemas again until none has changed meanwhile
            if (random.nextInt(20) == 0 && !warehouse.schemaExists(other)) {
                warehouse.renameSchema(schema, other);
                if (random.nextInt(4) == 0) {
                    // Another schema with the old name, for a while
                    warehouse.createSchema(schema, Optional.empty(), ImmutableMap.of());
                    warehouse.dropSchema(schema);
                }
                schema = other;
            }
            AlbisTable table = load(warehouse, schema, "t");
            warehouse.append(table, rows(writeRow(table.folder())), ReadSet.BLIND);
        }
    }

    private void create(String schema, String name)
            throws Exception
    {
        NewTable newTable = warehouse.newTable(schema, name, DEFINITION);
        warehouse.createTable(newTable, rows(writeRow(newTable.folder())));
    }

    /**
     * Writes files that grow for a while, so that a copy can catch them half written.
     */
    private RowGroup writeRow(Location folder)
            throws Exception
    {
        RowGroup rowGroup = oneRow();
        for (ColumnGroupInstance columnGroup : rowGroup.columnGroups()) {
            Path file = toPath(rowGroup.dataFile(folder, columnGroup));
            Files.createDirectories(file.getParent());
            String content = content(columnGroup);
            try (OutputStream output = Files.newOutputStream(file)) {
                output.write(content.substring(0, 10).getBytes(UTF_8));
                output.flush();
                Thread.sleep(20);
                output.write(content.substring(10).getBytes(UTF_8));
            }
        }
        return rowGroup;
    }

    private static String content(ColumnGroupInstance columnGroup)
    {
        return "The content of the column group " + columnGroup.id();
    }

    private Script run(String name)
            throws Exception
    {
        return bash(documented(name));
    }

    private String documented(String name)
            throws IOException
    {
        String page = Files.readString(OPERATIONS);
        String marker = "<!-- script: " + name + " -->\n```bash\n";
        int start = page.indexOf(marker);
        checkState(start >= 0, "%s has no script %s", OPERATIONS, name);
        String script = page.substring(start + marker.length(), page.indexOf("\n```\n", start + marker.length()));
        return script
                .replace(DOCUMENTED_WAREHOUSE, local.resolve("warehouse").toString())
                .replace(DOCUMENTED_BACKUP, local.resolve("backup").toString());
    }

    private record Script(int exitCode, String output) {}

    private static Script bash(String script)
            throws Exception
    {
        Process process = new ProcessBuilder("bash", "-c", script)
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        return new Script(process.waitFor(), output);
    }

    private static boolean isOnPath(String program)
            throws Exception
    {
        return bash("command -v " + program).exitCode() == 0;
    }

    private Path copyOf(Path folder)
            throws IOException
    {
        Path copy = Files.createTempDirectory(local, "restored");
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.collect(toImmutableList())) {
                Path target = copy.resolve(folder.relativize(file));
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                }
                else {
                    Files.copy(file, target);
                }
            }
        }
        return copy;
    }

    private static Map<UUID, Set<UUID>> rowGroups(Warehouse warehouse)
    {
        Map<UUID, Set<UUID>> rowGroups = new HashMap<>();
        for (AlbisTable table : tables(warehouse)) {
            rowGroups.put(table.uuid(), rowGroupIds(table));
        }
        return rowGroups;
    }

    private static List<AlbisTable> tables(Warehouse warehouse)
    {
        ImmutableList.Builder<AlbisTable> tables = ImmutableList.builder();
        for (String schema : ImmutableSet.copyOf(warehouse.listSchemas())) {
            for (String table : warehouse.listTables(schema)) {
                warehouse.loadTable(schema, table).ifPresent(tables::add);
            }
        }
        return tables.build();
    }

    private Warehouse warehouse(String folder)
    {
        TrinoFileSystem fileSystem = new LocalFileSystem(local);
        return new Warehouse(fileSystem, Location.of("local:///" + folder), TYPE_RESOLVER, WarehouseOptions.DEFAULT.withLocalRoot(local).withPolicy(POLICY));
    }

    private Path toPath(Location location)
    {
        return local.resolve(location.path());
    }
}
