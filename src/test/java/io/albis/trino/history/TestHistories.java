package io.albis.trino.history;

import com.google.common.collect.ImmutableMap;
import io.albis.table.model.IsolationLevel;
import io.albis.trino.history.Checker.Verdict;
import io.albis.trino.history.HistoryRun.Size;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;

import static io.airlift.testing.Closeables.closeAll;
import static io.trino.testing.assertions.Assert.assertEventually;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Clients change, read, and maintain tables of one warehouse at the same time, on several servers, while servers and
 * storage are killed. A {@link Checker} decides whether what they were told is possible.
 * <p>
 * The history of a run that fails remains in the folder {@code target/histories}. {@code -Dhistory.file=...} checks it
 * again, and {@code -Dhistory.replay=...} runs its statements again. {@code -Dhistory.seed=...} repeats the choice of
 * statements and kills. None of them repeats the timing.
 */
@Timeout(36_000)
final class TestHistories
{
    private static final String SEED = "history.seed";
    private static final String FILE = "history.file";
    private static final String REPLAY = "history.replay";
    // Keeps the histories of runs that pass
    private static final String KEEP = "history.keep";
    // Divide the size of the runs with processes, so that they take about eight minutes. A kill takes as long as 200
    // operations
    private static final int OPERATIONS_DIVISOR = Integer.getInteger("history.divisor", 15);
    private static final int KILLS_DIVISOR = Integer.getInteger("history.divisor", 75);

    private static final List<Verdict> VERDICTS = new ArrayList<>();

    @TempDir
    private Path folder;

    private interface Servers
    {
        HistoryServer start(int number, Map<String, String> catalog)
                throws Exception;
    }

    @Test
    void testSimulatedKills()
            throws Exception
    {
        HistoryStorage storage = HistoryStorage.local(folder.resolve("data"));
        check("simulated", storage, 1, (_, catalog) -> new SimulatedServer("server", folder.resolve("server"), storage, catalog), new Size(4, 12, 3, Pace.FAST_RESTARTS));
    }

    @Test
    @Tag("slow")
    void testSimulatedKillsOnLocal()
            throws Exception
    {
        checkSimulated("simulated-local", HistoryStorage.local(folder.resolve("data")), new Size(6, 5000, 700, Pace.FAST_RESTARTS));
    }

    @Test
    @Tag("slow")
    void testSimulatedKillsOnHdfs()
            throws Exception
    {
        checkSimulated("simulated-hdfs", HistoryStorage.hdfs(), new Size(6, 2500, 150, Pace.FAST_RESTARTS));
    }

    @Test
    @Tag("slow")
    void testSimulatedKillsOnS3()
            throws Exception
    {
        checkSimulated("simulated-s3", HistoryStorage.s3(), new Size(6, 3000, 200, Pace.FAST_RESTARTS));
    }

    private void checkSimulated(String name, HistoryStorage storage, Size size)
            throws Exception
    {
        check(name,
                storage,
                3,
                (number, catalog) -> {
                    Path serverFolder = folder.resolve("server-" + number);
                    // The collector has the last one, so that kills do not keep it from its work
                    return number < 2 ? new SimulatedServer("server-" + number, serverFolder, storage, catalog) : new EmbeddedServer(serverFolder, catalog);
                },
                size);
    }

    /**
     * The workload updates rows in place if they are most rows of a row group. A history does not show this.
     */
    @Test
    void testUpdateInPlace()
            throws Exception
    {
        List<Row> rows = LongStream.range(0, 30).mapToObj(id -> new Row(id, id, 1, id)).toList();
        try (HistoryStorage storage = HistoryStorage.local(folder.resolve("data"));
                EmbeddedServer server = new EmbeddedServer(folder.resolve("server"), catalog(storage, 0))) {
            execute(server, "CREATE SCHEMA s");
            execute(server, new Write.Replace("a", IsolationLevel.SERIALIZABLE, rows).sql());
            execute(server, new Write.Update("a", new IdRange(12, 18), 2).sql());
            assertThat(execute(server, "SELECT count(DISTINCT \"$row_group\"), count_if(writer = 2) FROM a")).containsExactly(List.of("3", "7"));
            execute(server, new Write.Update("a", new IdRange(1, 1), 3).sql());
            assertThat(execute(server, "SELECT count(DISTINCT \"$row_group\"), count_if(writer = 3) FROM a")).containsExactly(List.of("4", "1"));
        }
    }

    /**
     * Each statement of the workload succeeds if nothing else runs, and does what the model says.
     */
    @Test
    void testStatements()
            throws Exception
    {
        Path file = folder.resolve("statements.jsonl");
        try (HistoryStorage storage = HistoryStorage.local(folder.resolve("data"));
                EmbeddedServer server = new EmbeddedServer(folder.resolve("server"), catalog(storage, 0));
                History history = new History(file)) {
            assertThat(HistoryClient.execute(server.uri().orElseThrow(), HistoryRun.SCHEMA, "CREATE SCHEMA " + HistoryRun.SCHEMA, 0).error()).isEmpty();
            new SequentialHistory(history, server).run();
            assertPossible(Checker.check(history.events()), file);
            assertThat(History.read(file)).isEqualTo(history.events());
        }
    }

    private static List<List<String>> execute(HistoryServer server, String sql)
    {
        Outcome outcome = HistoryClient.execute(server.uri().orElseThrow(), "s", sql, 0);
        assertThat(outcome.error()).as(sql).isEmpty();
        return outcome.rows();
    }

    @Test
    @Tag("slow")
    void testLocal()
            throws Exception
    {
        check("local", HistoryStorage.local(folder.resolve("data")), 3, this::startProcess, longRun(4000, 300));
    }

    @Test
    @Tag("slow")
    void testHdfs()
            throws Exception
    {
        check("hdfs", HistoryStorage.hdfs(), 2, this::startProcess, longRun(3000, 300));
    }

    @Test
    @Tag("slow")
    void testS3()
            throws Exception
    {
        check("s3", HistoryStorage.s3(), 2, this::startProcess, longRun(3000, 400));
    }

    @Test
    @EnabledIfSystemProperty(named = FILE, matches = ".+")
    void testRecorded()
    {
        checkRecorded(Path.of(System.getProperty(FILE)));
    }

    @Test
    @EnabledIfSystemProperty(named = REPLAY, matches = ".+")
    void testReplayed()
            throws Exception
    {
        RecordedStatements recorded = new RecordedStatements(History.read(Path.of(System.getProperty(REPLAY))));
        replay(recorded, "replay");
    }

    /**
     * The history is impossible, and running its statements again leads to another one that is possible.
     */
    @Test
    @Tag("slow")
    void testReplay()
            throws Exception
    {
        Path file = folder.resolve("impossible.jsonl");
        try (History history = new History(file)) {
            TestHistory.recordLostRow(history);
        }
        assertThatThrownBy(() -> checkRecorded(file)).hasMessageContaining("Wrong rows in version 2");
        replay(new RecordedStatements(History.read(file)), "replay-impossible");
    }

    private void replay(RecordedStatements recorded, String name)
            throws Exception
    {
        check(name, HistoryStorage.local(folder.resolve("data")), 2, this::startProcess, new Size(recorded.clients(), recorded.operations(), 0, Pace.SLOW_RESTARTS), Optional.of(recorded));
    }

    static void checkRecorded(Path file)
    {
        assertPossible(Checker.check(History.read(file)), file);
    }

    private static Size longRun(long operations, int kills)
    {
        return new Size(6, Math.max(1, operations / OPERATIONS_DIVISOR), Math.max(1, kills / KILLS_DIVISOR), Pace.SLOW_RESTARTS);
    }

    private HistoryServer startProcess(int number, Map<String, String> catalog)
            throws IOException
    {
        return new ServerProcess("server-" + number, Files.createDirectories(folder.resolve("server-" + number)), catalog);
    }

    private static void check(String name, HistoryStorage storage, int serverCount, Servers starter, Size size)
            throws Exception
    {
        check(name, storage, serverCount, starter, size, Optional.empty());
    }

    private static void check(String name, HistoryStorage storage, int serverCount, Servers starter, Size size, Optional<RecordedStatements> recorded)
            throws Exception
    {
        long seed = Long.getLong(SEED, new Random().nextLong(Long.MAX_VALUE));
        Path file = Path.of("target", "histories", "%s-%s.jsonl".formatted(name, seed)).toAbsolutePath();
        System.out.println("History %s by seed -D%s=%s in %s".formatted(name, SEED, seed, file));
        List<AutoCloseable> resources = new ArrayList<>(List.of(storage));
        try (History history = new History(file)) {
            List<HistoryServer> servers = new ArrayList<>();
            for (int number = 0; number < serverCount; number++) {
                HistoryServer server = starter.start(number, catalog(storage, number));
                servers.add(server);
                resources.addFirst(server);
            }
            servers.parallelStream().forEach(HistoryServer::start);
            new HistoryRun(history, storage, servers, size, recorded, seed).run();
            Verdict verdict = Checker.check(history.events());
            VERDICTS.add(verdict);
            report("History %s by seed %s: %s".formatted(name, seed, summary(verdict)));
            assertPossible(verdict, file);
            assertMeaningful(verdict, size);
            // The file can be checked again, too
            assertThat(History.read(file)).isEqualTo(history.events());
            assertThat(new SpaceCheck(storage, servers.getFirst()).remaining()).as("files that no table needs, by seed %s", seed).isEmpty();
            for (HistoryServer server : servers) {
                if (server instanceof SimulatedServer simulated) {
                    assertEventually(() -> assertThat(simulated.unreleased()).as("catalogs of %s that were killed and still have threads", simulated.name()).isZero());
                }
            }
        }
        finally {
            closeAll(resources.toArray(AutoCloseable[]::new));
        }
        if (!Boolean.getBoolean(KEEP)) {
            Files.delete(file);
        }
    }

    @AfterAll
    static void reportTotal()
            throws IOException
    {
        if (!VERDICTS.isEmpty()) {
            report("%s histories in all: %s operations of clients, %s kills of servers and %s of storage, %s anomalies".formatted(
                    VERDICTS.size(),
                    VERDICTS.stream().mapToLong(Verdict::operations).sum(),
                    VERDICTS.stream().mapToLong(verdict -> verdict.kills().servers()).sum(),
                    VERDICTS.stream().mapToLong(verdict -> verdict.kills().storage()).sum(),
                    VERDICTS.stream().mapToLong(verdict -> verdict.anomalies().size()).sum()));
        }
    }

    private static void report(String line)
            throws IOException
    {
        System.out.println(line);
        Files.writeString(Path.of("target", "histories", "results.txt"), line + "\n", CREATE, APPEND);
    }

    /**
     * Some servers update rows in place whenever this writes fewer bytes, and others seldom do.
     */
    static Map<String, String> catalog(HistoryStorage storage, int server)
    {
        return ImmutableMap.<String, String>builder()
                .putAll(storage.catalog())
                .put("albis.expire-snapshots.min-retention", "0s")
                .put("albis.remove-orphan-files.min-retention", "0s")
                .put("albis.vacuum.min-retention", "0s")
                .put("albis.register-table-procedure.enabled", "true")
                .put("albis.update-rewrite-threshold", server % 2 == 0 ? "0" : "0.6")
                .buildOrThrow();
    }

    static void assertPossible(Verdict verdict, Path file)
    {
        assertThat(verdict.anomalies())
                .as("To check the history again: -D%s=%s", FILE, file)
                .isEmpty();
    }

    /**
     * A run in which little has happened, or little can be checked, shows nothing.
     */
    private static void assertMeaningful(Verdict verdict, Size size)
    {
        assertThat(verdict.operations()).isGreaterThanOrEqualTo(size.operations());
        assertThat(verdict.versions()).isGreaterThan(size.operations() / 10);
        // The last versions of a table that is dropped cannot be read any more
        assertThat(verdict.uncheckedVersions()).isLessThanOrEqualTo(5 + verdict.versions() / 6);
        assertThat(verdict.unseenVersions()).isLessThanOrEqualTo(5 + verdict.versions() / 8);
        Kills kills = verdict.kills();
        assertThat(kills.all()).isGreaterThanOrEqualTo(size.kills());
        assertThat(kills.duringWrites()).isEqualTo(kills.all());
        if (size.kills() > 0) {
            // Clients do not know what has become of their statements, and the checker has found out
            assertThat(kills.interrupting()).isGreaterThan(0);
            assertThat(verdict.unknown()).isGreaterThan(0);
        }
    }

    private static String summary(Verdict verdict)
    {
        return "%s operations of clients, %s calls (%s done, %s failed, %s of them conflicts, %s unknown, of which %s took effect), %s versions (%s not checked, %s not seen, %s statements beside them), %s kills of servers (%s of them interrupted statements that write), %s kills of storage, %s anomalies".formatted(
                verdict.operations(), verdict.calls(), verdict.done(), verdict.failed(), verdict.conflicts(), verdict.unknown(), verdict.unknownThatTookEffect(), verdict.versions(), verdict.uncheckedVersions(), verdict.unseenVersions(), verdict.besideGaps(), verdict.kills().servers(), verdict.kills().interrupting(), verdict.kills().storage(), verdict.anomalies().size());
    }
}
