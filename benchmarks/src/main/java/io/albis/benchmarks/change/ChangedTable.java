package io.albis.benchmarks.change;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.server.DiskUsage;
import io.albis.benchmarks.server.FolderFiles;
import io.albis.benchmarks.workload.TpcdsTables;

import java.nio.file.Path;
import java.util.List;

import static com.google.common.collect.MoreCollectors.onlyElement;
import static com.google.common.primitives.Longs.fromByteArray;
import static io.albis.benchmarks.server.BenchmarkCatalog.SOURCE;
import static java.util.Objects.requireNonNull;

/**
 * A copy of {@code store_sales} in each catalog. It has the same rows before each statement.
 */
class ChangedTable
{
    public static final String TABLE = "store_sales";

    private final BenchmarkServer server;
    private final List<BenchmarkCatalog> catalogs;
    private final Path data;
    private final String schema;
    private final List<String> columns;

    public ChangedTable(BenchmarkServer server, TpcdsTables tables, List<BenchmarkCatalog> catalogs, Path data)
    {
        this.server = requireNonNull(server, "server is null");
        this.catalogs = List.copyOf(catalogs);
        this.data = requireNonNull(data, "data is null");
        this.schema = tables.scale().schema() + "_changes";
        this.columns = tables.columns(TABLE);
    }

    public String schema()
    {
        return schema;
    }

    public List<String> columns()
    {
        return columns;
    }

    /**
     * Creates the table from a table with the same columns, and replaces the one of an earlier benchmark.
     */
    public void create(BenchmarkCatalog catalog, String source)
    {
        String name = catalog.catalogName();
        server.execute(name, schema, "CREATE SCHEMA IF NOT EXISTS " + schema);
        server.execute(name, schema, "DROP TABLE IF EXISTS " + TABLE);
        DiskUsage.removeDropped(catalog, data, schema);
        server.execute(name, schema, "CREATE TABLE %s AS SELECT * FROM %s".formatted(TABLE, source));
    }

    /**
     * Creates or replaces a table that statements read.
     */
    public void createSource(String table, String query)
    {
        String name = SOURCE.catalogName();
        server.execute(name, schema, "CREATE SCHEMA IF NOT EXISTS " + schema);
        server.execute(name, schema, "DROP TABLE IF EXISTS " + table);
        server.execute(name, schema, "CREATE TABLE %s AS %s".formatted(table, query));
    }

    /**
     * Returns the id of the newest snapshot.
     */
    public long snapshot(String catalog)
    {
        return (long) server.execute(catalog, schema, "SELECT snapshot_id FROM \"%s$refs\" WHERE name = 'main'".formatted(TABLE)).getOnlyValue();
    }

    /**
     * Returns the table to its rows of a snapshot, and deletes the files of all other snapshots.
     */
    public void restore(String catalog, long snapshot)
    {
        server.execute(catalog, schema, "ALTER TABLE %s EXECUTE rollback_to_snapshot(snapshot_id => %s)".formatted(TABLE, snapshot));
        server.execute(catalog, schema, "ALTER TABLE %s EXECUTE expire_snapshots(retention_threshold => '0s')".formatted(TABLE));
    }

    /**
     * Returns a checksum over all rows, regardless of their order.
     */
    public long checksum(String catalog)
    {
        return checksumOf(catalog, columns);
    }

    /**
     * Returns a checksum over all rows with a column that was added.
     */
    public long checksum(String catalog, String addedColumn)
    {
        return checksumOf(catalog, ImmutableList.<String>builder().addAll(columns).add(addedColumn).build());
    }

    private long checksumOf(String catalog, List<String> checked)
    {
        return fromByteArray((byte[]) server.execute(catalog, schema, "SELECT checksum(ROW(%s)) FROM %s".formatted(String.join(", ", checked), TABLE)).getOnlyValue());
    }

    public FolderFiles files(String catalog)
    {
        return FolderFiles.list(catalogs.stream()
                .filter(candidate -> candidate.catalogName().equals(catalog))
                .collect(onlyElement())
                .folder(data)
                .resolve(schema));
    }
}
