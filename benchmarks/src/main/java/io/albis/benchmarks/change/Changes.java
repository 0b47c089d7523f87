package io.albis.benchmarks.change;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.change.Change.RowSelection;
import io.albis.benchmarks.change.Change.Statement;
import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.workload.Fraction;
import io.albis.benchmarks.workload.TpcdsTables;

import java.nio.file.Path;
import java.util.List;

import static io.albis.benchmarks.change.Change.RowSelection.KEY;
import static io.albis.benchmarks.change.Change.Statement.MERGE;
import static io.albis.benchmarks.change.ChangedTable.TABLE;
import static io.albis.benchmarks.server.BenchmarkCatalog.SOURCE;
import static java.util.Objects.requireNonNull;

/**
 * The statements that change {@code store_sales}: each kind, by key and by date, for each fraction of the rows, and one
 * that fills a new column.
 */
public class Changes
{
    private static final List<String> KEY_COLUMNS = ImmutableList.of("ss_item_sk", "ss_ticket_number");

    private final BenchmarkServer server;
    private final TpcdsTables tables;
    private final List<BenchmarkCatalog> catalogs;
    private final ChangedTable table;

    public Changes(BenchmarkServer server, TpcdsTables tables, List<BenchmarkCatalog> catalogs, Path data)
    {
        this.server = requireNonNull(server, "server is null");
        this.tables = requireNonNull(tables, "tables is null");
        this.catalogs = ImmutableList.copyOf(catalogs);
        this.table = new ChangedTable(server, tables, catalogs, data);
    }

    /**
     * Creates the table in each catalog, and the statements together with the tables that they read.
     */
    public List<Task> create(List<Fraction> fractions, Progress progress)
    {
        tables.prepareSource(TABLE);
        String source = "%s.%s.%s".formatted(SOURCE.catalogName(), tables.scale().schema(), TABLE);
        for (BenchmarkCatalog catalog : catalogs) {
            progress.print("Loading %s into %s".formatted(TABLE, catalog.catalogName()));
            table.create(catalog, source);
        }
        ImmutableList.Builder<Task> tasks = ImmutableList.builder();
        for (Fraction fraction : fractions) {
            for (RowSelection selection : RowSelection.values()) {
                String predicate = selection == KEY ? fraction.predicate(KEY_COLUMNS) : DateRange.find(server, tables.scale(), fraction).predicate();
                for (Statement statement : Statement.values()) {
                    Change change = new Change(statement, selection, fraction);
                    if (statement == MERGE) {
                        table.createSource(change.sourceTable(), Change.sourceQuery(table, source, predicate));
                    }
                    String read = "%s.%s.%s".formatted(SOURCE.catalogName(), table.schema(), change.sourceTable());
                    tasks.add(new ChangeTask(change.name(), change.sql(table, predicate, read), table, server));
                }
            }
        }
        tasks.add(new FillTask(table, server));
        return tasks.build();
    }
}
