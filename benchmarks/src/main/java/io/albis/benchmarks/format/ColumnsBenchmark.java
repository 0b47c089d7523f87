package io.albis.benchmarks.format;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.format.data.IntegerColumns;
import io.albis.benchmarks.format.file.TableFormat;
import io.albis.benchmarks.format.jmh.ScanNames;
import io.albis.benchmarks.report.ChartRule;
import io.albis.benchmarks.report.ReportContent;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.benchmarks.measure.Figure.ALLOCATED_PER_ROW;
import static io.albis.benchmarks.measure.Figure.BYTES_ON_DISK;
import static io.albis.benchmarks.measure.Figure.GOODPUT;
import static io.albis.benchmarks.measure.Figure.OPERATION;
import static io.albis.benchmarks.measure.Figure.OPERATION_CPU;
import static io.albis.benchmarks.measure.Figure.VALUE_RATE;

@Command(name = "columns", description = "Few and many of the columns of a wide table of integers (Figure 5c of the Albis paper)")
public class ColumnsBenchmark
        extends ComparisonBenchmark
{
    private static final int WIDTH = 100;
    public static final ChartRule TIMES = ChartRule.lines(OPERATION, "Reading few or many of %s columns".formatted(WIDTH), "number of columns");

    @Option(names = "--columns", split = ",", defaultValue = "1,2,5,10,25,50,100", paramLabel = "LIST", description = "how many of the " + WIDTH + " to read; ${DEFAULT-VALUE} if not given")
    private List<Integer> counts;

    @Override
    protected List<TableFormat> defaultFormats()
    {
        return ImmutableList.of(TableFormat.ALBIS_BLOCK, TableFormat.ALBIS_BLOCK_ONE_GROUP, TableFormat.ALBIS_ROW, TableFormat.PARQUET_SNAPPY, TableFormat.ORC_SNAPPY);
    }

    @Override
    protected List<ReadCase> cases()
    {
        IntegerColumns dataset = new IntegerColumns(WIDTH, rows);
        return counts.stream()
                .map(count -> new ReadCase(Integer.toString(count), dataset, ScanNames.columns(count)))
                .collect(toImmutableList());
    }

    @Override
    protected ReportContent content()
    {
        return new ReportContent(
                "Some of %s columns of integers: %,d rows".formatted(WIDTH, rows),
                "columns",
                ImmutableList.of(),
                ImmutableList.of(OPERATION, VALUE_RATE, GOODPUT, BYTES_ON_DISK, ALLOCATED_PER_ROW),
                ImmutableList.of(OPERATION, OPERATION_CPU))
                .withCharts(TIMES);
    }
}
