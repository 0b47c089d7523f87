package io.albis.benchmarks;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.cif.CrawledPages;
import io.albis.benchmarks.cif.SyntheticRecords;
import io.albis.benchmarks.cif.WideRecords;
import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.report.ChartRule;
import io.albis.benchmarks.report.ReportContent;
import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.workload.TpcdsTables;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.util.List;
import java.util.Set;

import static io.albis.benchmarks.measure.Figure.ALLOCATED_PER_ROW;
import static io.albis.benchmarks.measure.Figure.BYTES_READ;
import static io.albis.benchmarks.measure.Figure.CPU;
import static io.albis.benchmarks.measure.Figure.ELAPSED;
import static io.albis.benchmarks.measure.Figure.SCAN_CPU;

@Command(name = "cif", description = "The evaluation of the paper on CIF: scans of texts, integers, and maps, the query on crawled pages, wide tables, and loads; the scale has no effect")
class CifBenchmark
        extends QueryBenchmark
{
    enum Part
    {
        scans, crawl, columns, selectivity, load
    }

    @Option(names = "--parts", split = ",", defaultValue = "scans,crawl,columns,selectivity,load", paramLabel = "LIST", description = "what to run of ${DEFAULT-VALUE}: sections 6.2, 6.3, B.5, B.4, and B.3 of the paper")
    private Set<Part> parts;

    @Option(names = "--records", defaultValue = "1000000", paramLabel = "N", description = "rows of 6 texts, 6 integers, and a map; ${DEFAULT-VALUE} if not given")
    private int records;

    @Option(names = "--pages", defaultValue = "100000", paramLabel = "N", description = "crawled pages; ${DEFAULT-VALUE} if not given")
    private int pages;

    @Option(names = "--page-bytes", defaultValue = "4096", paramLabel = "N", description = "size of the content of a page; ${DEFAULT-VALUE} if not given")
    private int pageBytes;

    @Option(names = "--values", defaultValue = "8000000", paramLabel = "N", description = "texts of 30 characters in each of the tables of 20, 40, and 80 columns; ${DEFAULT-VALUE} if not given")
    private int values;

    @Override
    protected String schema()
    {
        return "cif_%s_%s_%s_%s".formatted(records, pages, pageBytes, values);
    }

    private SyntheticRecords synthetic()
    {
        return new SyntheticRecords(records, schema());
    }

    private CrawledPages crawled()
    {
        return new CrawledPages(pages, pageBytes, schema());
    }

    private WideRecords wide()
    {
        return new WideRecords(values, schema());
    }

    @Override
    protected void prepare(BenchmarkServer server, TpcdsTables tables, Progress progress)
    {
        if (parts.contains(Part.scans) || parts.contains(Part.selectivity) || parts.contains(Part.load)) {
            synthetic().prepare(server, catalogs(), progress);
        }
        if (parts.contains(Part.crawl)) {
            crawled().prepare(server, catalogs(), progress);
        }
        if (parts.contains(Part.columns)) {
            wide().prepare(server, catalogs(), progress);
        }
    }

    @Override
    protected List<Task> queries(BenchmarkServer server, TpcdsTables tables)
    {
        ImmutableList.Builder<Task> tasks = ImmutableList.builder();
        if (parts.contains(Part.scans)) {
            tasks.addAll(synthetic().scans(server));
        }
        if (parts.contains(Part.crawl)) {
            tasks.addAll(crawled().queries(server));
        }
        if (parts.contains(Part.columns)) {
            tasks.addAll(wide().scans(server));
        }
        if (parts.contains(Part.selectivity)) {
            tasks.addAll(synthetic().selectivity(server));
        }
        if (parts.contains(Part.load)) {
            tasks.add(synthetic().load(server, catalogs(), options.data));
        }
        return tasks.build();
    }

    @Override
    protected ReportContent content()
    {
        return new ReportContent(
                title("Column-oriented storage: texts, integers, maps, and pages"),
                "what",
                ImmutableList.of(),
                ImmutableList.of(ELAPSED, CPU, SCAN_CPU, BYTES_READ, ALLOCATED_PER_ROW),
                ImmutableList.of(ELAPSED, CPU, SCAN_CPU, BYTES_READ))
                .withJudged(ELAPSED, SCAN_CPU)
                .withCharts(ChartRule.bars(ELAPSED, "Elapsed time of scans, queries, and the load"));
    }
}
