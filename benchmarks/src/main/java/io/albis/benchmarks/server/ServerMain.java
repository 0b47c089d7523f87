package io.albis.benchmarks.server;

import com.google.common.collect.ImmutableList;
import com.google.inject.Module;
import com.google.inject.Provider;
import io.albis.benchmarks.measure.Figures;
import io.trino.execution.QueryInfo;
import io.trino.execution.QueryManager;
import io.trino.server.Server;
import io.trino.spi.ErrorCode;
import io.trino.spi.QueryId;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import static com.google.common.base.Preconditions.checkState;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.stream.Collectors.joining;

/**
 * The main class of a server in a separate process, which is started by {@link ServerProcess}:
 * <ul>
 * <li>It is Trino's own server with the configuration of the system property {@code config}.
 * <li>It prints {@code ready} to its standard output once the server has started.
 * <li>It answers each line of its standard input with one line. A coordinator answers questions about queries with what
 *     its REST API has for them, but does not round times to three digits.
 * <li>It exits at the end of its standard input, and therefore when the process that started it exits.
 * </ul>
 */
final class ServerMain
        extends Server
{
    static final String READY = "ready";
    static final String USAGE = "usage";
    static final String RESET = "reset";
    static final String FIGURES = "figures";
    static final String ERROR = "error";
    static final String FAILED = "failed";

    private final boolean coordinator;
    private Optional<Provider<QueryManager>> queries = Optional.empty();

    private ServerMain(boolean coordinator)
    {
        this.coordinator = coordinator;
    }

    static void main(String[] arguments)
            throws IOException
    {
        // Trino redirects the standard output to its log
        PrintStream output = System.out;
        ThisProcess process = new ThisProcess();
        ServerMain server = new ServerMain(arguments[0].equals(ServerProcess.COORDINATOR));
        // Exits if the server does not start
        server.start(Server.class.getPackage().getImplementationVersion());
        print(output, READY);
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            print(output, server.answer(line, process));
        }
        // Nobody is left who could wait for an orderly end
        Runtime.getRuntime().halt(0);
    }

    private static void print(PrintStream output, String line)
    {
        output.println(line);
        output.flush();
    }

    @Override
    protected Iterable<? extends Module> getAdditionalModules()
    {
        if (!coordinator) {
            return ImmutableList.of();
        }
        Module module = binder -> queries = Optional.of(binder.getProvider(QueryManager.class));
        return ImmutableList.of(module);
    }

    private String answer(String line, ThisProcess process)
    {
        try {
            int space = line.indexOf(' ');
            String question = space < 0 ? line : line.substring(0, space);
            String subject = line.substring(space + 1);
            return switch (question) {
                case USAGE -> process.usage().text();
                case RESET -> {
                    process.resetPeakHeap();
                    yield READY;
                }
                case FIGURES -> text(QueryFigures.read(finalQueryInfo(new QueryId(subject))));
                case ERROR -> Optional.ofNullable(queries().getFullQueryInfo(new QueryId(subject)).getErrorCode())
                        .map(ErrorCode::getName)
                        .orElse("");
                default -> throw new IllegalArgumentException("Not a question: " + line);
            };
        }
        catch (RuntimeException e) {
            return "%s %s".formatted(FAILED, String.valueOf(e).replaceAll("\\s+", " "));
        }
    }

    private QueryInfo finalQueryInfo(QueryId queryId)
    {
        // Tasks send their last report shortly after the client has received all rows
        CompletableFuture<QueryInfo> queryInfo = new CompletableFuture<>();
        queries().addFinalQueryInfoListener(queryId, queryInfo::complete);
        return queryInfo.orTimeout(1, MINUTES).join();
    }

    private QueryManager queries()
    {
        checkState(queries.isPresent(), "not the coordinator");
        return requireNonNull(queries.get().get(), "queries is null");
    }

    private static String text(Figures figures)
    {
        return figures.values().entrySet().stream()
                .map(figure -> "%s=%s".formatted(figure.getKey().name(), figure.getValue()))
                .collect(joining(" "));
    }
}
