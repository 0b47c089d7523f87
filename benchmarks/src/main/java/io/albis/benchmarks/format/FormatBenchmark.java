package io.albis.benchmarks.format;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.format.data.Dataset;
import io.albis.benchmarks.format.file.DataBytes;
import io.albis.benchmarks.format.file.FormatFiles;
import io.albis.benchmarks.format.file.Pages;
import io.albis.benchmarks.format.file.RowsChecksum;
import io.albis.benchmarks.format.file.Scan;
import io.albis.benchmarks.format.file.TableFormat;
import io.albis.benchmarks.format.jmh.ScanNames;
import io.albis.benchmarks.measure.Measurement;
import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.measure.Rounds;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.report.ChartRule;
import io.albis.benchmarks.report.ReportFile;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;

import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * Writes the files, checks that all formats return the same rows, runs the tasks, and writes the report after each
 * round.
 */
abstract class FormatBenchmark
        implements Callable<Integer>
{
    @Mixin
    protected FormatOptions options;

    @Spec
    private CommandSpec spec;

    protected abstract List<TableFormat> formats();

    protected abstract List<ReadCase> cases();

    /**
     * Returns additional tasks to measure.
     */
    protected List<Task> otherTasks()
    {
        return ImmutableList.of();
    }

    protected abstract List<ChartRule> charts();

    protected abstract String report(List<Measurement> measurements, Map<String, String> environment);

    @Override
    public Integer call()
            throws IOException
    {
        Progress progress = new Progress(System.out);
        ReportFile file = options.reportFile(spec, "All formats gave the same values: a checksum over all of them is compared before anything is measured", charts());
        Rounds rounds = options.rounds(file, progress);
        if (rounds.isComplete()) {
            progress.print("Already measured: " + options.output);
            return 0;
        }
        List<Task> tasks = ImmutableList.<Task>builder()
                .addAll(readTasks(progress))
                .addAll(otherTasks())
                .build();
        List<String> contenders = ImmutableList.<String>builder()
                .addAll(formats().stream().map(TableFormat::label).collect(toImmutableList()))
                .add(MachineTask.CONTENDER)
                .build();
        rounds.run(
                tasks,
                contenders,
                measurements -> file.write(measurements, environment -> report(measurements, environment)));
        progress.print("Written: " + options.output);
        return 0;
    }

    private List<Task> readTasks(Progress progress)
            throws IOException
    {
        FormatFiles files = new FormatFiles(options.data);
        Set<String> prepared = new HashSet<>();
        ImmutableList.Builder<Task> tasks = ImmutableList.builder();
        for (ReadCase readCase : cases()) {
            Dataset dataset = readCase.dataset();
            if (prepared.add(dataset.name())) {
                files.prepare(dataset, formats(), progress);
            }
            Scan scan = ScanNames.parse(dataset, readCase.scan());
            RowsChecksum checksum = FormatCheck.check(files, dataset, formats(), scan);
            progress.print("Checked: %s, %s rows of the same values in all formats".formatted(readCase.name(), checksum.rows()));
            tasks.add(new ReadTask(
                    readCase.name(),
                    dataset,
                    readCase.scan(),
                    checksum.rows(),
                    checksum.rows() * scan.columns().size(),
                    dataBytes(files, dataset, scan),
                    options.data,
                    options.jmh().withThreads(readCase.threads())));
        }
        return tasks.build();
    }

    private long dataBytes(FormatFiles files, Dataset dataset, Scan scan)
            throws IOException
    {
        try (Pages pages = files.open(dataset, formats().getFirst()).scan(scan)) {
            return DataBytes.of(pages, scan.columns().stream()
                    .map(dataset.types()::get)
                    .collect(toImmutableList()));
        }
    }
}
