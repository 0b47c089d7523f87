package io.albis.trino;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.hdfs.HdfsCluster;
import io.albis.s3.S3TestServer;
import io.trino.Session;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.Map;

import static io.trino.testing.TestingSession.testSessionBuilder;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tables lose and get names, and are freed, on HDFS and on S3.
 */
@Timeout(600)
@Tag("slow")
final class TestRemoteVacuum
        extends AbstractTestQueryFramework
{
    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        HdfsCluster cluster = closeAfterClass(HdfsCluster.builder().start());
        S3TestServer server = closeAfterClass(S3TestServer.start());
        DistributedQueryRunner queryRunner = AlbisQueryRunner.builder()
                .setInitialTables(ImmutableList.of())
                .setWorkerCount(0)
                .build();
        for (Map.Entry<String, Map<String, String>> catalog : ImmutableMap.of("hdfs", cluster.catalogProperties(), "s3", server.catalogProperties("warehouse")).entrySet()) {
            queryRunner.createCatalog(catalog.getKey(), AlbisConnectorFactory.CONNECTOR_NAME, ImmutableMap.<String, String>builder()
                    .putAll(catalog.getValue())
                    .put("albis.register-table-procedure.enabled", "true")
                    .put("albis.vacuum.min-retention", "0s")
                    .buildKeepingLast());
        }
        return queryRunner;
    }

    @Test
    void testHdfs()
    {
        test("hdfs");
    }

    @Test
    void testS3()
    {
        test("s3");
    }

    private void test(String catalog)
    {
        Session session = testSessionBuilder()
                .setCatalog(catalog)
                .setSchema("s")
                .build();
        assertUpdate(session, "CREATE SCHEMA s");
        assertUpdate(session, "CREATE TABLE t AS SELECT * FROM tpch.tiny.nation", 25);
        assertUpdate(session, "DELETE FROM t WHERE nationkey = 3", 1);
        assertUpdate(session, "INSERT INTO t SELECT * FROM tpch.tiny.nation WHERE nationkey = 4", 1);
        String location = ((String) computeScalar(session, "SELECT \"$path\" FROM t LIMIT 1")).replaceFirst("/[0-9a-f]{2}/rg-.*", "");

        assertUpdate(session, "CALL system.unregister_table('s', 't')");
        assertUpdate(session, "CALL system.vacuum('0s')");
        assertThat(computeScalar(session, "SELECT location || state FROM TABLE(system.find_lost_tables())")).isEqualTo(location + "unregistered");
        assertUpdate(session, "CALL system.register_table('s', 'u', '%s')".formatted(location));
        assertThat(computeScalar(session, "SELECT count(*) FROM u")).isEqualTo(25L);
        assertQueryReturnsEmptyResult(session, "SELECT * FROM TABLE(system.find_lost_tables())");

        assertUpdate(session, "CREATE TABLE kept AS SELECT * FROM tpch.tiny.nation", 25);
        assertUpdate(session, "DROP TABLE u");
        assertThat(computeScalar(session, "SELECT table_name || reason FROM TABLE(system.vacuum_candidates('0s')) WHERE location = '%s'".formatted(location))).isEqualTo("udropped table");
        assertUpdate(session, "CALL system.vacuum('0s', true)");
        assertThat(computeScalar(session, "SELECT count(*) FROM TABLE(system.vacuum_candidates('0s'))")).isEqualTo(1L);
        assertUpdate(session, "CALL system.vacuum('0s')");
        // The function lists the files that remain
        assertQueryReturnsEmptyResult(session, "SELECT * FROM TABLE(system.vacuum_candidates('0s'))");
        assertQueryReturnsEmptyResult(session, "SELECT * FROM TABLE(system.find_lost_tables())");
        assertThat(computeScalar(session, "SELECT count(*) FROM kept")).isEqualTo(25L);
        assertUpdate(session, "CREATE TABLE u (a bigint)");
        assertUpdate(session, "DROP TABLE u");
        assertUpdate(session, "DROP TABLE kept");
        assertUpdate(session, "DROP SCHEMA s");
    }
}
