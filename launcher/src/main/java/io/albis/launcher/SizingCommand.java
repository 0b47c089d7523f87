package io.albis.launcher;

import io.albis.launcher.server.Installation;
import io.albis.launcher.server.LauncherException;
import io.albis.launcher.sizing.ConcurrentQueries;
import io.albis.launcher.sizing.SizingReport;
import io.albis.launcher.tpcds.Progress;
import io.albis.launcher.tpcds.QueryList;
import io.albis.launcher.tpcds.Scale;
import io.albis.launcher.tpcds.TpcdsBenchmark;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

import static java.nio.file.Files.writeString;

@Command(name = "sizing", description = "Measures what concurrent TPC-DS queries need")
public final class SizingCommand
        implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Option(names = "--scale", required = true, paramLabel = "SCALE", description = "tiny, or a number of gigabytes")
    private Scale scale;

    @Option(names = "--queries", paramLabel = "LIST", description = "such as 1,5,q17 or 1-20; all 99 if not given")
    private QueryList queries = QueryList.ALL;

    @Option(names = "--clients", split = ",", defaultValue = "1,4,16", paramLabel = "LIST", description = "numbers of clients; ${DEFAULT-VALUE} if not given")
    private List<Integer> clients;

    @Option(names = "--server", paramLabel = "URI", description = "a server that is running, such as http://127.0.0.1:8080, instead of one of its own")
    private Optional<URI> server = Optional.empty();

    @Option(names = "--json", paramLabel = "FILE", description = "also writes the figures to a file")
    private Optional<Path> json = Optional.empty();

    @Override
    public Integer call()
            throws IOException, InterruptedException
    {
        if (clients.stream().anyMatch(number -> number < 1)) {
            throw new ParameterException(spec.commandLine(), "A number of clients is at least 1");
        }
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
        new TpcdsBenchmark(uri, scale, progress).load(false);
        progress.clear();
        SizingReport report = new ConcurrentQueries(uri, scale, queries).measure(clients);
        System.out.println(report.markdown());
        json.ifPresent(file -> write(file, report.json()));
        return report.hasFailures() ? 1 : 0;
    }

    private static void write(Path file, String text)
    {
        try {
            writeString(file, text);
        }
        catch (IOException e) {
            throw new LauncherException("%s cannot be written: %s".formatted(file, e), e);
        }
    }

    List<Integer> clients()
    {
        return clients;
    }
}
