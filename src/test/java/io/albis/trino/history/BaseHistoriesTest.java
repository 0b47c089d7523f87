package io.albis.trino.history;

import com.google.common.collect.ImmutableMap;
import io.albis.trino.history.Checker.Verdict;
import io.albis.trino.history.HistoryRun.Size;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

import static io.airlift.testing.Closeables.closeAll;
import static io.trino.testing.assertions.Assert.assertEventually;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs of concurrent statements, which are recorded and checked. Each kind of storage has a class of its own, because a
 * run takes long, and classes run at the same time.
 */
@Timeout(36_000)
abstract class BaseHistoriesTest
{
    private static final String SEED = "history.seed";
    static final String FILE = "history.file";
    // Keeps the histories of runs that pass
    private static final String KEEP = "history.keep";
    // Divide the size of the runs with processes, so that they take about eight minutes. A kill takes as long as 200
    // operations
    private static final int OPERATIONS_DIVISOR = Integer.getInteger("history.divisor", 15);
    private static final int KILLS_DIVISOR = Integer.getInteger("history.divisor", 75);

    private static final List<Verdict> VERDICTS = new ArrayList<>();

    @TempDir
    Path folder;

    interface Servers
    {
        HistoryServer start(int number, Map<String, String> catalog)
                throws Exception;
    }

    void checkSimulated(String name, HistoryStorage storage, Size size)
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

    static Size longRun(long operations, int kills)
    {
        return new Size(6, Math.max(1, operations / OPERATIONS_DIVISOR), Math.max(1, kills / KILLS_DIVISOR), Pace.SLOW_RESTARTS);
    }

    HistoryServer startProcess(int number, Map<String, String> catalog)
            throws IOException
    {
        return new ServerProcess("server-" + number, Files.createDirectories(folder.resolve("server-" + number)), catalog);
    }

    static void check(String name, HistoryStorage storage, int serverCount, Servers starter, Size size)
            throws Exception
    {
        check(name, storage, serverCount, starter, size, Optional.empty());
    }

    static void check(String name, HistoryStorage storage, int serverCount, Servers starter, Size size, Optional<RecordedStatements> recorded)
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
            VERDICTS.clear();
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
