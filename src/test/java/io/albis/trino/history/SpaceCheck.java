package io.albis.trino.history;

import com.google.common.collect.ImmutableList;
import io.albis.trino.history.Outcome.Kind;
import io.trino.filesystem.FileIterator;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;

import static io.albis.trino.ReclaimedSpace.KEPT;
import static java.util.Objects.requireNonNull;

/**
 * Drops all tables after a history, and finds the files whose space no statement reclaims.
 */
final class SpaceCheck
{
    // A statement whose client has lost its server may run for a while
    private static final int ATTEMPTS = 60;
    // s3proxy writes an object into a file next to it. If it is killed, this file remains, and it lists it as an object
    private static final Pattern UNFINISHED = Pattern.compile("s3://.*/[^/]+-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    private final TrinoFileSystem fileSystem;
    private final Location warehouse;
    private final HistoryServer server;
    private int registered;

    SpaceCheck(HistoryStorage storage, HistoryServer server)
    {
        this.fileSystem = storage.fileSystem();
        this.warehouse = Location.of(storage.catalog().get("albis.warehouse"));
        this.server = requireNonNull(server, "server is null");
    }

    /**
     * @return the files that remain, or what has prevented that they were removed
     */
    List<String> remaining()
            throws IOException, InterruptedException
    {
        List<String> remaining = ImmutableList.of();
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            ImmutableList.Builder<String> problems = ImmutableList.builder();
            removeAll(problems);
            FileIterator files = fileSystem.listFiles(warehouse);
            while (files.hasNext()) {
                String file = files.next().location().toString();
                if (!KEPT.matcher(file).matches() && !UNFINISHED.matcher(file).matches()) {
                    problems.add(file);
                }
            }
            remaining = problems.build();
            if (remaining.isEmpty()) {
                return remaining;
            }
            Thread.sleep(1000);
        }
        return remaining;
    }

    private void removeAll(ImmutableList.Builder<String> problems)
    {
        for (List<String> lost : execute("SELECT location FROM TABLE(albis.system.find_lost_tables()) WHERE state IN ('unregistered', 'lost')", problems)) {
            registered++;
            execute("CALL albis.system.register_table('%s', 'registered_%s', '%s')".formatted(HistoryRun.SCHEMA, registered, lost.getFirst()), problems);
        }
        for (List<String> table : execute("SHOW TABLES", problems)) {
            execute("DROP TABLE " + table.getFirst(), problems);
        }
        execute("CALL albis.system.vacuum('0s')", problems);
    }

    private List<List<String>> execute(String sql, ImmutableList.Builder<String> problems)
    {
        Outcome outcome = HistoryClient.execute(server.uri().orElseThrow(), HistoryRun.SCHEMA, sql, 0);
        if (outcome.kind() != Kind.DONE) {
            problems.add("%s: %s".formatted(sql, outcome.message().orElse("no answer")));
        }
        return outcome.rows();
    }
}
