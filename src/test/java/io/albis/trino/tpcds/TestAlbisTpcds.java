package io.albis.trino.tpcds;

import io.albis.trino.AlbisQueryRunner;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Set;
import java.util.stream.IntStream;

import static io.albis.trino.AlbisQueryRunner.CATALOG;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * The tables and queries of TPC-DS have the same rows on Albis as on the catalog that generates them.
 */
@TestInstance(PER_CLASS)
final class TestAlbisTpcds
{
    // Each run of the ordinary tier takes other queries
    private static final Set<Integer> SOME_QUERIES = TpcdsComparison.someQueries(6);

    private QueryRunner queryRunner;
    private TpcdsComparison comparison;

    @BeforeAll
    void setup()
            throws Exception
    {
        queryRunner = AlbisQueryRunner.builder()
                .setWorkerCount(0)
                .build();
        comparison = new TpcdsComparison(queryRunner, CATALOG);
        comparison.load("tiny", TpcdsComparison.tables(queryRunner));
    }

    @AfterAll
    void close()
    {
        queryRunner.close();
    }

    @Test
    @Tag("slow")
    void testTables()
    {
        TpcdsComparison.tables(queryRunner).forEach(table -> comparison.assertSameTable(table, "tiny"));
    }

    static IntStream someQueries()
    {
        return SOME_QUERIES.stream().mapToInt(Integer::intValue);
    }

    @ParameterizedTest
    @MethodSource("someQueries")
    void testSomeQueries(int query)
    {
        comparison.assertSameRows(query, "tiny");
    }

    static IntStream otherQueries()
    {
        return TpcdsComparison.queries().filter(query -> query != TpcdsComparison.LONGEST_QUERY && !SOME_QUERIES.contains(query));
    }

    @ParameterizedTest
    @MethodSource("otherQueries")
    @Tag("slow")
    void testOtherQueries(int query)
    {
        comparison.assertSameRows(query, "tiny");
    }

    @Test
    @Tag("slow")
    void testLongestQuery()
    {
        comparison.assertSameRows(TpcdsComparison.LONGEST_QUERY, "tiny");
    }

    @ParameterizedTest
    @ValueSource(ints = {12, 90})
    void testQueryThatDividesByZero(int query)
    {
        comparison.assertDividesByZero(query, "tiny");
    }
}
