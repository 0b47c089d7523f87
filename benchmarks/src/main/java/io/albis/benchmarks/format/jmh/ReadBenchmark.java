package io.albis.benchmarks.format.jmh;

import io.albis.benchmarks.format.data.Dataset;
import io.albis.benchmarks.format.data.Datasets;
import io.albis.benchmarks.format.file.FormatFiles;
import io.albis.benchmarks.format.file.Pages;
import io.albis.benchmarks.format.file.Scan;
import io.albis.benchmarks.format.file.StoredTable;
import io.albis.benchmarks.format.file.TableFormat;
import io.trino.spi.Page;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Reads files into pages with all blocks loaded on a single thread. One operation performs an entire scan.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ReadBenchmark
{
    @Param("")
    public String data;

    @Param("")
    public String dataset;

    @Param("ALBIS_BLOCK")
    public TableFormat format;

    @Param("")
    public String scan;

    private StoredTable table;
    private Scan parsedScan;

    @Setup
    public void open()
            throws IOException
    {
        VectorLoops.await();
        Dataset parsedDataset = Datasets.parse(dataset);
        parsedScan = ScanNames.parse(parsedDataset, scan);
        table = new FormatFiles(Path.of(data)).open(parsedDataset, format);
    }

    @Benchmark
    public void read(Blackhole blackhole, CpuCounter cpu)
            throws IOException
    {
        cpu.start(format.hasThreads());
        try (Pages pages = table.scan(parsedScan)) {
            for (Page page = pages.next(); page != null; page = pages.next()) {
                for (int channel = 0; channel < page.getChannelCount(); channel++) {
                    blackhole.consume(page.getBlock(channel));
                }
            }
        }
        cpu.stop();
    }
}
