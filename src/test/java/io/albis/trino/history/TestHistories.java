package io.albis.trino.history;

import io.albis.table.model.IsolationLevel;
import io.albis.trino.history.HistoryRun.Size;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

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
final class TestHistories
        extends BaseHistoriesTest
{
    private static final String REPLAY = "history.replay";

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
        checkSimulated("simulated-local", HistoryStorage.local(folder.resolve("data")), new Size(6, 6500, 850, Pace.FAST_RESTARTS));
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
}
