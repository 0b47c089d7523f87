package io.albis.trino.hdfs;

import io.albis.hdfs.HdfsCluster;
import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.TpcdsComparison;
import io.trino.testing.DistributedQueryRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.stream.IntStream;

import static io.airlift.testing.Closeables.closeAll;
import static io.albis.trino.AlbisQueryRunner.CATALOG;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * The tables and queries of TPC-DS over {@code hdfs://}: the same as on the catalog that generates them, and so the same as
 * over {@code local://}.
 */
@TestInstance(PER_CLASS)
class TestHdfsTpcds
{
    private static final String SCHEMA = "tiny";

    private HdfsCluster cluster;
    private DistributedQueryRunner queryRunner;
    private TpcdsComparison comparison;

    @BeforeAll
    void setup()
            throws Exception
    {
        cluster = HdfsCluster.builder().start();
        AlbisQueryRunner.Builder builder = AlbisQueryRunner.builder();
        cluster.catalogProperties().forEach(builder::addAlbisProperty);
        queryRunner = builder
                // the server is on the machine of the DataNode, so its splits are bound to it
                .addAlbisProperty("albis.split-locality", "PREFER")
                .setWorkerCount(0)
                .build();
        comparison = new TpcdsComparison(queryRunner, CATALOG);
        TpcdsComparison.load(queryRunner, CATALOG, SCHEMA);
    }

    @AfterAll
    void close()
            throws Exception
    {
        closeAll(queryRunner, cluster);
    }

    @Test
    void testTables()
    {
        TpcdsComparison.tables(queryRunner).forEach(table -> comparison.assertSameTable(table, SCHEMA));
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 7, 18, 27, 39, 48, 55, 64, 72, 96})
    void testSomeQueries(int query)
    {
        comparison.assertSameRows(query, SCHEMA);
    }

    static IntStream queries()
    {
        return TpcdsComparison.queries();
    }

    @ParameterizedTest
    @MethodSource("queries")
    @Tag("slow")
    void testQuery(int query)
    {
        comparison.assertSameRows(query, SCHEMA);
    }

    @ParameterizedTest
    @ValueSource(ints = {12, 90})
    @Tag("slow")
    void testQueryThatDividesByZero(int query)
    {
        comparison.assertDividesByZero(query, SCHEMA);
    }
}
