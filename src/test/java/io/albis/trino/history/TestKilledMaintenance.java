package io.albis.trino.history;

import io.albis.trino.history.HistoryServer.Connection;
import io.albis.trino.history.Maintenance.Optimize;
import io.albis.trino.history.Maintenance.Regroup;
import io.albis.trino.history.Maintenance.Sort;
import io.albis.trino.history.Outcome.Kind;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A server is killed at each change that a statement of maintenance makes to the storage. The kills of
 * {@link TestHistories} hit such a statement only by chance.
 */
@Tag("slow")
@Timeout(1800)
final class TestKilledMaintenance
{
    private static final String ROWS = "SELECT id, uid, writer, amount FROM %s ORDER BY uid";
    private static final String LAST_OPERATION = "SELECT operation FROM \"%s$snapshots\" ORDER BY snapshot_id DESC LIMIT 1";

    @TempDir
    private Path folder;

    /**
     * What was found after the kills, of which each has a change of the statement in flight.
     */
    private static final class Kills
    {
        private final List<Boolean> committed = new ArrayList<>();
        private int unfinished;
    }

    @ParameterizedTest
    @ValueSource(strings = {"optimize", "sort", "regroup"})
    void testKills(String procedure)
            throws Exception
    {
        Kills kills = new Kills();
        try (HistoryStorage storage = HistoryStorage.local(folder.resolve("data"));
                SimulatedServer server = new SimulatedServer("server", folder.resolve("server"), storage, BaseHistoriesTest.catalog(storage, 0));
                ExecutorService executor = Executors.newCachedThreadPool()) {
            server.start();
            execute(server, "CREATE SCHEMA " + HistoryRun.SCHEMA);
            int change = 0;
            boolean killed = true;
            while (killed) {
                change++;
                // the change is lost, or only its result is
                killed = kill(server, executor, procedure, change, false, kills);
                killed &= kill(server, executor, procedure, change, true, kills);
            }
            assertThat(new SpaceCheck(storage, server).remaining()).isEmpty();
        }
        System.out.println("%s: %s kills, %s of them after the commit, %s before the statement succeeded".formatted(
                procedure,
                kills.committed.size(),
                kills.committed.stream().filter(committed -> committed).count(),
                kills.unfinished));
        assertThat(kills.committed).hasSizeGreaterThan(6).contains(true, false);
        assertThat(kills.unfinished).isGreaterThan(6);
    }

    /**
     * Kills the server while a change of a statement is in flight, and compares the rows.
     *
     * @return false if the statement makes fewer changes, and has succeeded
     */
    private static boolean kill(SimulatedServer server, ExecutorService executor, String procedure, int change, boolean executed, Kills kills)
            throws Exception
    {
        String table = "t_%s_%s".formatted(change, executed);
        Maintenance statement = switch (procedure) {
            case "optimize" -> new Optimize(table);
            case "sort" -> new Sort(table);
            default -> new Regroup(table, true);
        };
        String operation = procedure.equals("sort") ? "optimize" : procedure;
        for (String sql : List.of(
                "CREATE TABLE %s AS SELECT n id, n uid, n writer, n amount FROM UNNEST(sequence(1, 10)) t (n)",
                "INSERT INTO %s SELECT n id, n uid, n writer, n amount FROM UNNEST(sequence(11, 20)) t (n)",
                "DELETE FROM %s WHERE id = 5")) {
            execute(server, sql.formatted(table));
        }
        List<List<String>> rows = execute(server, ROWS.formatted(table));
        assertThat(rows).hasSize(19);

        Lifetime lifetime = server.present();
        Connection connection = server.connect().orElseThrow();
        lifetime.hold(change, executed);
        Future<Outcome> outcome = executor.submit(() -> HistoryClient.execute(connection.uri(), HistoryRun.SCHEMA, statement.sql(), 0));
        while (!lifetime.isHolding() && !outcome.isDone()) {
            Thread.sleep(1);
        }
        boolean killed = lifetime.isHolding();
        if (killed) {
            server.killAndRestart(new Random(change));
            assertThat(connection.isBroken()).isTrue();
            kills.unfinished += outcome.get().kind() == Kind.DONE ? 0 : 1;
            kills.committed.add(execute(server, LAST_OPERATION.formatted(table)).equals(List.of(List.of(operation))));
        }
        else {
            lifetime.hold(0, false);
            assertThat(outcome.get().error()).isEmpty();
        }
        assertThat(execute(server, ROWS.formatted(table))).isEqualTo(rows);
        execute(server, statement.sql());
        assertThat(execute(server, ROWS.formatted(table))).isEqualTo(rows);
        return killed;
    }

    private static List<List<String>> execute(SimulatedServer server, String sql)
    {
        Outcome outcome = HistoryClient.execute(server.uri().orElseThrow(), HistoryRun.SCHEMA, sql, 0);
        assertThat(outcome.error()).as(sql).isEmpty();
        return outcome.rows();
    }
}
