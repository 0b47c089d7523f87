package io.albis.benchmarks.workload;

import io.albis.benchmarks.measure.Figures;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.server.BenchmarkServer;

import static java.util.Objects.requireNonNull;

/**
 * A query that refers to tables without catalog and schema.
 */
public record QueryTask(String name, String sql, TpcdsScale scale, BenchmarkServer server)
        implements Task
{
    public QueryTask
    {
        requireNonNull(name, "name is null");
        requireNonNull(sql, "sql is null");
        requireNonNull(scale, "scale is null");
        requireNonNull(server, "server is null");
    }

    @Override
    public Figures run(String catalog)
    {
        return server.measure(catalog, scale.schema(), sql);
    }
}
