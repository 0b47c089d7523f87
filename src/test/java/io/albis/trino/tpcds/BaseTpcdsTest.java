package io.albis.trino.tpcds;

import io.albis.trino.AlbisQueryRunner;
import io.trino.testing.DistributedQueryRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;

import static io.airlift.testing.Closeables.closeAll;
import static io.albis.trino.AlbisQueryRunner.CATALOG;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Runs a sixth of the queries of TPC-DS, different ones each time, on other storage or with another layout than
 * {@link TestAlbisTpcds}, which runs all queries. Tables and results equal those of the catalog that generates them.
 */
@Tag("slow")
@TestInstance(PER_CLASS)
public abstract class BaseTpcdsTest
{
    private static final String SCHEMA = "tiny";

    private AutoCloseable storage;
    private DistributedQueryRunner queryRunner;
    private TpcdsComparison comparison;

    protected abstract AutoCloseable startStorage()
            throws Exception;

    /**
     * Returns a builder that runs all servers in this process.
     */
    protected abstract AlbisQueryRunner.Builder queryRunnerBuilder();

    @BeforeAll
    void setup()
            throws Exception
    {
        storage = startStorage();
        queryRunner = queryRunnerBuilder().setWorkerCount(0).build();
        comparison = new TpcdsComparison(queryRunner, CATALOG);
    }

    @AfterAll
    void close()
            throws Exception
    {
        closeAll(queryRunner, storage);
    }

    protected DistributedQueryRunner queryRunner()
    {
        return queryRunner;
    }

    /**
     * Creates those of the tables that do not exist yet.
     */
    protected void load(Collection<String> tables)
    {
        comparison.load(SCHEMA, tables);
    }

    @Test
    void testTables()
    {
        List<String> tables = TpcdsComparison.tables(queryRunner);
        load(tables);
        tables.forEach(table -> comparison.assertSameTable(table, SCHEMA));
    }

    static IntStream queries()
    {
        return TpcdsComparison.someQueries(6).stream().mapToInt(Integer::intValue);
    }

    @ParameterizedTest
    @MethodSource("queries")
    void testQuery(int query)
    {
        load(TpcdsComparison.tables(query));
        comparison.assertSameRows(query, SCHEMA);
    }
}
