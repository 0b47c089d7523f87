package io.albis.trino.hdfs;

import com.google.common.collect.ImmutableMap;
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
import static io.albis.trino.TpcdsComparison.GENERATOR;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * The tables and queries of TPC-DS: the same over HDFS as on the local file system.
 */
@TestInstance(PER_CLASS)
class TestHdfsTpcds
{
    private static final String LOCAL = "local_albis";
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
                .setWorkerCount(0)
                .build();
        queryRunner.createCatalog(LOCAL, "albis", ImmutableMap.copyOf(AlbisQueryRunner.catalogProperties(queryRunner.getCoordinator().getBaseDataDir().resolve("local"))));
        comparison = new TpcdsComparison(queryRunner, CATALOG, LOCAL);
        TpcdsComparison.load(queryRunner, CATALOG, SCHEMA);
        TpcdsComparison.load(queryRunner, LOCAL, SCHEMA);
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
        TpcdsComparison withGenerator = new TpcdsComparison(queryRunner, CATALOG, GENERATOR);
        TpcdsComparison.tables(queryRunner).forEach(table -> withGenerator.assertSameTable(table, SCHEMA));
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
