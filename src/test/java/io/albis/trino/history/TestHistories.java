package io.albis.trino.history;

import com.google.common.collect.ImmutableMap;
import io.albis.trino.history.Checker.Verdict;
import io.albis.trino.history.HistoryRun.Size;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static io.airlift.testing.Closeables.closeAll;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Clients change, read, and maintain tables of one warehouse at the same time, on several servers, while servers and
 * storage are killed. A {@link Checker} decides whether what they were told is possible.
 * <p>
 * The history of a run that fails remains in the folder {@code target/histories}. {@code -Dhistory.file=...} checks it
 * again, and {@code -Dhistory.seed=...} chooses the same statements again, although not the same timing.
 */
@Timeout(36_000)
final class TestHistories
{
    private static final String SEED = "history.seed";
    private static final String FILE = "history.file";
    // Keeps the histories of runs that pass
    private static final String KEEP = "history.keep";
    // Divides the size of the long runs
    private static final int DIVISOR = Integer.getInteger("history.divisor", 1);

    @TempDir
    private Path folder;

    private interface Servers
    {
        HistoryServer start(int number, Map<String, String> catalog)
                throws Exception;
    }

    @Test
    void testThreads()
            throws Exception
    {
        check("threads", HistoryStorage.local(folder.resolve("data")), 1, (_, catalog) -> new EmbeddedServer(folder.resolve("server"), catalog), new Size(4, 150, 0));
    }

    @Test
    void testKilledServers()
            throws Exception
    {
        check("short", HistoryStorage.local(folder.resolve("data")), 2, this::startProcess, new Size(4, 150, 4));
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
        assertThat(Checker.check(History.read(Path.of(System.getProperty(FILE)))).anomalies()).isEmpty();
    }

    private static Size longRun(long operations, int kills)
    {
        return new Size(6, Math.max(1, operations / DIVISOR), Math.max(1, kills / DIVISOR));
    }

    private HistoryServer startProcess(int number, Map<String, String> catalog)
            throws Exception
    {
        return new ServerProcess("server-" + number, Files.createDirectories(folder.resolve("server-" + number)), catalog);
    }

    private static void check(String name, HistoryStorage storage, int serverCount, Servers starter, Size size)
            throws Exception
    {
        long seed = Long.getLong(SEED, new Random().nextLong());
        Path file = Path.of("target", "histories", "%s-%s.jsonl".formatted(name, Long.toUnsignedString(seed))).toAbsolutePath();
        System.out.println("History %s by seed -D%s=%s in %s".formatted(name, SEED, seed, file));
        Map<String, String> catalog = ImmutableMap.<String, String>builder()
                .putAll(storage.catalog())
                .put("albis.expire-snapshots.min-retention", "0s")
                .buildOrThrow();
        List<AutoCloseable> resources = new ArrayList<>(List.of(storage));
        try (History history = new History(file)) {
            List<HistoryServer> servers = new ArrayList<>();
            for (int number = 0; number < serverCount; number++) {
                HistoryServer server = starter.start(number, catalog);
                servers.add(server);
                resources.addFirst(server);
            }
            servers.parallelStream().forEach(HistoryServer::start);
            new HistoryRun(history, storage, servers, size, seed).run();
            Verdict verdict = Checker.check(history.events());
            System.out.println("History %s: %s".formatted(name, summary(verdict)));
            assertThat(verdict.anomalies())
                    .as("Seed %s. To check the history again: -D%s=%s", seed, FILE, file)
                    .isEmpty();
            // Otherwise the run would show nothing
            assertThat(verdict.versions()).isGreaterThan(size.operations() / 10);
            assertThat(verdict.uncheckedVersions()).isLessThan(verdict.versions() / 2);
            assertThat(size.kills() == 0 || verdict.unknown() > 0).isTrue();
            assertThat(verdict.kills()).isEqualTo(size.kills());
            // The file can be checked again, too
            assertThat(History.read(file)).isEqualTo(history.events());
        }
        finally {
            closeAll(resources.toArray(AutoCloseable[]::new));
        }
        if (!Boolean.getBoolean(KEEP)) {
            Files.delete(file);
        }
    }

    private static String summary(Verdict verdict)
    {
        return "%s calls (%s done, %s failed, %s of them conflicts, %s unknown, of which %s took effect), %s versions (%s not checked, %s not seen), %s kills, %s anomalies".formatted(
                verdict.calls(), verdict.done(), verdict.failed(), verdict.conflicts(), verdict.unknown(), verdict.unknownThatTookEffect(), verdict.versions(), verdict.uncheckedVersions(), verdict.unseenVersions(), verdict.kills(), verdict.anomalies().size());
    }
}
