package io.albis.benchmarks.change;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.measure.Figures;
import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.workload.TpcdsTables;

import java.nio.file.Path;
import java.util.List;

import static io.albis.benchmarks.change.ChangedTable.TABLE;
import static io.albis.benchmarks.server.BenchmarkCatalog.SOURCE;
import static java.util.Objects.requireNonNull;

/**
 * Copies of {@code store_sales}: one that many statements have written, each of them a small part of the rows, one with
 * large files, and one with large files that are sorted by date.
 */
public class SmallFilesTable
{
    private static final String LARGE = "store_sales_large";
    private static final String SORTED = "store_sales_sorted";
    private static final String SORT_COLUMN = "ss_sold_date_sk";

    private final BenchmarkServer server;
    private final TpcdsTables tables;
    private final List<BenchmarkCatalog> catalogs;
    private final ChangedTable table;

    public SmallFilesTable(BenchmarkServer server, TpcdsTables tables, List<BenchmarkCatalog> catalogs, Path data)
    {
        this.server = requireNonNull(server, "server is null");
        this.tables = requireNonNull(tables, "tables is null");
        this.catalogs = ImmutableList.copyOf(catalogs);
        this.table = new ChangedTable(server, tables, catalogs, data);
    }

    /**
     * Creates the tables in each catalog, and the statements that are measured.
     */
    public List<Task> create(int inserts, Progress progress)
    {
        tables.prepareSource(TABLE);
        String source = "%s.%s.%s".formatted(SOURCE.catalogName(), tables.scale().schema(), TABLE);
        // One file for each part, so that an INSERT does not read all rows
        String parts = "store_sales_parts";
        table.createSource(parts, "SELECT *, mod(coalesce(ss_ticket_number, 0), %s) part FROM %s ORDER BY part".formatted(inserts, source));
        String numbered = "%s.%s.%s".formatted(SOURCE.catalogName(), table.schema(), parts);
        String columns = String.join(", ", table.columns());
        for (BenchmarkCatalog catalog : catalogs) {
            String name = catalog.catalogName();
            progress.print("Running %s inserts in %s".formatted(inserts, name));
            table.create(catalog, "%s WHERE false".formatted(source));
            for (int part = 0; part < inserts; part++) {
                server.execute(name, table.schema(), "INSERT INTO %s SELECT %s FROM %s WHERE part = %s".formatted(TABLE, columns, numbered, part));
            }
            progress.print("Copying in %s".formatted(name));
            server.execute(name, table.schema(), "DROP TABLE IF EXISTS " + LARGE);
            server.execute(name, table.schema(), "CREATE TABLE %s AS SELECT * FROM %s".formatted(LARGE, source));
            progress.print("Sorting in %s".formatted(name));
            server.execute(name, table.schema(), "DROP TABLE IF EXISTS " + SORTED);
            server.execute(name, table.schema(), "CREATE TABLE %s WITH (sorted_by = ARRAY['%s']) AS SELECT * FROM %s".formatted(SORTED, SORT_COLUMN, source));
        }
        long date = (long) server.execute(SOURCE.catalogName(), tables.scale().schema(), "SELECT approx_percentile(%s, 0.5) FROM %s".formatted(SORT_COLUMN, TABLE)).getOnlyValue();
        String scan = "SELECT %s FROM %%s WHERE %s BETWEEN %s AND %s".formatted("sum(ss_quantity), sum(ss_net_paid), count(ss_customer_sk)", SORT_COLUMN, date, date + 10);
        return ImmutableList.of(
                query("scan of ten days, small files", scan.formatted(TABLE)),
                query("scan of ten days, large files", scan.formatted(LARGE)),
                query("scan of ten days, large sorted files", scan.formatted(SORTED)),
                new ChangeTask("optimize", "ALTER TABLE %s EXECUTE optimize".formatted(TABLE), table, server));
    }

    private Task query(String name, String sql)
    {
        return new Task()
        {
            @Override
            public String name()
            {
                return name;
            }

            @Override
            public Figures run(String catalog)
            {
                return server.measure(catalog, table.schema(), sql);
            }
        };
    }
}
