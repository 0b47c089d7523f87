package io.albis.launcher;

import io.albis.launcher.server.Installation;
import io.albis.launcher.tpcds.Progress;
import io.albis.launcher.tpcds.QueryList;
import io.albis.launcher.tpcds.QueryResult;
import io.albis.launcher.tpcds.ResultTable;
import io.albis.launcher.tpcds.Scale;
import io.albis.launcher.tpcds.TpcdsBenchmark;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

@Command(name = "tpcds", description = "Loads the TPC-DS tables once and runs the queries")
public final class TpcdsCommand
        implements Callable<Integer>
{
    @Option(names = "--scale", required = true, paramLabel = "SCALE", description = "tiny, or a number of gigabytes")
    private Scale scale;

    @Option(names = "--queries", paramLabel = "LIST", description = "such as 1,5,q17 or 1-20; all 99 if not given")
    private QueryList queries = QueryList.ALL;

    @Option(names = "--server", paramLabel = "URI", description = "a server that is running, such as http://127.0.0.1:8080, instead of one of its own")
    private Optional<URI> server = Optional.empty();

    @Override
    public Integer call()
            throws IOException, InterruptedException
    {
        if (server.isPresent()) {
            return run(ServerAccess.checkAnswers(server.orElseThrow()));
        }
        try (ServerAccess access = ServerAccess.startOrUse(Installation.current())) {
            return run(access.uri());
        }
    }

    private int run(URI uri)
            throws InterruptedException
    {
        Progress progress = Progress.console();
        TpcdsBenchmark benchmark = new TpcdsBenchmark(uri, scale, progress);
        benchmark.load(false);
        List<QueryResult> results = benchmark.run(queries);
        progress.clear();
        System.out.println(ResultTable.format(results));
        return results.stream().anyMatch(QueryResult::isUnexpected) ? 1 : 0;
    }

    Scale scale()
    {
        return scale;
    }

    Optional<URI> server()
    {
        return server;
    }

    QueryList queries()
    {
        return queries;
    }
}
