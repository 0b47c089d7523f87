package io.albis.benchmarks.workload;

import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.server.DiskUsage;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * Creates the tables of a schema that do not exist yet, or that another build or another statement has written.
 */
public record TableLoader(BenchmarkServer server, String schema, Progress progress)
{
    public TableLoader
    {
        requireNonNull(server, "server is null");
        requireNonNull(schema, "schema is null");
        requireNonNull(progress, "progress is null");
    }

    /**
     * Creates a table of generated rows, unless the catalog has it.
     *
     * @param definition what CREATE TABLE has after the name, such as {@code AS SELECT ...}
     */
    public void generate(BenchmarkCatalog catalog, String table, String definition)
    {
        prepare(catalog, table, "", definition, Optional.empty());
    }

    /**
     * Creates a table from the rows of a source table, unless the catalog has it.
     *
     * @param definition what CREATE TABLE has after the name, such as {@code AS SELECT ...}
     */
    public void load(BenchmarkCatalog catalog, String table, String definition, SourceTable source)
    {
        prepare(catalog, table, "", definition, Optional.of(source));
    }

    /**
     * Creates a table without rows, unless the catalog has it.
     *
     * @param columns the columns in parentheses
     */
    public void create(BenchmarkCatalog catalog, String table, String columns)
    {
        prepare(catalog, table, columns, "", Optional.empty());
    }

    private void prepare(BenchmarkCatalog catalog, String table, String columns, String definition, Optional<SourceTable> source)
    {
        String name = catalog.catalogName();
        server.execute(name, schema, "CREATE SCHEMA IF NOT EXISTS " + schema);
        TableOrigins origins = new TableOrigins(server);
        String origin = origins.of(catalog, columns + definition, source);
        Optional<String> existing = origins.read(name, schema, table);
        if (existing.equals(Optional.of(origin))) {
            return;
        }
        progress.print("Loading %s into %s%s".formatted(table, name, existing.isPresent() ? " again, because another build or statement has written it" : ""));
        // A table of a build before there were origins has none
        server.execute(name, schema, "DROP TABLE IF EXISTS " + table);
        if (catalog.hasLocalTables()) {
            DiskUsage.removeDropped(catalog, server.data(), schema);
        }
        server.execute(name, schema, "CREATE TABLE %s %s COMMENT '%s' %s".formatted(table, columns, origin, definition));
    }

    /**
     * Returns the statement that creates a copy of a source table, which later benchmarks can use.
     */
    public static String copy(BenchmarkServer server, BenchmarkCatalog catalog, String table, SourceTable source)
    {
        return "CREATE TABLE %s COMMENT '%s' %s".formatted(table, new TableOrigins(server).of(catalog, source.copy(), Optional.of(source)), source.copy());
    }
}
