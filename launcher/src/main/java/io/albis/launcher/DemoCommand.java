package io.albis.launcher;

import io.albis.launcher.server.Installation;
import io.albis.launcher.server.LocalServer;
import io.albis.launcher.tpcds.Progress;
import io.albis.launcher.tpcds.QueryList;
import io.albis.launcher.tpcds.QueryResult;
import io.albis.launcher.tpcds.ResultTable;
import io.albis.launcher.tpcds.Scale;
import io.albis.launcher.tpcds.TpcdsBenchmark;
import picocli.CommandLine.Command;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.concurrent.Callable;

@Command(name = "demo", description = "Creates the TPC-DS tables at scale tiny and runs the 99 queries")
public final class DemoCommand
        implements Callable<Integer>
{
    @Override
    public Integer call()
            throws IOException, InterruptedException
    {
        Installation installation = Installation.current();
        Progress progress = Progress.console();
        List<QueryResult> results;
        URI webInterface;
        try (LocalServer server = ServerAccess.startExclusive(installation, false)) {
            results = load(server.running().uri(), progress).run(QueryList.ALL);
            progress.clear();
            webInterface = server.running().webInterface();
        }
        System.out.println(ResultTable.format(results));
        System.out.println("The server has stopped. Run bin/albis server to start it again on the same data, and bin/albis sql to query it.");
        System.out.println("Web UI: %s (while it runs). Data: %s".formatted(webInterface, installation.data()));
        return results.stream().anyMatch(QueryResult::isUnexpected) ? 1 : 0;
    }

    /**
     * Loads the tables, and deletes those of earlier demos. It always loads them again, because tables that an earlier
     * build of the plugin wrote would not demonstrate this one.
     */
    static TpcdsBenchmark load(URI server, Progress progress)
    {
        TpcdsBenchmark benchmark = new TpcdsBenchmark(server, Scale.TINY, progress);
        benchmark.load(true);
        benchmark.freeReplacedTables();
        return benchmark;
    }
}
