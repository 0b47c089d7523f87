package io.albis.benchmarks.workload;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.measure.Figures;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.server.ComparedColumns;
import io.albis.benchmarks.server.DiskUsage;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import static com.google.common.collect.MoreCollectors.onlyElement;
import static java.util.Objects.requireNonNull;

/**
 * Creates a table from a query, in place of the one of the round before, and compares the rows of all catalogs. Only
 * the statement that creates the table is measured. Its size is measured if the catalog is on the local file system.
 *
 * @param rows query for the rows of the table
 * @param source table that the rows are a copy of, if other benchmarks read the table, too
 * @param checksums aggregations of the columns that are compared, such as {@code checksum(a), checksum(b)}
 */
public record CreateTask(String name, String table, String rows, Optional<SourceTable> source, String checksums, String schema, BenchmarkServer server, List<BenchmarkCatalog> catalogs, Path data)
        implements Task
{
    public CreateTask
    {
        requireNonNull(name, "name is null");
        requireNonNull(table, "table is null");
        requireNonNull(rows, "rows is null");
        requireNonNull(source, "source is null");
        requireNonNull(checksums, "checksums is null");
        requireNonNull(schema, "schema is null");
        requireNonNull(server, "server is null");
        catalogs = ImmutableList.copyOf(catalogs);
        requireNonNull(data, "data is null");
    }

    /**
     * Creates a task that loads a table of {@link GeneratedTables} again.
     */
    public static CreateTask load(String table, String checksums, String schema, BenchmarkServer server, List<BenchmarkCatalog> catalogs, Path data)
    {
        SourceTable source = new SourceTable(schema, table);
        return new CreateTask("load of " + table, table, "SELECT * FROM " + source.name(), Optional.of(source), checksums, schema, server, catalogs, data);
    }

    @Override
    public Figures run(String catalogName)
    {
        BenchmarkCatalog catalog = catalogs.stream()
                .filter(candidate -> candidate.catalogName().equals(catalogName))
                .collect(onlyElement());
        server.execute(catalogName, schema, "DROP TABLE IF EXISTS " + table);
        boolean local = catalog.storage().isEmpty();
        long before = 0;
        if (local) {
            DiskUsage.removeDropped(catalog, data, schema);
            before = DiskUsage.bytes(catalog, data, schema);
        }
        String statement = source.map(copied -> TableLoader.copy(server, catalog, table, copied)).orElseGet(() -> "CREATE TABLE %s AS %s".formatted(table, rows));
        Figures figures = server.measure(catalogName, schema, statement);
        figures = figures.with(Figure.RESULT_CHECKSUM, ComparedColumns.ALL.checksum(server.execute(catalogName, schema, "SELECT %s FROM %s".formatted(checksums, table))).orElseThrow());
        return local ? figures.with(Figure.BYTES_ON_DISK, DiskUsage.bytes(catalog, data, schema) - before) : figures;
    }
}
