package io.albis.benchmarks.format;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.benchmarks.chart.Chart;
import io.albis.benchmarks.format.data.StoreSales;
import io.albis.benchmarks.format.file.FormatFiles;
import io.albis.benchmarks.format.file.Scan;
import io.albis.benchmarks.format.file.TableFormat;
import io.albis.benchmarks.format.object.ObjectReader;
import io.albis.benchmarks.format.object.ObjectsTask;
import io.albis.benchmarks.measure.Contender;
import io.albis.benchmarks.measure.Measurement;
import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.measure.Results;
import io.albis.benchmarks.measure.Rounds;
import io.albis.benchmarks.report.ChartRule;
import io.albis.benchmarks.report.CommandLines;
import io.albis.benchmarks.report.Environment;
import io.albis.benchmarks.report.MarkdownTable;
import io.albis.benchmarks.report.ReportFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.Iterables.getOnlyElement;
import static io.albis.benchmarks.measure.Figure.ALLOCATED_PER_ROW;
import static io.albis.benchmarks.measure.Figure.ROW_OBJECTS;
import static io.albis.benchmarks.measure.Figure.ROW_TIME;
import static java.util.Locale.ENGLISH;

@Command(name = "objects", description = "The objects that readers create for each row of store_sales, with and without the binary API of Albis (section 4.2 of the Albis paper)")
public class ObjectsBenchmark
        implements Callable<Integer>
{
    @Option(names = "--scale-factor", defaultValue = "0.02", paramLabel = "N", description = "of store_sales; a scan must fit into the heap without a garbage collection; ${DEFAULT-VALUE} if not given")
    private double scaleFactor;

    @Option(names = "--warm-up", defaultValue = "20", paramLabel = "N", description = "scans before the one that counts, so that the code is compiled; ${DEFAULT-VALUE} if not given")
    private int warmUps;

    @Option(names = "--heap", defaultValue = "4096", paramLabel = "MB", description = "heap of the process of each reader, of which three quarters are for new objects; ${DEFAULT-VALUE} if not given")
    private int heapMegabytes;

    @Option(names = "--runs", defaultValue = "3", paramLabel = "N", description = "rounds; ${DEFAULT-VALUE} if not given")
    private int runs;

    @Option(names = CommandLines.RESUME, description = "keep the completed rounds of a run of the same command with the same builds that was interrupted, and run the others")
    private boolean resume;

    @Option(names = "--data", required = true, paramLabel = "DIR", description = "folder of the files; missing ones are created, and all are kept for the next benchmark")
    private Path data;

    @Option(names = "--output", required = true, paramLabel = "FILE.md", description = "what to write; the raw figures get the same name with .csv")
    private Path output;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call()
            throws IOException
    {
        Progress progress = new Progress(System.out);
        Files.createDirectories(data);
        ReportFile file = new ReportFile(
                output,
                ImmutableMap.<String, String>builder()
                        .putAll(Environment.describe())
                        .put("command", CommandLines.describe(spec, data, output))
                        .buildOrThrow(),
                Chart.drawing(output, ImmutableList.of(ChartRule.rows("Readers", ROW_OBJECTS, "Objects that readers create for each row of store_sales"))));
        Rounds rounds = new Rounds(0, runs, resume ? file.earlier() : ImmutableList.of(), progress);
        if (rounds.isComplete()) {
            progress.print("Already measured: " + output);
            return 0;
        }
        StoreSales dataset = new StoreSales(scaleFactor);
        FormatFiles files = new FormatFiles(data);
        List<TableFormat> formats = Arrays.stream(ObjectReader.values())
                .map(ObjectReader::format)
                .distinct()
                .collect(toImmutableList());
        files.prepare(dataset, formats, progress);
        long rows = FormatCheck.check(files, dataset, formats, Scan.all(dataset.columns().size())).rows();
        rounds.run(
                ImmutableList.of(new ObjectsTask(dataset, rows, data, warmUps, heapMegabytes)),
                Arrays.stream(ObjectReader.values())
                        .map(Contender::label)
                        .collect(toImmutableList()),
                measurements -> file.write(measurements, environment -> report(rows, measurements, environment)));
        progress.print("Written: " + output);
        return 0;
    }

    private static String report(long rows, List<Measurement> measurements, Map<String, String> environment)
    {
        Results results = new Results(measurements);
        String task = getOnlyElement(results.tasks());
        StringBuilder text = new StringBuilder("# Objects that readers of store_sales create\n\n");
        environment.forEach((name, value) -> text.append("- %s: %s\n".formatted(name, value)));
        text.append(String.format(ENGLISH, "\n%,d rows of 23 columns. Medians of %s rounds.\nThe objects are counted in the heap, before and after a scan without a garbage collection in between.\n\n## Readers\n\n", rows, results.rounds()));
        MarkdownTable table = new MarkdownTable(ImmutableList.of("reader", "objects/row", "allocated (bytes/row)", "ns/row", "least objects/row of a round", "most"));
        for (ObjectReader reader : ObjectReader.values()) {
            List<Double> objects = results.values(ROW_OBJECTS, results.tasks(), reader.label());
            table.add(ImmutableList.of(
                    reader.label(),
                    ROW_OBJECTS.unit().format(results.median(ROW_OBJECTS, task, reader.label())),
                    ALLOCATED_PER_ROW.unit().format(results.median(ALLOCATED_PER_ROW, task, reader.label())),
                    ROW_TIME.unit().format(results.median(ROW_TIME, task, reader.label())),
                    ROW_OBJECTS.unit().format(objects.stream().min(Double::compare).orElseThrow()),
                    ROW_OBJECTS.unit().format(objects.stream().max(Double::compare).orElseThrow())));
        }
        return text.append(table.render()).toString();
    }
}
