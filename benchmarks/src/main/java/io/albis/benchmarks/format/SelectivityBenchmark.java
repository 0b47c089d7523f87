package io.albis.benchmarks.format;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.format.data.KeyedRows;
import io.albis.benchmarks.format.file.TableFormat;
import io.albis.benchmarks.format.jmh.ScanNames;
import io.albis.benchmarks.report.ChartRule;
import io.albis.benchmarks.report.ReportContent;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.util.List;

import static io.albis.benchmarks.measure.Figure.ALLOCATED_PER_ROW;
import static io.albis.benchmarks.measure.Figure.BYTES_ON_DISK;
import static io.albis.benchmarks.measure.Figure.OPERATION;
import static io.albis.benchmarks.measure.Figure.OPERATION_CPU;

@Command(name = "selectivity", description = "A filter on a key that few or many of the rows pass, with the rows of neighboring keys together or anywhere")
public class SelectivityBenchmark
        extends ComparisonBenchmark
{
    @Option(names = "--percent", split = ",", defaultValue = "0.001,0.01,0.1,1,5,10,20,50,80,100", paramLabel = "LIST", description = "how many percent of the rows pass; ${DEFAULT-VALUE} if not given")
    private List<Double> percents;

    @Override
    protected List<TableFormat> defaultFormats()
    {
        return ImmutableList.of(TableFormat.ALBIS_BLOCK, TableFormat.ALBIS_BLOCK_ONE_GROUP, TableFormat.PARQUET_SNAPPY, TableFormat.PARQUET_INDEXED, TableFormat.ORC_SNAPPY);
    }

    @Override
    protected List<ReadCase> cases()
    {
        ImmutableList.Builder<ReadCase> cases = ImmutableList.builder();
        for (boolean clustered : new boolean[] {true, false}) {
            KeyedRows dataset = new KeyedRows(clustered, rows);
            for (double percent : percents) {
                String name = "%s %% %s".formatted(trim(percent), clustered ? "clustered" : "scattered");
                cases.add(new ReadCase(name, dataset, ScanNames.fraction(percent / 100)));
            }
        }
        return cases.build();
    }

    private static String trim(double percent)
    {
        return percent == Math.rint(percent) ? Long.toString((long) percent) : Double.toString(percent);
    }

    @Override
    protected ReportContent content()
    {
        return new ReportContent(
                "A filter on a key, then ten columns of bigint: %,d rows".formatted(rows),
                "rows that pass",
                ImmutableList.of(),
                ImmutableList.of(OPERATION, BYTES_ON_DISK, ALLOCATED_PER_ROW),
                ImmutableList.of(OPERATION, OPERATION_CPU))
                .withCharts(ChartRule.lines(OPERATION, "Reading the rows that pass a filter", "percent of the rows that pass").withNames("(?<x>\\S+) % (?<panel>.*)"));
    }
}
