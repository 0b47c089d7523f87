package io.albis.benchmarks.format;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.format.slice.SearchCheck;
import io.albis.benchmarks.format.slice.SearchMethod;
import io.albis.benchmarks.format.slice.SearchSizes;
import io.albis.benchmarks.format.slice.SearchTask;
import io.albis.benchmarks.format.slice.SearchedColumn;
import io.albis.benchmarks.format.slice.ValueRange;
import io.albis.benchmarks.measure.Contender;
import io.albis.benchmarks.measure.Measurement;
import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.measure.Results;
import io.albis.benchmarks.measure.Rounds;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.report.ChartRule;
import io.albis.benchmarks.report.MarkdownTable;
import io.albis.benchmarks.report.Report;
import io.albis.benchmarks.report.ReportContent;
import io.albis.benchmarks.report.ReportFile;
import io.albis.benchmarks.report.Section;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.benchmarks.measure.Figure.ALLOCATED_PER_ROW;
import static io.albis.benchmarks.measure.Figure.OPERATION;
import static io.albis.benchmarks.measure.Figure.OPERATION_CPU;
import static io.albis.benchmarks.measure.Figure.SEARCH_TIME;
import static io.albis.benchmarks.measure.Unit.BYTES;
import static java.util.Locale.ENGLISH;

@Command(name = "slices", description = "Ranges of a column with many different values, with a scan of the column and with bit slices, which Albis does not have")
public class SlicesBenchmark
        implements Callable<Integer>
{
    private static final ReportContent CONTENT = new ReportContent(
            "Ranges of values, with a scan and with bit slices",
            "possible values, rows that pass",
            ImmutableList.of(),
            ImmutableList.of(SEARCH_TIME, OPERATION, OPERATION_CPU, ALLOCATED_PER_ROW),
            ImmutableList.of(OPERATION, OPERATION_CPU))
            .withCharts(ChartRule.lines(SEARCH_TIME, "Finding the rows of a range in a row group in memory", "percent of the rows that pass").withNames(SearchTask.NAMES));

    @Mixin
    private FormatOptions options;

    @Option(names = "--values", split = ",", defaultValue = "100000,10000000,1000000000000", paramLabel = "LIST", description = "how many different values are possible in a column; ${DEFAULT-VALUE} if not given")
    private List<Long> bounds;

    @Option(names = "--percent", split = ",", defaultValue = "0.01,1,30", paramLabel = "LIST", description = "how many percent of the rows pass; ${DEFAULT-VALUE} if not given")
    private List<Double> percents;

    @Option(names = "--rows", defaultValue = "8000000", paramLabel = "N", description = "rows of each column; ${DEFAULT-VALUE} if not given")
    private int rows;

    @Option(names = "--row-group-rows", defaultValue = "1000000", paramLabel = "N", description = "rows of each row group; ${DEFAULT-VALUE} if not given")
    private int rowGroupRows;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call()
            throws IOException
    {
        Progress progress = new Progress(System.out);
        ReportFile file = options.reportFile(spec, "Both ways found the same rows as a plain loop, before anything was measured", CONTENT.charts());
        Rounds rounds = options.rounds(file, progress);
        if (rounds.isComplete()) {
            progress.print("Already measured: " + options.output);
            return 0;
        }
        ImmutableList.Builder<Task> tasks = ImmutableList.builder();
        Map<SearchedColumn, SearchSizes> sizes = new LinkedHashMap<>();
        for (long bound : bounds) {
            SearchedColumn column = new SearchedColumn(bound, rows, rowGroupRows);
            List<ValueRange> ranges = percents.stream()
                    .map(column::range)
                    .collect(toImmutableList());
            SearchCheck check = SearchCheck.check(column, ranges);
            sizes.put(column, check.sizes());
            for (int i = 0; i < percents.size(); i++) {
                SearchTask task = new SearchTask(column, percents.get(i), check.rows().get(i), options.jmh());
                progress.print("Checked: %s, the same %s rows".formatted(task.name(), task.found()));
                tasks.add(task);
            }
        }
        rounds.run(
                tasks.build(),
                contenders().stream()
                        .map(Contender::label)
                        .collect(toImmutableList()),
                measurements -> file.write(measurements, environment -> report(measurements, environment, sizes)));
        progress.print("Written: " + options.output);
        return 0;
    }

    private static List<SearchMethod> contenders()
    {
        return ImmutableList.copyOf(SearchMethod.values());
    }

    private static String report(List<Measurement> measurements, Map<String, String> environment, Map<SearchedColumn, SearchSizes> sizes)
    {
        return new Report(CONTENT, contenders(), new Results(measurements)).render(environment, ImmutableList.of(sizes(sizes)));
    }

    private static Section sizes(Map<SearchedColumn, SearchSizes> sizes)
    {
        MarkdownTable table = new MarkdownTable(ImmutableList.of("possible values", "rows", "row groups", "distinct values of a row group", "slices", "column (MB)", "slices (MB)", "values with ranks (MB)", "value-list index (MB)"));
        sizes.forEach((column, size) -> table.add(ImmutableList.of(
                number(column.bound()),
                number(column.rows()),
                number(column.rowGroups()),
                number(size.distinct() / column.rowGroups()),
                number(size.slices()),
                BYTES.format(size.column()),
                BYTES.format(size.sliceBytes()),
                BYTES.format(size.rankedBytes()),
                BYTES.format(size.valueList()))));
        return new Section("Sizes", "An index by slices of ranks also needs the values that have the ranks.\n\n" + table.render());
    }

    private static String number(long number)
    {
        return String.format(ENGLISH, "%,d", number);
    }
}
