package io.albis.benchmarks.change;

import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.measure.Figures;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.server.FolderFiles;

import static io.albis.benchmarks.change.ChangedTable.TABLE;
import static java.util.Objects.requireNonNull;

/**
 * An UPDATE that computes the values of a new column in all rows. Adding the column before, and returning the table to
 * its columns and rows afterward, takes no part of the measured time.
 */
record FillTask(ChangedTable table, BenchmarkServer server)
        implements Task
{
    private static final String COLUMN = "filled";
    private static final String ADD_COLUMN = "ALTER TABLE %s ADD COLUMN %s bigint".formatted(TABLE, COLUMN);
    private static final String DROP_COLUMN = "ALTER TABLE %s DROP COLUMN %s".formatted(TABLE, COLUMN);
    private static final String FILL = "UPDATE %s SET %s = ss_item_sk + ss_ticket_number".formatted(TABLE, COLUMN);

    public FillTask
    {
        requireNonNull(table, "table is null");
        requireNonNull(server, "server is null");
    }

    @Override
    public String name()
    {
        return "UPDATE of all rows of a new column";
    }

    @Override
    public Figures run(String catalog)
    {
        long snapshot = table.snapshot(catalog);
        server.execute(catalog, table.schema(), ADD_COLUMN);
        FolderFiles before = table.files(catalog);
        try {
            Figures figures = server.measure(catalog, table.schema(), FILL);
            return figures
                    .with(Figure.NEW_FILES, table.files(catalog).bytesSince(before))
                    .with(Figure.CHECKSUM, table.checksum(catalog, COLUMN));
        }
        finally {
            server.execute(catalog, table.schema(), DROP_COLUMN);
            table.restore(catalog, snapshot);
        }
    }
}
