package io.albis.benchmarks;

import io.albis.benchmarks.chart.QueriesChart;
import io.albis.benchmarks.chart.ScanChart;
import io.albis.benchmarks.chart.WrittenReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;

/**
 * Draws the charts of the README from the committed reports, without measuring anything.
 */
@Command(name = "charts", description = "Draws the charts of README.md from the reports in docs/results")
class ChartsCommand
        implements Callable<Integer>
{
    @Option(names = "--results", defaultValue = "docs/results", paramLabel = "DIR", description = "where the reports are; ${DEFAULT-VALUE} if not given")
    private Path results;

    @Option(names = "--output", defaultValue = "docs/charts", paramLabel = "DIR", description = "where to put the charts; ${DEFAULT-VALUE} if not given")
    private Path output;

    @Override
    public Integer call()
            throws IOException
    {
        Files.createDirectories(output);
        Files.writeString(output.resolve("scan.svg"), ScanChart.draw(WrittenReport.read(results.resolve("format.md"))));
        Files.writeString(output.resolve("tpcds.svg"), QueriesChart.draw(WrittenReport.read(results.resolve("tpcds-sf1.md"))));
        return 0;
    }
}
