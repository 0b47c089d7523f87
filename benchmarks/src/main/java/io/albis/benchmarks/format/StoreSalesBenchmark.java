package io.albis.benchmarks.format;

import io.albis.benchmarks.format.file.TableFormat;
import io.albis.benchmarks.format.jmh.MachineLimit;
import io.albis.benchmarks.measure.Task;
import picocli.CommandLine.Command;

import java.util.Arrays;
import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;

@Command(name = "format", description = "All columns of store_sales out of files of different formats, on one thread, and the limits of the machine (Figure 2 and Table 5 of the Albis paper)")
public class StoreSalesBenchmark
        extends StoreSalesFormats
{
    @Override
    protected List<TableFormat> defaultFormats()
    {
        return TableFormat.MAIN;
    }

    @Override
    protected String title()
    {
        return "All columns of store_sales, on one thread";
    }

    @Override
    protected List<Task> otherTasks()
    {
        return Arrays.stream(MachineLimit.values())
                .map(limit -> new MachineTask(limit, options.data, options.jmh()))
                .collect(toImmutableList());
    }
}
