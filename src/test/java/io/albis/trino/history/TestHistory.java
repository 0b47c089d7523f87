package io.albis.trino.history;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

import static io.albis.table.model.IsolationLevel.SERIALIZABLE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.Files.readString;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class TestHistory
{
    private static final Row R1 = new Row(1, 1, 1, 10);
    private static final Row R2 = new Row(2, 2, 2, 20);

    @TempDir
    private Path folder;

    @Test
    void testFailingHistoryIsRecorded()
    {
        Path file = folder.resolve("histories").resolve("lost-row.jsonl");
        try (History history = new History(file)) {
            recordLostRow(history);
            assertThatThrownBy(() -> BaseHistoriesTest.assertPossible(Checker.check(history.events()), file))
                    .hasMessageContaining("-Dhistory.file=" + file)
                    .hasMessageContaining("Wrong rows in version 2")
                    .hasMessageContaining("it lacks [" + R1);
        }
        // This is what the test with the property does
        assertThatThrownBy(() -> TestHistories.checkRecorded(file))
                .hasMessageContaining("Wrong rows in version 2")
                .hasMessageContaining("it lacks [" + R1);
    }

    /**
     * The process that records a history may end at any time.
     */
    @Test
    void testEachLineIsWrittenAtOnce()
            throws Exception
    {
        Path file = folder.resolve("open.jsonl");
        try (History history = new History(file)) {
            history.note("begin");
            history.invoked(history.newCall(), 1, "server", new Write.Insert("a", List.of(R1)));
            assertThat(history.killedDuringWrite("another server")).isFalse();
            assertThat(history.killedDuringWrite("server")).isTrue();
            assertThat(history.storageKilledDuringWrite()).isTrue();
            assertThat(readString(file, UTF_8).lines()).hasSize(4);
            assertThat(History.read(file)).isEqualTo(history.events());
            assertThat(Kills.of(history.events())).isEqualTo(new Kills(1, 1, 2, 1));
        }
    }

    /**
     * An INSERT is acknowledged, and the row of another statement is gone.
     */
    static void recordLostRow(History history)
    {
        record(history, "create", HistoryRun.COLLECTOR, new Write.Replace("a", SERIALIZABLE, List.of(R1)), List.of());
        record(history, "insert", 1, new Write.Insert("a", List.of(R2)), List.of());
        record(history, "chain", HistoryRun.COLLECTOR, new Read.Chain("a", Map.of()), List.of(
                List.of(ScriptedHistory.TABLE_ID, "2", "1", "create", "create"),
                List.of(ScriptedHistory.TABLE_ID, "2", "2", "append", "insert")));
        record(history, "first", HistoryRun.COLLECTOR, new Read.Numbered("a", List.of(1L)), ScriptedHistory.rows(1, List.of(R1)));
        record(history, "second", 1, new Read.Newest("a"), ScriptedHistory.rows(2, List.of(R2)));
    }

    private static void record(History history, String queryId, int client, Operation operation, List<List<String>> rows)
    {
        long call = history.newCall();
        history.invoked(call, client, "server", operation);
        history.responded(call, Outcome.done(Optional.of(queryId), rows, OptionalLong.empty()));
    }
}
