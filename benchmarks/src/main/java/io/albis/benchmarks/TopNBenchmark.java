package io.albis.benchmarks;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.report.ChartRule;
import io.albis.benchmarks.report.ReportContent;
import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.workload.SortedTables;
import io.albis.benchmarks.workload.TpcdsTables;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.util.List;

import static io.albis.benchmarks.measure.Figure.BYTES_READ;
import static io.albis.benchmarks.measure.Figure.CPU;
import static io.albis.benchmarks.measure.Figure.ELAPSED;
import static io.albis.benchmarks.measure.Figure.ROWS_READ;
import static io.albis.benchmarks.measure.Figure.SCAN_CPU;

@Command(name = "topn", description = "The first and the last rows of store_sales in the order of a column, with all columns, from tables that are sorted and from one that is not")
class TopNBenchmark
        extends QueryBenchmark
{
    @Option(names = "--columns", split = ",", defaultValue = "ss_net_profit,ss_ext_list_price,ss_quantity,ss_customer_sk,ss_ticket_number,ss_sold_date_sk", paramLabel = "LIST", description = "columns of the table that is not sorted; ${DEFAULT-VALUE} if not given")
    private List<String> columns;

    @Option(names = "--sorted", split = ",", defaultValue = "ss_sold_date_sk,ss_net_profit", paramLabel = "LIST", description = "columns by which a copy of the table is sorted, each by one; ${DEFAULT-VALUE} if not given")
    private List<String> sortColumns;

    @Option(names = "--limit", defaultValue = "10", paramLabel = "N", description = "number of rows; ${DEFAULT-VALUE} if not given")
    private int limit;

    @Override
    protected void prepare(BenchmarkServer server, TpcdsTables tables, Progress progress)
    {
        new SortedTables(server, tables).prepare(catalogs(), sortColumns, progress);
    }

    @Override
    protected List<Task> queries(BenchmarkServer server, TpcdsTables tables)
    {
        return new SortedTables(server, tables).queries(columns, sortColumns, limit);
    }

    @Override
    protected ReportContent content()
    {
        return new ReportContent(
                title("SELECT * FROM store_sales ORDER BY a column LIMIT %s at %s".formatted(limit, options.scale)),
                "column",
                ImmutableList.of(ELAPSED, CPU, SCAN_CPU, ROWS_READ, BYTES_READ),
                ImmutableList.of(ELAPSED, CPU, SCAN_CPU, ROWS_READ, BYTES_READ),
                ImmutableList.of(ELAPSED, CPU, SCAN_CPU, BYTES_READ))
                .withJudged(ELAPSED, CPU)
                .withCharts(ChartRule.bars(ELAPSED, "Elapsed time of the first and the last rows"));
    }
}
