package io.albis.benchmarks.format;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.format.data.StoreSales;
import io.albis.benchmarks.format.file.FormatFiles;
import io.albis.benchmarks.format.file.TableFormat;
import io.albis.benchmarks.format.jmh.MachineLimit;
import io.albis.benchmarks.format.jmh.ScanNames;
import io.albis.benchmarks.measure.Measurement;
import io.albis.benchmarks.measure.Task;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

import static com.google.common.collect.ImmutableList.toImmutableList;

@Command(name = "format", description = "All columns of store_sales out of files of different formats, on one thread, and the limits of the machine")
public class StoreSalesBenchmark
        extends FormatBenchmark
{
    private static final String TASK = "store_sales";

    @Option(names = "--scale-factor", defaultValue = "1", paramLabel = "N", description = "of store_sales, such as 0.3; ${DEFAULT-VALUE} if not given: 2,880,404 rows")
    private double scaleFactor;

    @Option(names = "--formats", split = ",", paramLabel = "LIST", description = "all formats that support these types by default")
    private List<TableFormat> formats = Arrays.stream(TableFormat.values())
            .filter(format -> format != TableFormat.PARQUET_INDEXED)
            .collect(toImmutableList());

    @Override
    protected List<TableFormat> formats()
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
    protected List<Task> otherTasks()
    {
        return Arrays.stream(MachineLimit.values())
                .map(limit -> new MachineTask(limit, options.data, options.jmh()))
                .collect(toImmutableList());
    }

    @Override
    protected String report(List<Measurement> measurements, Map<String, String> environment)
    {
        return new StoreSalesReport(dataset(), formats, new FormatFiles(options.data), measurements).render(environment);
    }
}
