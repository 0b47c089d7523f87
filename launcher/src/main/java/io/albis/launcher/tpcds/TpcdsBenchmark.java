package io.albis.launcher.tpcds;

import com.google.common.base.Stopwatch;
import com.google.common.collect.ImmutableList;
import io.albis.launcher.server.LauncherException;
import io.albis.launcher.server.ServerProbe;

import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * Loads the TPC-DS tables of one scale on a running server and runs the queries on them.
 */
public final class TpcdsBenchmark
{
    private static final String CATALOG = "albis";

    private final URI server;
    private final Scale scale;
    private final Progress progress;

    public TpcdsBenchmark(URI server, Scale scale, Progress progress)
    {
        this.server = requireNonNull(server, "server is null");
        this.scale = requireNonNull(scale, "scale is null");
        this.progress = requireNonNull(progress, "progress is null");
    }

    /**
     * Loads the tables.
     *
     * @param again whether to reload tables that are already loaded
     */
    public void load(boolean again)
    {
        Stopwatch stopwatch = Stopwatch.createStarted();
        try (Connection connection = connect()) {
            TpcdsTables tables = new TpcdsTables(connection, scale);
            tables.createSchema();
            List<String> names = tables.names();
            int loaded = 0;
            long rows = 0;
            for (int i = 0; i < names.size(); i++) {
                String table = names.get(i);
                progress.start(i + 1, names.size(), table);
                if (!again && tables.isLoaded(table)) {
                    progress.finish("existed before");
                    continue;
                }
                Stopwatch tableStopwatch = Stopwatch.createStarted();
                long count = tables.load(table);
                progress.finish("%,d rows, %s s".formatted(count, ResultTable.seconds(tableStopwatch.elapsed())));
                loaded++;
                rows += count;
            }
            progress.done("%s tables in %s.%s: %s loaded, %s existed before; %,d rows in %s seconds".formatted(
                    names.size(),
                    CATALOG,
                    scale.target(),
                    loaded,
                    names.size() - loaded,
                    rows,
                    ResultTable.seconds(stopwatch.elapsed())));
        }
        catch (SQLException e) {
            throw new LauncherException("Loading the tables failed: " + e.getMessage(), e);
        }
    }

    /**
     * Deletes the files of the tables that were replaced when they were loaded again. Only the user of an exclusive
     * server may call this.
     */
    public void freeReplacedTables()
    {
        try (Connection connection = connect()) {
            new TpcdsTables(connection, scale).freeDroppedTables();
        }
        catch (SQLException e) {
            throw new LauncherException("Deleting the files of replaced tables failed: " + e.getMessage(), e);
        }
    }

    public List<QueryResult> run(QueryList queries)
            throws InterruptedException
    {
        ImmutableList.Builder<QueryResult> results = ImmutableList.builder();
        try (Connection connection = connect()) {
            int done = 0;
            for (int number : queries.numbers()) {
                done++;
                progress.start(done, queries.numbers().size(), QueryText.name(number));
                QueryResult result = run(connection, number);
                if (result.isUnexpected() && !isServerReady()) {
                    throw new LauncherException("The server does not answer any more: " + result.failure().orElseThrow().message());
                }
                progress.finish(result.failure()
                        .map(QueryFailure::message)
                        .orElseGet(() -> "%,d rows, %s s".formatted(result.rows(), ResultTable.seconds(result.elapsed()))));
                results.add(result);
            }
        }
        catch (SQLException e) {
            throw new LauncherException("Running the queries failed: " + e.getMessage(), e);
        }
        return results.build();
    }

    private boolean isServerReady()
            throws InterruptedException
    {
        try (ServerProbe probe = new ServerProbe(server)) {
            return probe.isReady();
        }
    }

    private QueryResult run(Connection connection, int number)
    {
        String sql = QueryText.load(number, CATALOG, scale.target());
        Stopwatch stopwatch = Stopwatch.createStarted();
        long count = 0;
        Optional<QueryFailure> failure = Optional.empty();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                count++;
            }
        }
        catch (SQLException e) {
            failure = Optional.of(QueryFailure.of(e, number, scale));
        }
        return new QueryResult(number, count, stopwatch.elapsed(), failure);
    }

    private Connection connect()
            throws SQLException
    {
        return DriverManager.getConnection("jdbc:trino://%s:%s/%s?user=albis&source=bin/albis".formatted(server.getHost(), server.getPort(), CATALOG));
    }
}
