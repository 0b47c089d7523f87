package io.albis.benchmarks.clickbench;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.benchmarks.server.BenchmarkServer;
import io.trino.testing.MaterializedResult;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.Map;

import static io.albis.benchmarks.server.BenchmarkCatalog.SOURCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

@TestInstance(PER_CLASS)
class TestHitsTable
{
    private static final HitsTable HITS = new HitsTable(20_000, 1);

    private BenchmarkServer server;

    @BeforeAll
    void startServer(@TempDir Path data)
    {
        server = BenchmarkServer.start(ImmutableList.of(), data);
        execute("CREATE SCHEMA test");
        execute("CREATE TABLE hits AS " + HITS.query());
    }

    @AfterAll
    void stopServer()
    {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void testColumns()
    {
        // All catalogs have these types, or a wider one
        assertThat(execute("SELECT column_name, data_type FROM information_schema.columns WHERE table_schema = 'test' AND table_name = 'hits'").getMaterializedRows())
                .hasSize(105)
                .extracting(row -> row.getField(1))
                .containsOnly("bigint", "integer", "smallint", "varchar", "date", "timestamp(3)");
        assertThat(value("SELECT count(*) FROM hits WHERE NOT (WatchID IS NOT NULL AND URL IS NOT NULL AND Title IS NOT NULL AND CLID IS NOT NULL)")).isEqualTo(0L);
    }

    @Test
    void testRowsDependOnlyOnTheSeed()
    {
        Object checksum = checksum("hits");
        execute("CREATE TABLE again AS " + HITS.query());
        assertThat(checksum("again")).isEqualTo(checksum);
        execute("CREATE TABLE another AS " + new HitsTable(HITS.rows(), 2).query());
        assertThat(checksum("another")).isNotEqualTo(checksum);
        assertThat(value("SELECT count(DISTINCT WatchID) FROM hits")).isEqualTo(HITS.rows());
    }

    private Object checksum(String table)
    {
        return value("SELECT checksum(ROW(WatchID, UserID, EventTime, URL, Title, Referer, SearchPhrase, URLHash, RefererHash, FetchTiming)) FROM " + table);
    }

    @Test
    void testValuesThatQueriesLookFor()
    {
        // Each with the fraction of the rows that have it, in thousandths
        Map<String, Integer> fractions = ImmutableMap.<String, Integer>builder()
                .put("CounterID = 62", 20)
                .put("EventDate BETWEEN DATE '2013-07-01' AND DATE '2013-07-31'", 1000)
                .put("EventDate BETWEEN DATE '2013-07-14' AND DATE '2013-07-15'", 65)
                .put("AdvEngineID <> 0", 6)
                .put("MobilePhoneModel <> ''", 23)
                .put("SearchPhrase <> ''", 130)
                .put("URL LIKE '%google%'", 1)
                .put("Title LIKE '%Google%'", 3)
                .put("Referer = ''", 200)
                .put("IsRefresh = 0", 900)
                .put("DontCountHits = 0", 900)
                .put("IsLink <> 0", 50)
                .put("IsDownload = 0", 995)
                .put("TraficSourceID IN (-1, 6)", 150)
                .put("RefererHash = 3594120000172545465", 1)
                .put("URLHash = 2868770270353813622", 2)
                .buildOrThrow();
        fractions.forEach((predicate, thousandths) -> {
            double expected = HITS.rows() * thousandths / 1000.0;
            assertThat((double) (long) value("SELECT count(*) FROM hits WHERE " + predicate))
                    .as(predicate)
                    .isBetween(expected * 0.9 - 20, expected * 1.1 + 20)
                    .isPositive();
        });
        assertThat((long) value("SELECT count(*) FROM hits WHERE UserID = 435090932899640449")).isBetween(1L, 20L);
    }

    /**
     * The hash of a text is the same in all rows with the text.
     */
    @Test
    void testHashes()
    {
        assertThat(value("SELECT count(*) FROM (SELECT 1 FROM hits WHERE CounterID = 62 GROUP BY URL HAVING count(DISTINCT URLHash) > 1)")).isEqualTo(0L);
        assertThat((long) value("SELECT count(DISTINCT URLHash) FROM hits")).isEqualTo(value("SELECT count(DISTINCT URL) FROM hits"));
    }

    private Object value(String sql)
    {
        return execute(sql).getOnlyValue();
    }

    private MaterializedResult execute(String sql)
    {
        return server.execute(SOURCE.catalogName(), "test", sql);
    }
}
