package io.albis.benchmarks.concurrent;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.server.DiskUsage;
import io.albis.benchmarks.workload.TpcdsTables;

import java.nio.file.Path;
import java.util.List;

import static com.google.common.base.Preconditions.checkState;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.benchmarks.server.BenchmarkCatalog.SOURCE;
import static java.util.Objects.requireNonNull;

/**
 * A copy of {@code store_sales} that clients query and change at the same time, and the rows that they insert or merge.
 * It has a partition for each store. The first stores get merges, and only the others are optimized: an optimize of
 * rows that merges change all the time conflicts with one of them in every catalog.
 */
class MixedTable
{
    public static final int BATCH_ROWS = 1000;
    // A merge takes the rows of one store with one remainder of their item
    public static final int SLICES = 10;
    private static final int MERGED_ROWS = 6000;
    private static final int MERGED_STORES = 2;

    private static final String ORIGINAL = "store_sales";
    private static final String TABLE = "sales";
    private static final String STORE = "ss_store_sk";
    private static final String BATCH = "batch";
    private static final String MERGED = "merged";
    // More than any ticket of the original table
    private static final long FIRST_NEW_TICKET = 1_000_000_000_000L;
    private static final long TICKETS_PER_BATCH = 1_000_000_000L;

    private final BenchmarkServer server;
    private final TpcdsTables tables;
    private final Path data;
    private final String schema;
    private final List<String> columns;
    private List<Long> stores = ImmutableList.of();

    public MixedTable(BenchmarkServer server, TpcdsTables tables, Path data)
    {
        this.server = requireNonNull(server, "server is null");
        this.tables = requireNonNull(tables, "tables is null");
        this.data = requireNonNull(data, "data is null");
        this.schema = tables.scale().schema() + "_mixed";
        this.columns = tables.columns(ORIGINAL);
    }

    public String schema()
    {
        return schema;
    }

    /**
     * Creates the rows to insert and to merge. They exist in the original table, and are scattered over it.
     */
    public void createBatch()
    {
        tables.prepareSource(ORIGINAL);
        stores = server.execute(SOURCE.catalogName(), tables.scale().schema(), "SELECT DISTINCT %1$s FROM %2$s WHERE %1$s IS NOT NULL ORDER BY 1".formatted(STORE, ORIGINAL)).getOnlyColumn()
                .map(Long.class::cast)
                .collect(toImmutableList());
        checkState(stores.size() >= 2, "there are only %s stores", stores.size());
        createRows(BATCH, BATCH_ROWS);
        createRows(MERGED, MERGED_ROWS);
    }

    private void createRows(String table, int count)
    {
        long rows = (long) server.execute(SOURCE.catalogName(), tables.scale().schema(), "SELECT count(*) FROM " + ORIGINAL).getOnlyValue();
        String every = "mod(ss_ticket_number * 7919 + ss_item_sk * 7921, %s) = 0".formatted(Math.max(1, rows / (2 * count)));
        recreate(SOURCE.catalogName(), table, "", "SELECT * FROM %s WHERE %s LIMIT %s".formatted(original(), every, count));
    }

    /**
     * Creates the table with its original rows.
     */
    public void create(BenchmarkCatalog catalog)
    {
        recreate(catalog.catalogName(), TABLE, "WITH (%s)".formatted(catalog.partitionProperties(STORE)), "SELECT * FROM " + original());
        DiskUsage.removeDropped(catalog, data, schema);
    }

    private String original()
    {
        return "%s.%s.%s".formatted(SOURCE.catalogName(), tables.scale().schema(), ORIGINAL);
    }

    private void recreate(String catalog, String table, String properties, String query)
    {
        server.execute(catalog, schema, "CREATE SCHEMA IF NOT EXISTS " + schema);
        server.execute(catalog, schema, "DROP TABLE IF EXISTS " + table);
        server.execute(catalog, schema, "CREATE TABLE %s %s AS %s".formatted(table, properties, query));
    }

    public long rows(String catalog)
    {
        return (long) server.execute(catalog, schema, "SELECT count(*) FROM " + TABLE).getOnlyValue();
    }

    /**
     * Returns a query: over all rows, over a range of dates, or for one ticket.
     */
    public String query(long number)
    {
        return switch ((int) (number % 3)) {
            case 0 -> "SELECT ss_store_sk, count(*), sum(ss_net_paid) FROM %s GROUP BY 1".formatted(TABLE);
            case 1 -> "SELECT count(*), sum(ss_quantity) FROM %s WHERE ss_sold_date_sk BETWEEN 2451545 AND 2451575".formatted(TABLE);
            default -> "SELECT * FROM %s WHERE ss_ticket_number = %s".formatted(TABLE, 1 + number % 1000);
        };
    }

    /**
     * Returns a statement that inserts the batch with new tickets.
     */
    public String insert(long number)
    {
        String newTicket = "ss_ticket_number + %s".formatted(FIRST_NEW_TICKET + number * TICKETS_PER_BATCH);
        String values = String.join(", ", columns).replace("ss_ticket_number", newTicket);
        return "INSERT INTO %s (%s) SELECT %s FROM %s".formatted(TABLE, String.join(", ", columns), values, source(BATCH));
    }

    /**
     * Returns a statement that updates the rows of one slice of a store. Its condition on the ticket excludes the
     * inserted rows, so that an insert at the same time is no conflict.
     */
    public String merge(int client, long slice)
    {
        long store = stores.get(client % mergedStores());
        return """
               MERGE INTO %s t USING (SELECT * FROM %s WHERE %s = %s AND mod(ss_item_sk, %s) = %s) s
               ON t.%s = %s AND t.ss_item_sk = s.ss_item_sk AND t.ss_ticket_number = s.ss_ticket_number AND t.ss_ticket_number < %s
               WHEN MATCHED THEN UPDATE SET ss_net_profit = -t.ss_net_profit
               WHEN NOT MATCHED THEN INSERT (%s) VALUES (%s)
               """.formatted(TABLE, source(MERGED), STORE, store, SLICES, slice, STORE, store, FIRST_NEW_TICKET, String.join(", ", columns), "s." + String.join(", s.", columns));
    }

    private int mergedStores()
    {
        return Math.min(MERGED_STORES, stores.size() - 1);
    }

    public String expire(String retention)
    {
        return "ALTER TABLE %s EXECUTE expire_snapshots(retention_threshold => '%s')".formatted(TABLE, retention);
    }

    /**
     * Returns a statement that merges the small files of a store whose rows no client merges.
     */
    public String optimize(long number)
    {
        List<Long> optimized = stores.subList(mergedStores(), stores.size());
        return "ALTER TABLE %s EXECUTE optimize WHERE %s = %s".formatted(TABLE, STORE, optimized.get((int) (number % optimized.size())));
    }

    private String source(String table)
    {
        return "%s.%s.%s".formatted(SOURCE.catalogName(), schema, table);
    }
}
