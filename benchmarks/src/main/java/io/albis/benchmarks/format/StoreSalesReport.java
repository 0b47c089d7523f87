package io.albis.benchmarks.format;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.albis.benchmarks.format.data.StoreSales;
import io.albis.benchmarks.format.file.AlbisShape;
import io.albis.benchmarks.format.file.FormatFiles;
import io.albis.benchmarks.format.file.TableFormat;
import io.albis.benchmarks.format.jmh.MachineLimit;
import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.measure.Measurement;
import io.albis.benchmarks.measure.Median;
import io.albis.benchmarks.measure.Ratio;
import io.albis.benchmarks.measure.Results;
import io.albis.benchmarks.report.MarkdownTable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.benchmarks.measure.Figure.ALLOCATED_PER_ROW;
import static io.albis.benchmarks.measure.Figure.BYTES_ON_DISK;
import static io.albis.benchmarks.measure.Figure.GOODPUT;
import static io.albis.benchmarks.measure.Figure.OPERATION;
import static io.albis.benchmarks.measure.Figure.OPERATION_CPU;
import static io.albis.benchmarks.measure.Figure.RESULT_ROWS;
import static io.albis.benchmarks.measure.Figure.ROW_CACHE_MISSES;
import static io.albis.benchmarks.measure.Figure.ROW_INSTRUCTIONS;
import static io.albis.benchmarks.measure.Figure.ROW_TIME;
import static io.albis.benchmarks.measure.Figure.VALUE_RATE;
import static java.util.Locale.ENGLISH;
import static java.util.Objects.requireNonNull;

/**
 * Compares the formats with each other and with the limits of the machine.
 */
class StoreSalesReport
{
    static final String FORMATS = "Formats";

    private final String title;
    private final StoreSales dataset;
    private final List<TableFormat> formats;
    private final FormatFiles files;
    private final Results reads;
    private final Results machine;
    private final Set<String> task;

    /**
     * Prepares a report.
     *
     * @param measurements those of the formats, and those of the machine unless the report is about the formats alone
     */
    public StoreSalesReport(String title, StoreSales dataset, List<TableFormat> formats, FormatFiles files, List<Measurement> measurements)
    {
        this.title = requireNonNull(title, "title is null");
        this.dataset = requireNonNull(dataset, "dataset is null");
        this.formats = ImmutableList.copyOf(formats);
        this.files = requireNonNull(files, "files is null");
        this.reads = new Results(measurements.stream()
                .filter(measurement -> !measurement.catalog().equals(MachineTask.CONTENDER))
                .collect(toImmutableList()));
        this.machine = new Results(measurements.stream()
                .filter(measurement -> measurement.catalog().equals(MachineTask.CONTENDER))
                .collect(toImmutableList()));
        this.task = reads.tasks();
    }

    public String render(Map<String, String> environment)
    {
        StringBuilder text = new StringBuilder("# %s\n\n".formatted(title));
        environment.forEach((name, value) -> text.append("- %s: %s\n".formatted(name, value)));
        text.append("\n%s rows of %s columns. Medians of %s rounds. In each round, the formats take turns, each in a process of its own.\n"
                .formatted(count(median(RESULT_ROWS, formats.getFirst())), dataset.columns().size(), reads.rounds()));
        text.append("A ratio is the time of the format divided by the time of Albis, with the minimum and maximum of the rounds in brackets.\nMore than 1 means that Albis took less.\n");
        text.append("\n## %s\n\n".formatted(FORMATS)).append(formatTable().render());
        if (machine.tasks().isEmpty()) {
            return text.toString();
        }
        text.append("\n## Limits of the machine\n\n").append(machineTable().render());
        text.append("\n## Albis against the limit of its widths\n\n");
        text.append("The limit is the time to read the same number of bytes, to compute their checksum, and to fill the arrays of the blocks\nfrom values of the width that they have in the files.\n\n");
        text.append(limitTable().render());
        return text.toString();
    }

    private MarkdownTable formatTable()
    {
        List<TableFormat> subjects = formats.stream()
                .filter(TableFormat::isAlbis)
                .collect(toImmutableList());
        ImmutableList.Builder<String> header = ImmutableList.<String>builder().add("format", "time (ms)", "CPU time (ms)", "values/s (M)", "data (Gbit/s)", "ns/row", "on disk (MB)", "allocated (bytes/row)");
        List<Figure> counters = Stream.of(ROW_INSTRUCTIONS, ROW_CACHE_MISSES)
                .filter(reads::has)
                .collect(toImmutableList());
        counters.forEach(counter -> header.add(counter.title()));
        subjects.forEach(subject -> header.add("format / " + subject.label()));
        MarkdownTable table = new MarkdownTable(header.build());
        for (TableFormat format : formats) {
            ImmutableList.Builder<String> row = ImmutableList.<String>builder().add(
                    format.label(),
                    show(OPERATION, format),
                    show(OPERATION_CPU, format),
                    show(VALUE_RATE, format),
                    show(GOODPUT, format),
                    show(ROW_TIME, format),
                    show(BYTES_ON_DISK, format),
                    show(ALLOCATED_PER_ROW, format));
            counters.forEach(counter -> row.add(show(counter, format)));
            for (TableFormat subject : subjects) {
                row.add(format == subject ? "1" : reads.ratio(OPERATION, task, format.label(), subject.label()).toString());
            }
            table.add(row.build());
        }
        return table;
    }

    private MarkdownTable machineTable()
    {
        MarkdownTable table = new MarkdownTable(ImmutableList.of("what", "rate", "least of a round", "most of a round"));
        for (MachineLimit limit : MachineLimit.values()) {
            List<Double> rates = machine.values(VALUE_RATE, ImmutableSet.of(limit.title()), MachineTask.CONTENDER);
            table.add(ImmutableList.of(
                    limit.title(),
                    rate(limit, machine.median(VALUE_RATE, limit.title(), MachineTask.CONTENDER)),
                    rate(limit, rates.stream().min(Double::compare).orElseThrow()),
                    rate(limit, rates.stream().max(Double::compare).orElseThrow())));
        }
        return table;
    }

    private static String rate(MachineLimit limit, double rate)
    {
        return switch (limit.unit()) {
            case BYTES -> String.format(ENGLISH, "%.1f GB/s", rate / 1e9);
            case VALUES -> String.format(ENGLISH, "%,.0f M/s", rate / 1e6);
        };
    }

    private MarkdownTable limitTable()
    {
        MarkdownTable table = new MarkdownTable(ImmutableList.of("format", "data (MB)", "limit (ms)", "time (ms)", "of the limit (%)"));
        for (TableFormat format : formats) {
            if (!format.hasWidthLimit()) {
                continue;
            }
            AlbisShape shape = shape(format);
            List<Double> limits = limits(shape);
            // Ratios are computed per round, because the speed of the machine may differ between rounds
            Ratio part = Ratio.of(limits, reads.values(OPERATION, task, format.label()));
            table.add(ImmutableList.of(
                    format.label(),
                    BYTES_ON_DISK.unit().format(shape.dataBytes()),
                    OPERATION.unit().format(Median.median(limits)),
                    show(OPERATION, format),
                    String.format(ENGLISH, "%.0f [%.0f, %.0f]", part.median() * 100, part.least() * 100, part.most() * 100)));
        }
        return table;
    }

    private AlbisShape shape(TableFormat format)
    {
        try {
            return AlbisShape.read(files.folder(dataset, format));
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns the limit in each round.
     */
    private List<Double> limits(AlbisShape shape)
    {
        ImmutableList.Builder<Double> limits = ImmutableList.builder();
        for (int round = 0; round < reads.rounds(); round++) {
            int current = round;
            limits.add(WidthLimit.nanos(shape, limit -> machine.values(OPERATION, ImmutableSet.of(limit.title()), MachineTask.CONTENDER).get(current)));
        }
        return limits.build();
    }

    private double median(Figure figure, TableFormat format)
    {
        return reads.median(figure, task.iterator().next(), format.label());
    }

    private String show(Figure figure, TableFormat format)
    {
        return figure.unit().format(median(figure, format));
    }

    private static String count(double count)
    {
        return String.format(ENGLISH, "%,.0f", count);
    }
}
