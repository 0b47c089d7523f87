package io.albis.launcher;

import io.albis.launcher.server.LocalServer;
import io.albis.launcher.tpcds.QueryList;
import io.albis.launcher.tpcds.QueryResult;
import io.albis.launcher.tpcds.ResultTable;
import io.albis.launcher.tpcds.Scale;
import io.albis.launcher.tpcds.TpcdsBenchmark;
import picocli.CommandLine.Command;

import java.io.IOException;
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
        try (LocalServer server = ServerAccess.startExclusive(installation, false)) {
            TpcdsBenchmark benchmark = new TpcdsBenchmark(server.running().uri(), Scale.TINY, progress);
            // Each time from the start: the tables of an earlier plugin show nothing
            benchmark.load(true);
            List<QueryResult> results = benchmark.run(QueryList.ALL);
            progress.clear();
            System.out.println(ResultTable.format(results));
            System.out.println("Web UI: %s (while a server runs: bin/albis server), data: %s".formatted(server.running().webInterface(), installation.data()));
            return results.stream().anyMatch(QueryResult::isUnexpected) ? 1 : 0;
        }
    }
}
