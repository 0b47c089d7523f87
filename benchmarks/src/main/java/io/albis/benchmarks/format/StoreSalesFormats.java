package io.albis.benchmarks.format;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.format.data.StoreSales;
import io.albis.benchmarks.format.file.FormatFiles;
import io.albis.benchmarks.format.file.TableFormat;
import io.albis.benchmarks.format.jmh.ScanNames;
import io.albis.benchmarks.measure.Measurement;
import io.albis.benchmarks.report.ChartRule;
import picocli.CommandLine.Option;

import java.util.List;
import java.util.Map;

import static io.albis.benchmarks.measure.Figure.BYTES_ON_DISK;
import static io.albis.benchmarks.measure.Figure.VALUE_RATE;

/**
 * Compares formats that read all columns of store_sales.
 */
abstract class StoreSalesFormats
        extends FormatBenchmark
{
    public static final ChartRule SPEEDS = ChartRule.rows(StoreSalesReport.FORMATS, VALUE_RATE, "Scan speed: from files to pages of Trino, one thread");

    private static final String TASK = "store_sales";

    @Option(names = "--scale-factor", defaultValue = "1", paramLabel = "N", description = "of store_sales, such as 0.3; ${DEFAULT-VALUE} if not given: 2,880,404 rows")
    private double scaleFactor;

    @Option(names = "--formats", split = ",", paramLabel = "LIST", description = "all that the benchmark is about if not given")
    private List<TableFormat> formats = defaultFormats();

    protected abstract List<TableFormat> defaultFormats();

    protected abstract String title();

    @Override
    protected final List<TableFormat> formats()
    {
        return formats;
    }

    @Override
    protected List<ReadCase> cases()
    {
        return ImmutableList.of(new ReadCase(TASK, dataset(), ScanNames.all()));
    }

    private StoreSales dataset()
    {
        return new StoreSales(scaleFactor);
    }

    @Override
    protected List<ChartRule> charts()
    {
        return ImmutableList.of(SPEEDS, ChartRule.rows(StoreSalesReport.FORMATS, BYTES_ON_DISK, "Size of all columns of store_sales"));
    }

    @Override
    protected String report(List<Measurement> measurements, Map<String, String> environment)
    {
        return new StoreSalesReport(title(), dataset(), formats, new FormatFiles(options.data), measurements).render(environment);
    }
}
