package io.albis.benchmarks.format;

import io.albis.benchmarks.format.file.TableFormat;
import picocli.CommandLine.Command;

import java.util.List;

@Command(name = "compression", description = "Size and scan speed of store_sales with each codec of each format (Table 6 of the Albis paper)")
public class CompressionBenchmark
        extends StoreSalesFormats
{
    @Override
    protected List<TableFormat> defaultFormats()
    {
        return TableFormat.CODECS;
    }

    @Override
    protected String title()
    {
        return "Codecs: all columns of store_sales, on one thread";
    }
}
