package io.albis.benchmarks.workload;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.measure.Figures;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.server.ComparedColumns;

import java.util.List;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/**
 * A checksum over all values of some columns. No connector can answer it from its metadata, and the checksums of all
 * catalogs are compared. The engine's part of the cost is the same on all catalogs and not part of the scan CPU.
 */
public record FullScan(String name, String table, List<String> columns, String schema, BenchmarkServer server)
        implements Task
{
    public FullScan
    {
        requireNonNull(name, "name is null");
        requireNonNull(table, "table is null");
        columns = ImmutableList.copyOf(columns);
        requireNonNull(schema, "schema is null");
        requireNonNull(server, "server is null");
    }

    public static String checksums(List<String> columns)
    {
        return columns.stream()
                .map("checksum(%s)"::formatted)
                .collect(joining(", "));
    }

    @Override
    public Figures run(String catalog)
    {
        Figures figures = server.measure(catalog, schema, "SELECT %s FROM %s".formatted(checksums(columns), table), ComparedColumns.ALL);
        return figures.with(Figure.VALUE_RATE, Math.round(1e9 * figures.get(Figure.ROWS_READ) * columns.size() / figures.get(Figure.ELAPSED)));
    }
}
