package io.albis.benchmarks.workload;

import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.server.BenchmarkServer;

import static java.util.Objects.requireNonNull;

/**
 * Creates the tables of a schema that do not exist yet.
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
     * Creates a table unless the catalog has it.
     *
     * @param definition what CREATE TABLE has after the name, such as {@code AS SELECT ...}
     */
    public void load(String catalog, String table, String definition)
    {
        server.execute(catalog, schema, "CREATE SCHEMA IF NOT EXISTS " + schema);
        if (server.execute(catalog, schema, "SHOW TABLES").getOnlyColumn().noneMatch(table::equals)) {
            progress.print("Loading %s into %s".formatted(table, catalog));
            server.execute(catalog, schema, "CREATE TABLE %s %s".formatted(table, definition));
        }
    }
}
