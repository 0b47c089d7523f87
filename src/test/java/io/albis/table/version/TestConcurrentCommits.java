package io.albis.table.version;

import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.RowGroup;
import io.albis.table.TableFixtures;
import io.albis.table.Warehouse;
import io.albis.table.WarehouseOptions;
import io.albis.table.alter.Change;
import io.albis.table.model.TableException;
import io.albis.table.model.TableVersion;
import io.albis.table.row.ReadSet;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.local.LocalFileSystem;
import io.trino.filesystem.memory.MemoryFileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

import static io.albis.table.TableFixtures.POLICY;
import static io.albis.table.TableFixtures.TYPE_RESOLVER;
import static io.albis.table.TableFixtures.assertSketches;
import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.rowGroupIds;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.model.TableException.Reason.CONFLICT;
import static io.albis.table.model.TableException.Reason.TABLE_NOT_FOUND;
import static org.assertj.core.api.Assertions.assertThat;

class TestConcurrentCommits
{
    private static final int THREADS = 5;
    private static final int ROUNDS = 10;
    private static final int PROCESSES = 3;
    private static final int KILLS = 10;
    private static final int UUID_LENGTH = 36;
    private static final int APPENDS_PER_PROCESS = 25;

    @TempDir
    private Path root;

    @Test
    @Timeout(120)
    void testThreadsInMemory()
            throws Exception
    {
        appendInLockStep(TableFixtures.warehouse(new MemoryFileSystem()));
    }

    @Test
    @Timeout(120)
    void testThreadsOnLocalFileSystem()
            throws Exception
    {
        appendInLockStep(localWarehouse(root));
    }

    private static void appendInLockStep(Warehouse warehouse)
            throws Exception
    {
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        AlbisTable table = createTable(warehouse, "s", "t");
        Set<UUID> expected = new HashSet<>();
        for (int round = 0; round < ROUNDS; round++) {
            List<Callable<UUID>> writers = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                RowGroup rowGroup = oneRow();
                writers.add(() -> {
                    AlbisTable base = load(warehouse, "s", "t");
                    AlbisTable appended = warehouse.append(base, rows(rowGroup), ReadSet.BLIND);
                    assertThat(rowGroupIds(appended)).contains(rowGroup.id());
                    return rowGroup.id();
                });
            }
            expected.addAll(inLockStep(writers));
            assertThat(rowGroupIds(load(warehouse, "s", "t"))).isEqualTo(expected);
        }
        TableVersion version = load(warehouse, "s", "t").version();
        assertThat(version.version()).isEqualTo(1 + THREADS * ROUNDS);
        assertThat(version.rowCount()).isEqualTo(THREADS * ROUNDS);
        assertThat(version.uuid()).isEqualTo(table.uuid());
        assertSketches(load(warehouse, "s", "t"), THREADS * ROUNDS);
    }

    @Test
    @Timeout(120)
    void testOneOfThoseThatReadTheTableWins()
            throws Exception
    {
        Warehouse warehouse = localWarehouse(root);
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        AlbisTable base = createTable(warehouse, "s", "t");
        for (int round = 0; round < ROUNDS; round++) {
            AlbisTable read = base;
            List<Callable<Boolean>> writers = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                writers.add(() -> succeeds(() -> warehouse.append(read, rows(oneRow()), ReadSet.wholeTable()), CONFLICT));
            }
            assertThat(inLockStep(writers)).containsOnlyOnce(true);
            base = load(warehouse, "s", "t");
            assertThat(base.rowCount()).isEqualTo(round + 1);
        }
    }

    @Test
    @Timeout(120)
    void testCreateRenameAndDropOfOneName()
            throws Exception
    {
        Warehouse warehouse = localWarehouse(root);
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        for (int round = 0; round < ROUNDS; round++) {
            String name = "t" + round;
            List<Callable<Boolean>> creators = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                creators.add(() -> succeeds(() -> createTable(warehouse, "s", name, oneRow()), TableException.Reason.ALREADY_EXISTS));
            }
            assertThat(inLockStep(creators)).containsOnlyOnce(true);

            AlbisTable table = load(warehouse, "s", name);
            List<Callable<Boolean>> changes = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                String newName = name + "_" + thread;
                changes.add(() -> succeeds(() -> warehouse.renameTable(table, "s", newName), CONFLICT, TABLE_NOT_FOUND));
            }
            assertThat(inLockStep(changes)).containsOnlyOnce(true);
            assertThat(warehouse.listTables("s")).hasSize(1);

            AlbisTable renamed = load(warehouse, "s", warehouse.listTables("s").getFirst());
            assertThat(renamed.uuid()).isEqualTo(table.uuid());
            List<Callable<Boolean>> drops = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                drops.add(() -> succeeds(() -> warehouse.dropTable(renamed), TABLE_NOT_FOUND));
            }
            assertThat(inLockStep(drops)).containsOnlyOnce(true);
            assertThat(warehouse.listTables("s")).isEmpty();
        }
        // A refused creation leaves at most its first version, because a DELETE could harm the next attempt
        int dropped = 0;
        try (Stream<Path> folders = Files.list(root.resolve("warehouse/s"))) {
            for (Path folder : folders.filter(folder -> folder.getFileName().toString().startsWith("t") && !folder.endsWith("tables")).toList()) {
                if (Files.exists(folder.resolve("versions/00000000000000000003.json"))) {
                    dropped++;
                }
                else {
                    try (Stream<Path> files = Files.list(folder.resolve("versions"))) {
                        assertThat(files.map(file -> file.getFileName().toString())).containsExactlyInAnyOrder("00000000000000000001.json", "hint");
                    }
                }
            }
        }
        assertThat(dropped).isEqualTo(ROUNDS);
    }

    @Test
    @Timeout(300)
    void testProcessesOnLocalFileSystem()
            throws Exception
    {
        Warehouse warehouse = localWarehouse(root);
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        createTable(warehouse, "s", "t");
        List<Process> processes = new ArrayList<>();
        for (int i = 0; i < PROCESSES; i++) {
            processes.add(startProcess(APPENDS_PER_PROCESS));
        }
        // No process begins before all are ready
        for (Process process : processes) {
            assertThat(process.inputReader().readLine()).isEqualTo(AppendingProcess.READY);
        }
        for (Process process : processes) {
            process.getOutputStream().close();
        }
        Set<UUID> expected = new HashSet<>();
        for (Process process : processes) {
            List<String> output = process.inputReader().readAllLines();
            assertThat(process.waitFor()).as(String.join("\n", output)).isEqualTo(0);
            expected.addAll(appended(output));
        }
        assertThat(expected).hasSize(PROCESSES * APPENDS_PER_PROCESS);
        AlbisTable table = load(warehouse, "s", "t");
        assertThat(rowGroupIds(table)).isEqualTo(expected);
        assertThat(table.version().version()).isEqualTo(1 + PROCESSES * APPENDS_PER_PROCESS);
        assertSketches(table, PROCESSES * APPENDS_PER_PROCESS);
    }

    @Test
    @Tag("slow")
    @Timeout(600)
    void testKilledProcesses()
            throws Exception
    {
        long seed = new Random().nextLong();
        System.out.println("Kills by seed " + seed);
        Random random = new Random(seed);
        Warehouse warehouse = localWarehouse(root);
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        createTable(warehouse, "s", "t");
        Set<UUID> told = new HashSet<>();
        for (int kill = 0; kill < KILLS; kill++) {
            Process killed = startProcess(Integer.MAX_VALUE);
            assertThat(killed.inputReader().readLine()).isEqualTo(AppendingProcess.READY);
            killed.getOutputStream().close();
            Thread.sleep(random.nextInt(300));
            // Destroying the Process object would also close its output
            killed.toHandle().destroyForcibly();
            killed.waitFor();
            Set<UUID> newlyTold = appended(killed.inputReader().readAllLines());
            told.addAll(newlyTold);

            // The table contains all acknowledged rows, and at most the one in flight besides
            AlbisTable table = load(warehouse, "s", "t");
            Set<UUID> found = rowGroupIds(table);
            assertThat(found).containsAll(told);
            assertThat(found.size() - told.size()).isBetween(0, 1);
            told.addAll(found);
            warehouse.alter(table, new Change.TableComment(Optional.of("after kill " + kill)));
        }
    }

    private Process startProcess(int appends)
            throws IOException
    {
        return new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx256m",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                AppendingProcess.class.getName(),
                root.toString(),
                String.valueOf(appends))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static Set<UUID> appended(List<String> output)
    {
        Set<UUID> appended = new HashSet<>();
        for (String line : output) {
            // The last line of a killed process may be truncated
            if (line.startsWith(AppendingProcess.APPENDED) && line.length() == AppendingProcess.APPENDED.length() + UUID_LENGTH) {
                appended.add(UUID.fromString(line.substring(AppendingProcess.APPENDED.length())));
            }
        }
        return appended;
    }

    /**
     * Another coordinator, in its own process.
     */
    public static final class AppendingProcess
    {
        static final String READY = "ready";
        static final String APPENDED = "appended ";

        private AppendingProcess() {}

        public static void main(String[] arguments)
                throws IOException
        {
            Warehouse warehouse = localWarehouse(Path.of(arguments[0]));
            load(warehouse, "s", "t");
            System.out.println(READY);
            System.in.readAllBytes();
            for (int i = 0; i < Integer.parseInt(arguments[1]); i++) {
                RowGroup rowGroup = oneRow();
                warehouse.append(load(warehouse, "s", "t"), rows(rowGroup), ReadSet.BLIND);
                System.out.println(APPENDED + rowGroup.id());
            }
        }
    }

    private static Warehouse localWarehouse(Path root)
    {
        TrinoFileSystem fileSystem = new LocalFileSystem(root);
        return new Warehouse(fileSystem, Location.of("local:///warehouse"), TYPE_RESOLVER, WarehouseOptions.DEFAULT.withLocalRoot(root).withPolicy(POLICY));
    }

    private static boolean succeeds(Runnable operation, TableException.Reason... otherwise)
    {
        try {
            operation.run();
            return true;
        }
        catch (TableException e) {
            assertThat(otherwise).as(e.getMessage()).contains(e.reason());
            return false;
        }
    }

    private static <T> List<T> inLockStep(List<Callable<T>> tasks)
            throws Exception
    {
        CyclicBarrier barrier = new CyclicBarrier(tasks.size());
        try (ExecutorService executor = Executors.newFixedThreadPool(tasks.size())) {
            List<Future<T>> futures = new ArrayList<>();
            for (Callable<T> task : tasks) {
                futures.add(executor.submit(() -> {
                    barrier.await();
                    return task.call();
                }));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> future : futures) {
                results.add(future.get());
            }
            return results;
        }
    }
}
