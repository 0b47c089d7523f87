package io.albis.benchmarks.format;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.format.data.StoreSales;
import io.albis.benchmarks.format.file.TableFormat;
import io.albis.benchmarks.format.jmh.ScanNames;
import io.albis.benchmarks.measure.Measurement;
import io.albis.benchmarks.measure.Results;
import io.albis.benchmarks.report.ChartRule;
import io.albis.benchmarks.report.Report;
import io.albis.benchmarks.report.ReportContent;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.benchmarks.measure.Figure.BYTES_ON_DISK;
import static io.albis.benchmarks.measure.Figure.GOODPUT;
import static io.albis.benchmarks.measure.Figure.OPERATION;
import static io.albis.benchmarks.measure.Figure.OPERATION_CPU;
import static io.albis.benchmarks.measure.Figure.VALUE_RATE;

@Command(name = "threads", description = "All columns of store_sales with one thread, and with more of them up to the number of processors (Figure 5a of the Albis paper)")
public class ThreadsBenchmark
        extends FormatBenchmark
{
    public static final ChartRule SPEEDS = ChartRule.lines(GOODPUT, "Scan speed by the number of threads", "threads");

    @Option(names = "--scale-factor", defaultValue = "0.2", paramLabel = "N", description = "of store_sales; each thread reads all of it; ${DEFAULT-VALUE} if not given")
    private double scaleFactor;

    @Option(names = "--threads", split = ",", paramLabel = "LIST", description = "how many threads at the same time; 1, 2, and so on if not given")
    private List<Integer> threads = IntStream.rangeClosed(1, Runtime.getRuntime().availableProcessors())
            .boxed()
            .collect(toImmutableList());

    @Option(names = "--formats", split = ",", paramLabel = "LIST", description = "those of the paper if not given")
    private List<TableFormat> formats = ImmutableList.of(TableFormat.ALBIS_BLOCK_ONE_GROUP, TableFormat.ALBIS_ROW, TableFormat.PARQUET_SNAPPY, TableFormat.ORC_SNAPPY, TableFormat.ARROW_BULK, TableFormat.AVRO, TableFormat.JSON);

    @Override
    protected List<TableFormat> formats()
    {
        return formats;
    }

    @Override
    protected List<ReadCase> cases()
    {
        StoreSales dataset = new StoreSales(scaleFactor);
        return threads.stream()
                .map(count -> new ReadCase(Integer.toString(count), dataset, ScanNames.all(), count))
                .collect(toImmutableList());
    }

    @Override
    protected List<ChartRule> charts()
    {
        return ImmutableList.of(SPEEDS);
    }

    @Override
    protected String report(List<Measurement> measurements, Map<String, String> environment)
    {
        ReportContent content = new ReportContent(
                "All columns of store_sales, with several threads that each read all of it",
                "threads",
                ImmutableList.of(),
                ImmutableList.of(GOODPUT, VALUE_RATE, OPERATION, OPERATION_CPU, BYTES_ON_DISK),
                ImmutableList.of(OPERATION));
        return new Report(content, formats, new Results(measurements)).render(environment);
    }
}
