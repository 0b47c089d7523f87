package io.albis.benchmarks.format;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.format.file.TableFormat;
import io.albis.benchmarks.measure.Measurement;
import io.albis.benchmarks.measure.Results;
import io.albis.benchmarks.report.ChartRule;
import io.albis.benchmarks.report.Report;
import io.albis.benchmarks.report.ReportContent;
import picocli.CommandLine.Option;

import java.util.List;
import java.util.Map;

/**
 * Compares many read cases in a few formats.
 */
abstract class ComparisonBenchmark
        extends FormatBenchmark
{
    @Option(names = "--formats", split = ",", paramLabel = "LIST", description = "Albis and Parquet if not given")
    private List<TableFormat> formats = defaultFormats();

    @Option(names = "--rows", defaultValue = "1000000", paramLabel = "N", description = "${DEFAULT-VALUE} if not given")
    protected int rows;

    protected abstract ReportContent content();

    protected List<TableFormat> defaultFormats()
    {
        return ImmutableList.of(TableFormat.ALBIS_BLOCK, TableFormat.PARQUET_SNAPPY);
    }

    @Override
    protected List<TableFormat> formats()
    {
        return formats;
    }

    @Override
    protected List<ChartRule> charts()
    {
        return content().charts();
    }

    @Override
    protected String report(List<Measurement> measurements, Map<String, String> environment)
    {
        return new Report(content(), formats, new Results(measurements)).render(environment);
    }
}
