package io.albis.benchmarks;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.report.CombinedReport;
import io.albis.benchmarks.report.CommandLines;
import io.albis.benchmarks.workload.TpcdsScale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;

import static com.google.common.io.MoreFiles.getNameWithoutExtension;

/**
 * Runs all benchmarks one after the other, each in a separate process, and combines their reports. The report of each
 * benchmark is kept, so that a single benchmark can be run again. The combined report then has the earlier reports of
 * the others.
 */
@Command(name = "all", description = "All benchmarks, into one report")
class AllBenchmarks
        implements Callable<Integer>
{
    @Option(names = "--pieces", split = ",", defaultValue = "format,types,columns,selectivity,load,projection,tpcds,tpch,clickbench,topn,lookup,thresholds,buckets,plans,first-split,threads,segments,compression,objects,slices,tables,join,cif,concurrency,nested,changes,optimize,commits,mixed", paramLabel = "LIST", description = "what to run of ${DEFAULT-VALUE}")
    private List<Piece> pieces;

    @Option(names = "--scale", defaultValue = "sf1", paramLabel = "SCALE", description = "scale of the benchmarks with queries; ${DEFAULT-VALUE} if not given")
    private TpcdsScale scale;

    @Option(names = "--runs", defaultValue = "11", paramLabel = "N", description = "rounds of queries; ${DEFAULT-VALUE} if not given. clickbench, concurrency, changes, optimize, and commits run at most three, and mixed runs one, because they take minutes")
    private int runs;

    @Option(names = "--format-runs", defaultValue = "5", paramLabel = "N", description = "rounds of the benchmarks of the format alone; ${DEFAULT-VALUE} if not given")
    private int formatRuns;

    @Option(names = CommandLines.RESUME, description = "keep what an earlier run of the same command with the same builds has measured")
    private boolean resume;

    @Option(names = "--quick", description = "run a minimum of everything, to check that it works")
    private boolean quick;

    @Option(names = "--in-process", hidden = true, description = "in this process, to find errors and no figures")
    private boolean inProcess;

    @Option(names = "--data", required = true, paramLabel = "DIR", description = "folder of the tables and files; missing ones are created, and all are kept for the next benchmark")
    private Path data;

    @Option(names = "--output", required = true, paramLabel = "FILE.md", description = "what to write; the report of each benchmark goes to a folder of the same name with .parts")
    private Path output;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call()
            throws IOException, InterruptedException
    {
        if (pieces.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "There is nothing to run");
        }
        Path parts = output.resolveSibling(getNameWithoutExtension(output) + ".parts");
        Files.createDirectories(parts);
        Set<Piece> failed = EnumSet.noneOf(Piece.class);
        for (Piece piece : pieces) {
            if (run(arguments(piece, part(parts, piece))) != 0) {
                failed.add(piece);
                continue;
            }
            Files.writeString(output, CombinedReport.render("Benchmarks of Albis", reports(parts, failed)));
        }
        return failed.isEmpty() ? 0 : 1;
    }

    private static Path part(Path parts, Piece piece)
    {
        return parts.resolve(piece + ".md");
    }

    /**
     * Reads the reports of this run and of earlier ones. Each report names the builds that it measured.
     *
     * @param failed benchmarks of this run whose reports are left out, because they are not complete or not of this run
     */
    private static List<String> reports(Path parts, Set<Piece> failed)
            throws IOException
    {
        ImmutableList.Builder<String> reports = ImmutableList.builder();
        for (Piece piece : Piece.values()) {
            if (!failed.contains(piece) && Files.exists(part(parts, piece))) {
                reports.add(CombinedReport.inFolder(Files.readString(part(parts, piece)), parts.getFileName().toString()));
            }
        }
        return reports.build();
    }

    private List<String> arguments(Piece piece, Path part)
    {
        ImmutableList.Builder<String> arguments = ImmutableList.<String>builder()
                .add(piece.toString(), "--data", data.toString(), "--output", part.toString());
        if (piece.ofQueries()) {
            arguments.add("--scale", quick ? "tiny" : scale.schema());
            arguments.add("--runs", quick ? "1" : Integer.toString(piece.rounds(runs)));
            arguments.add("--catalogs", piece.catalogs());
            arguments.add(piece.arguments());
            if (piece.usesServerProcesses() && !quick && !inProcess) {
                arguments.add("--server-processes");
            }
        }
        else {
            arguments.add("--runs", quick ? "1" : Integer.toString(formatRuns));
        }
        if (resume) {
            arguments.add(CommandLines.RESUME);
        }
        arguments.add(quick ? piece.quickArguments() : piece.fullArguments());
        if (quick || !piece.warmsUp()) {
            arguments.add("--warm-up", "0");
        }
        if (quick && piece.usesJmh()) {
            arguments.add("--iterations", "1", "--seconds", "0.001");
        }
        if (inProcess && piece.usesJmh()) {
            arguments.add("--processes", "0");
        }
        return arguments.build();
    }

    private int run(List<String> arguments)
            throws IOException, InterruptedException
    {
        if (inProcess) {
            return Benchmarks.commandLine().execute(arguments.toArray(String[]::new));
        }
        RuntimeMXBean runtime = ManagementFactory.getRuntimeMXBean();
        List<String> command = ImmutableList.<String>builder()
                .add(Path.of(System.getProperty("java.home"), "bin", "java").toString())
                .addAll(runtime.getInputArguments())
                .add("-cp", runtime.getClassPath())
                .add(Benchmarks.class.getName())
                .addAll(arguments)
                .build();
        return new ProcessBuilder(command).inheritIO().start().waitFor();
    }
}
