package io.albis.trino.differential;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Multiset;
import com.google.common.collect.Multisets;
import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.IndexSearches;
import io.albis.trino.differential.RandomOptions.Option;
import io.trino.Session;
import io.trino.execution.QueryManager;
import io.trino.operator.OperatorStats;
import io.trino.plugin.base.metrics.LongCount;
import io.trino.server.BasicQueryInfo;
import io.trino.testing.DistributedQueryRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;

import static io.albis.trino.AlbisQueryRunner.CATALOG;
import static io.albis.trino.AlbisQueryRunner.SCHEMA;
import static io.albis.trino.differential.PagesPlugin.CONNECTOR_NAME;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Random queries on random tables return the same rows as on Trino's memory connector, whatever the table properties
 * and the session properties are.
 * <p>
 * A failure names its seed. Run the test with {@code -Dalbis.seed=} and this seed to create the same tables and queries
 * again.
 */
@TestInstance(PER_CLASS)
final class TestRandomQueries
{
    private static final String SEED = "albis.seed";
    private static final int QUERIES = 10;
    private static final int MAX_FURTHER_ROUNDS = 20;
    // Copies of each table, with different table properties
    private static final int COPIES = 2;
    // Sessions that run the same query
    private static final int SESSIONS = 2;

    private final IndexSearches searches = new IndexSearches();
    private final Map<String, PagesTable> pagesTables = new ConcurrentHashMap<>();
    private DistributedQueryRunner queryRunner;
    private PageQueries queries;
    private RandomOptions options;
    private Session baseSession;
    private Session expectedSession;

    @BeforeAll
    void start()
            throws Exception
    {
        queryRunner = AlbisQueryRunner.builder()
                .setWorkerCount(0)
                .setEventListener(searches)
                .build();
        queryRunner.installPlugin(new PagesPlugin(pagesTables));
        queryRunner.createCatalog(CONNECTOR_NAME, CONNECTOR_NAME, ImmutableMap.of());
        queries = new PageQueries(queryRunner.getCoordinator());
        options = new RandomOptions(queryRunner);
        baseSession = Session.builder(queryRunner.getDefaultSession())
                // As outside of tests: Trino cannot estimate a comparison with NaN if a column has statistics
                .setSystemProperty("ignore_stats_calculator_failures", "true")
                .build();
        expectedSession = Session.builder(baseSession)
                .setSystemProperty("enable_dynamic_filtering", "false")
                .build();
    }

    @AfterAll
    void stop()
    {
        queryRunner.close();
    }

    @Test
    void testRandomQueries()
    {
        testRandomQueries(2);
    }

    @Test
    @Tag("slow")
    void testManyRandomQueries()
    {
        testRandomQueries(10);
    }

    private void testRandomQueries(int rounds)
    {
        String seed = System.getProperty(SEED);
        if (seed != null) {
            testRandomTable(Long.parseLong(seed));
            return;
        }
        long firstSeed = new Random().nextLong();
        int withRows = 0;
        boolean skipped = false;
        int round = 0;
        // Few tables may have no rows, only one segment, or no index
        while (round < rounds || ((withRows <= round * QUERIES / 5 || !skipped || searches.excludedRows() == 0) && round < rounds + MAX_FURTHER_ROUNDS)) {
            withRows += testRandomTable(firstSeed + round);
            round++;
            skipped |= scanned("Albis segments skipped") > 0 && scanned("Albis rows skipped") > 0;
        }
        // Most tables have rows, and many queries return some, otherwise the test would compare nothing
        assertThat(withRows).isGreaterThan(round * QUERIES / 5);
        // Some predicates and dynamic filters skip segments and rows, otherwise the test would only cover whole tables
        assertThat(skipped).isTrue();
        searches.assertSearched();
    }

    /**
     * Returns the sum of a metric over the scans of the queries that the server still knows.
     */
    private long scanned(String metric)
    {
        QueryManager queryManager = queryRunner.getCoordinator().getQueryManager();
        long total = 0;
        for (BasicQueryInfo query : queryManager.getQueries()) {
            try {
                for (OperatorStats operator : queryManager.getFullQueryInfo(query.getQueryId()).getQueryStats().getOperatorSummaries()) {
                    total += operator.getConnectorMetrics().getMetrics().get(metric) instanceof LongCount count ? count.getTotal() : 0;
                }
            }
            catch (NoSuchElementException e) {
                // The server no longer knows this query
            }
        }
        return total;
    }

    /**
     * @return the number of queries that returned rows
     */
    private int testRandomTable(long seed)
    {
        Random random = new Random(seed);
        RandomTable table = RandomTable.create(random);
        RandomTable small = table.createSmall(random);
        List<String> setup = new ArrayList<>();
        try {
            addParts("large", table);
            addParts("small", small);
            createTables("memory.default.large", "large", table, false, ImmutableList.of(), "", setup);
            createTables("memory.default.small", "small", small, false, ImmutableList.of(), "", setup);
            for (int copy = 0; copy < COPIES; copy++) {
                createTables(albis("large_" + copy), "large", table, random.nextInt(4) == 0, options.writing(random), options.tableProperties(random, table.columns(), table.rowCount()), setup);
            }
            createTables(albis("small"), "small", small, false, options.writing(random), options.tableProperties(random, small.columns(), small.rowCount()), setup);

            RandomQueries randomQueries = new RandomQueries(random, table.columns());
            int withRows = 0;
            for (int i = 0; i < QUERIES; i++) {
                withRows += testQuery(random, randomQueries.next(), "-D%s=%s%n%s".formatted(SEED, seed, String.join("\n", setup)));
            }
            return withRows;
        }
        finally {
            queryRunner.execute("DROP TABLE IF EXISTS memory.default.large");
            queryRunner.execute("DROP TABLE IF EXISTS memory.default.small");
            for (int copy = 0; copy < COPIES; copy++) {
                queryRunner.execute("DROP TABLE IF EXISTS " + albis("large_" + copy));
            }
            queryRunner.execute("DROP TABLE IF EXISTS " + albis("small"));
            pagesTables.clear();
        }
    }

    private static String albis(String table)
    {
        return CATALOG + "." + SCHEMA + "." + table;
    }

    private void addParts(String name, RandomTable table)
    {
        for (int part = 0; part < table.parts().size(); part++) {
            pagesTables.put(name + "_" + part, table.parts().get(part));
        }
    }

    private void createTables(String name, String source, RandomTable table, boolean createEmpty, List<Option> sessionOptions, String properties, List<String> setup)
    {
        Session session = Option.apply(sessionOptions, baseSession);
        sessionOptions.forEach(option -> setup.add(option.toSql()));
        List<String> statements = new ArrayList<>();
        if (createEmpty) {
            String columns = table.columns().stream()
                    .map(column -> column.name() + " " + column.type().getDisplayName())
                    .collect(joining(", "));
            statements.add("CREATE TABLE %s (%s)%s".formatted(name, columns, properties));
        }
        for (int part = 0; part < table.parts().size(); part++) {
            String rows = "SELECT * FROM %s.default.%s_%s".formatted(CONNECTOR_NAME, source, part);
            statements.add(statements.isEmpty() ? "CREATE TABLE %s%s AS %s".formatted(name, properties, rows) : "INSERT INTO %s %s".formatted(name, rows));
        }
        for (String sql : statements) {
            setup.add(sql);
            queries.execute(session, sql);
        }
    }

    private int testQuery(Random random, RandomQuery query, String setup)
    {
        String expectedSql = query.on("memory.default.large", "memory.default.small");
        QueryPages expected;
        try {
            expected = queries.execute(expectedSession, expectedSql);
        }
        catch (RuntimeException e) {
            throw new AssertionError("A query that cannot run\n%s\n%s".formatted(setup, expectedSql), e);
        }
        Multiset<List<Object>> expectedRows = expected.rows(query.exact());
        for (int i = 0; i < SESSIONS; i++) {
            List<Option> sessionOptions = options.reading(random);
            String sql = query.on(albis("large_" + random.nextInt(COPIES)), random.nextInt(4) == 0 ? "memory.default.small" : albis("small"));
            String description = "%s\n%s\n%s".formatted(setup, sessionOptions.stream().map(Option::toSql).collect(joining("\n")), sql);
            QueryPages actual;
            try {
                actual = queries.execute(Option.apply(sessionOptions, baseSession), sql);
            }
            catch (RuntimeException e) {
                throw new AssertionError(description, e);
            }
            assertThat(actual.types()).as(description).isEqualTo(expected.types());
            assertSameRows(expectedRows, actual.rows(query.exact()), description);
        }
        return expectedRows.isEmpty() ? 0 : 1;
    }

    private static void assertSameRows(Multiset<List<Object>> expected, Multiset<List<Object>> actual, String description)
    {
        if (!actual.equals(expected)) {
            throw new AssertionError("%s\n%s rows instead of %s\nmissing: %s\nnot expected: %s".formatted(
                    description,
                    actual.size(),
                    expected.size(),
                    describe(Multisets.difference(expected, actual)),
                    describe(Multisets.difference(actual, expected))));
        }
    }

    private static String describe(Multiset<List<Object>> rows)
    {
        return "%s rows, such as %s".formatted(rows.size(), rows.stream().limit(5).map(QueryPages::describe).collect(joining("\n")));
    }
}
