package io.albis.benchmarks.workload;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.BenchmarkServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.file.Path;
import java.util.List;

import static io.albis.benchmarks.server.BenchmarkCatalog.ALBIS;
import static io.albis.benchmarks.server.BenchmarkCatalog.HIVE;
import static io.albis.benchmarks.server.BenchmarkCatalog.ICEBERG;
import static io.albis.benchmarks.server.BenchmarkCatalog.SOURCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

@TestInstance(PER_CLASS)
class TestTableLoader
{
    private static final String SCHEMA = "loaded";

    private BenchmarkServer server;
    private TableLoader loader;

    @BeforeAll
    void startServer(@TempDir Path data)
    {
        server = BenchmarkServer.start(catalogs(), data);
        loader = new TableLoader(server, SCHEMA, new Progress(System.out));
    }

    @AfterAll
    void stopServer()
    {
        if (server != null) {
            server.close();
        }
    }

    static List<BenchmarkCatalog> catalogs()
    {
        return ImmutableList.of(ALBIS, ICEBERG, HIVE);
    }

    @ParameterizedTest
    @MethodSource("catalogs")
    void testTablesOfOtherBuilds(BenchmarkCatalog catalog)
    {
        SourceTable source = new SourceTable(SCHEMA, "numbers_of_" + catalog.catalogName());
        loader.generate(SOURCE, source.table(), "AS SELECT 1 AS a");
        loader.load(catalog, "copy", source.copy(), source);
        String origin = new TableOrigins(server).read(catalog.catalogName(), SCHEMA, "copy").orElseThrow();
        assertThat(origin).matches(catalog.isAlbis() ? "Written by Albis, classes [0-9a-f]{16}, on Trino \\S+ with statement [0-9a-f]{16}" : "Written by Trino \\S+ with statement [0-9a-f]{16}");

        // Another row shows whether the table is created again
        execute(catalog, "INSERT INTO copy VALUES 10");
        loader.load(catalog, "copy", source.copy(), source);
        assertThat(sum(catalog)).isEqualTo(11);
        execute(catalog, "COMMENT ON TABLE copy IS '%s'".formatted(origin.replaceAll("(classes|Trino) \\S+", "$1 0123456789abcdef")));
        loader.load(catalog, "copy", source.copy(), source);
        assertThat(sum(catalog)).isEqualTo(1);
        assertThat(new TableOrigins(server).read(catalog.catalogName(), SCHEMA, "copy")).contains(origin);

        // A table of a build before there were origins
        execute(catalog, "INSERT INTO copy VALUES 10");
        execute(catalog, "COMMENT ON TABLE copy IS NULL");
        loader.load(catalog, "copy", source.copy(), source);
        assertThat(sum(catalog)).isEqualTo(1);

        loader.load(catalog, "copy", "AS SELECT a + 1 AS a FROM " + source.name(), source);
        assertThat(sum(catalog)).isEqualTo(2);

        // A copy has the rows of its source
        loader.generate(SOURCE, source.table(), "AS SELECT 3 AS a");
        loader.load(catalog, "copy", source.copy(), source);
        assertThat(sum(catalog)).isEqualTo(3);
    }

    /**
     * Tests that the tables that a measured statement creates are used by the next benchmark.
     */
    @Test
    void testMeasuredStatement()
    {
        SourceTable source = new SourceTable(SCHEMA, "measured");
        loader.generate(SOURCE, "measured", "AS SELECT 1 AS a");
        loader.load(ALBIS, "measured", source.copy(), source);
        execute(ALBIS, "DROP TABLE measured");
        execute(ALBIS, TableLoader.copy(server, ALBIS, "measured", source));
        execute(ALBIS, "INSERT INTO measured VALUES 10");
        loader.load(ALBIS, "measured", source.copy(), source);
        assertThat(value(ALBIS, "SELECT sum(a) FROM measured")).isEqualTo(11);
    }

    @Test
    void testTableWithoutRows()
    {
        for (BenchmarkCatalog catalog : catalogs()) {
            loader.create(catalog, "empty", "(a integer, b varchar)");
            execute(catalog, "INSERT INTO empty VALUES (1, 'b')");
            loader.create(catalog, "empty", "(a integer, b varchar)");
            assertThat(value(catalog, "SELECT count(b) FROM empty")).isEqualTo(1);
            loader.create(catalog, "empty", "(a bigint, b varchar)");
            assertThat(value(catalog, "SELECT count(b) FROM empty")).isEqualTo(0);
        }
    }

    /**
     * Tests that a prepared table has full statistics in all catalogs, also if an earlier benchmark has left it without
     * them.
     */
    @Test
    void testStatistics()
    {
        TpcdsScale scale = TpcdsScale.parse("tiny");
        TpcdsTables tables = new TpcdsTables(server, scale, new Progress(System.out));
        TableStatistics statistics = new TableStatistics(server, new Progress(System.out));
        tables.prepare(catalogs(), "store");
        for (BenchmarkCatalog catalog : catalogs()) {
            assertThat(statistics.unknown(catalog, scale.schema(), ImmutableList.of("store"))).isEmpty();
        }

        server.execute(ICEBERG.catalogName(), scale.schema(), "ALTER TABLE store EXECUTE drop_extended_stats");
        server.execute(HIVE.catalogName(), scale.schema(), "CALL system.drop_stats('%s', 'store')".formatted(scale.schema()));
        for (BenchmarkCatalog catalog : ImmutableList.of(ICEBERG, HIVE)) {
            assertThat(statistics.unknown(catalog, scale.schema(), ImmutableList.of("store"))).contains(catalog.catalogName() + ".store.s_store_sk");
        }
        tables.prepare(catalogs(), "store");
        for (BenchmarkCatalog catalog : catalogs()) {
            assertThat(statistics.unknown(catalog, scale.schema(), ImmutableList.of("store"))).isEmpty();
        }
    }

    @Test
    void testSettings()
    {
        String origin = TableOrigins.of(ALBIS, "AS SELECT 1", "");
        assertThat(TableOrigins.of(BenchmarkCatalog.parse("albis+segment-size=4MB"), "AS SELECT 1", "")).isNotEqualTo(origin);
        assertThat(TableOrigins.of(ALBIS, "AS SELECT 2", "")).isNotEqualTo(origin);
        assertThat(TableOrigins.of(ALBIS, "AS SELECT 1", "Written by another generator")).isNotEqualTo(origin);
        // Benchmarks with other defaults share the tables
        assertThat(TableOrigins.of(ALBIS.withDefault("aggregation-pushdown-enabled", "false"), "AS SELECT 1", "")).isEqualTo(origin);
    }

    private long sum(BenchmarkCatalog catalog)
    {
        return value(catalog, "SELECT sum(a) FROM copy");
    }

    private long value(BenchmarkCatalog catalog, String sql)
    {
        return (long) server.execute(catalog.catalogName(), SCHEMA, sql).getOnlyValue();
    }

    private void execute(BenchmarkCatalog catalog, String sql)
    {
        server.execute(catalog.catalogName(), SCHEMA, sql);
    }
}
