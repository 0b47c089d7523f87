package io.albis.benchmarks.format;

import io.albis.benchmarks.format.file.TableFormat;
import picocli.CommandLine.Command;

import java.util.List;

@Command(name = "segments", description = "Scan speed of store_sales by the size of segments, row groups, and stripes (Table 3 of the Albis paper)")
public class SegmentsBenchmark
        extends StoreSalesFormats
{
    @Override
    protected List<TableFormat> defaultFormats()
    {
        return TableFormat.SIZES;
    }

    @Override
    protected String title()
    {
        return "Sizes of segments, row groups, and stripes: all columns of store_sales, on one thread";
    }
}
