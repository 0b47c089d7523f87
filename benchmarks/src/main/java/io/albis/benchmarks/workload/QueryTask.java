package io.albis.benchmarks.workload;

import io.albis.benchmarks.measure.Figures;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.server.ComparedColumns;

import static java.util.Objects.requireNonNull;

/**
 * A query that refers to tables without catalog and schema.
 *
 * @param compared columns of the result that must have the same values in all catalogs
 */
public record QueryTask(String name, String sql, String schema, ComparedColumns compared, BenchmarkServer server)
        implements Task
{
    public QueryTask
    {
        requireNonNull(name, "name is null");
        requireNonNull(sql, "sql is null");
        requireNonNull(schema, "schema is null");
        requireNonNull(compared, "compared is null");
        requireNonNull(server, "server is null");
    }

    public QueryTask(String name, String sql, String schema, BenchmarkServer server)
    {
        this(name, sql, schema, ComparedColumns.NONE, server);
    }

    @Override
    public Figures run(String catalog)
    {
        return server.measure(catalog, schema, sql, compared);
    }
}
