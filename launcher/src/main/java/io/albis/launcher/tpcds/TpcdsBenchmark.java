package io.albis.launcher.tpcds;

import com.google.common.base.Stopwatch;
import com.google.common.collect.ImmutableList;
import io.albis.launcher.server.LauncherException;
import io.albis.launcher.server.ServerProbe;

import java.net.URI;
import java.sql.SQLException;
import java.util.List;

import static java.util.Objects.requireNonNull;

/**
 * Loads the TPC-DS tables of one scale on a running server and runs the queries on them.
 */
public final class TpcdsBenchmark
{
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
        try (TpcdsClient client = connect()) {
            TpcdsTables tables = new TpcdsTables(client.connection(), scale);
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
                    TpcdsClient.CATALOG,
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
        try (TpcdsClient client = connect()) {
            new TpcdsTables(client.connection(), scale).freeDroppedTables();
        }
        catch (SQLException e) {
            throw new LauncherException("Deleting the files of replaced tables failed: " + e.getMessage(), e);
        }
    }

    public List<QueryResult> run(QueryList queries)
            throws InterruptedException
    {
        ImmutableList.Builder<QueryResult> results = ImmutableList.builder();
        try (TpcdsClient client = connect()) {
            int done = 0;
            for (int number : queries.numbers()) {
                done++;
                progress.start(done, queries.numbers().size(), QueryText.name(number));
                QueryResult result = client.run(number);
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

    private TpcdsClient connect()
            throws SQLException
    {
        return TpcdsClient.connect(server, scale);
    }
}
