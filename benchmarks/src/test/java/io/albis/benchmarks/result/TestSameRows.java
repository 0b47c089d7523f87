package io.albis.benchmarks.result;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.workload.QueryTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

import static io.albis.benchmarks.server.BenchmarkCatalog.ALBIS;
import static io.albis.benchmarks.server.BenchmarkCatalog.HIVE;
import static io.albis.benchmarks.server.BenchmarkCatalog.ICEBERG;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class TestSameRows
{
    private static final String SCHEMA = "shop";
    private static final List<BenchmarkCatalog> CATALOGS = ImmutableList.of(ALBIS, ICEBERG, HIVE);

    private static final String ROWS = "VALUES (1, DECIMAL '1.50', CAST('a' AS char(3)), DATE '2026-11-26', 0.1e0), (2, NULL, NULL, NULL, NULL)";

    @TempDir
    private Path folder;

    @Test
    void testCheck()
    {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        try (BenchmarkServer server = BenchmarkServer.start(CATALOGS, folder)) {
            SameRows sameRows = new SameRows(server, new Progress(new PrintStream(output, true, UTF_8)));
            create(server, "same", "a, b, c, d, e", ROWS, ROWS);
            create(server, "different", "a, b", "VALUES (1, 2), (3, 4)", "VALUES (1, 2), (3, 5)");
            sameRows.check(ImmutableList.of(task(server, "q1", "SELECT * FROM same")), CATALOGS);
            assertThat(output.toString(UTF_8)).contains("compared").contains("q1").contains("rows 2");

            // The other rows are in Hive
            sameRows.check(ImmutableList.of(task(server, "q2", "SELECT * FROM different")), ImmutableList.of(ALBIS, ICEBERG));
            assertThatThrownBy(() -> sameRows.check(ImmutableList.of(task(server, "q2", "SELECT * FROM different")), CATALOGS))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("q2 does not return the same rows in albis and hive: 1 rows only in albis: (3, 4); 1 rows only in hive: (3, 5)");

            // A query that fails in one catalog is compared in the others
            server.execute(ICEBERG.catalogName(), SCHEMA, "DROP TABLE different");
            sameRows.check(ImmutableList.of(task(server, "q3", "SELECT max(a) FROM different")), CATALOGS);
            assertThat(output.toString(UTF_8)).contains("q3 fails in iceberg, and its rows are not compared: ");
            assertThatThrownBy(() -> sameRows.check(ImmutableList.of(task(server, "q3", "SELECT max(b) FROM different")), CATALOGS))
                    .hasMessageContaining("q3 does not return the same rows in albis and hive");
        }
    }

    private static void create(BenchmarkServer server, String table, String columns, String rows, String rowsOfHive)
    {
        for (BenchmarkCatalog catalog : CATALOGS) {
            server.execute(catalog.catalogName(), SCHEMA, "CREATE SCHEMA IF NOT EXISTS " + SCHEMA);
            String values = catalog.equals(HIVE) ? rowsOfHive : rows;
            server.execute(catalog.catalogName(), SCHEMA, "CREATE TABLE %s AS SELECT * FROM (%s) t (%s)".formatted(table, values, columns));
        }
    }

    private static Task task(BenchmarkServer server, String name, String sql)
    {
        return new QueryTask(name, sql, SCHEMA, server);
    }
}
