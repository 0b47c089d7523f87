package io.albis.benchmarks.change;

import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.measure.Figures;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.server.FolderFiles;

import static java.util.Objects.requireNonNull;

/**
 * A statement that changes the table. Afterward the table gets its rows back, which takes no part of the measured time.
 */
record ChangeTask(String name, String sql, ChangedTable table, BenchmarkServer server)
        implements Task
{
    public ChangeTask
    {
        requireNonNull(name, "name is null");
        requireNonNull(sql, "sql is null");
        requireNonNull(table, "table is null");
        requireNonNull(server, "server is null");
    }

    @Override
    public Figures run(String catalog)
    {
        long snapshot = table.snapshot(catalog);
        FolderFiles before = table.files(catalog);
        try {
            Figures figures = server.measure(catalog, table.schema(), sql);
            return figures
                    .with(Figure.NEW_FILES, table.files(catalog).bytesSince(before))
                    .with(Figure.CHECKSUM, table.checksum(catalog));
        }
        finally {
            table.restore(catalog, snapshot);
        }
    }
}
