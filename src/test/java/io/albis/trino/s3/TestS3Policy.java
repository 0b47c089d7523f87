package io.albis.trino.s3;

import com.google.common.collect.ImmutableMap;
import io.albis.s3.S3Gate.Fault;
import io.albis.s3.S3Gate.Request;
import io.albis.s3.S3Policy;
import io.albis.s3.S3TestServer;
import io.albis.trino.AlbisConnectorFactory;
import io.albis.trino.AlbisQueryRunner;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static io.albis.s3.S3Gate.Operation.ABORT_MULTIPART;
import static io.albis.s3.S3Gate.Operation.DELETE;
import static io.albis.s3.S3Gate.Operation.MULTIPART;
import static io.albis.s3.S3Gate.Operation.PUT_IF_ABSENT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;
import static org.junit.jupiter.api.parallel.ExecutionMode.SAME_THREAD;

/**
 * Runs statements on an S3 server that refuses all requests that the policy in docs/security.md does not allow.
 */
@TestInstance(PER_CLASS)
@Execution(SAME_THREAD)
@Timeout(300)
@Tag("slow")
final class TestS3Policy
        extends AbstractTestQueryFramework
{
    private static final String PAGE = "docs/security.md";
    private static final Pattern POLICY = Pattern.compile("<!-- policy: s3 -->\n```json\n(?<json>(?s:.*?))```");

    private S3TestServer server;
    private S3Policy policy;

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        server = closeAfterClass(S3TestServer.start());
        policy = documentedPolicy();
        server.gate().setFaults(policy);
        return AlbisQueryRunner.builder()
                .addAlbisProperties(server.catalogProperties("albis"))
                .addAlbisProperty("s3.max-error-retries", "1")
                .addAlbisProperty("s3.streaming.part-size", "5MB")
                .addAlbisProperty("albis.register-table-procedure.enabled", "true")
                .addAlbisProperty("albis.expire-snapshots.min-retention", "0s")
                .addAlbisProperty("albis.remove-orphan-files.min-retention", "0s")
                .addAlbisProperty("albis.vacuum.min-retention", "0s")
                .setWorkerCount(0)
                .build();
    }

    private static S3Policy documentedPolicy()
            throws IOException
    {
        Matcher matcher = POLICY.matcher(Files.readString(Path.of(PAGE)));
        assertThat(matcher.find()).isTrue();
        return S3Policy.parse(matcher.group("json"));
    }

    /**
     * Tests that the policy allows every statement, and that statements need each of its actions.
     */
    @Test
    void testEveryActionIsNeeded()
    {
        server.gate().setFaults(policy);
        assertUpdate("CREATE SCHEMA s");
        assertUpdate("CREATE TABLE s.t WITH (row_group_rows = 20) AS TABLE tpch.tiny.nation", 25);
        assertUpdate("INSERT INTO s.t TABLE tpch.tiny.nation", 25);
        assertUpdate("DELETE FROM s.t WHERE nationkey = 3", 2);
        assertUpdate("UPDATE s.t SET name = 'x' WHERE nationkey = 4", 2);
        assertUpdate("MERGE INTO s.t USING tpch.tiny.region r ON t.nationkey = r.regionkey WHEN MATCHED THEN UPDATE SET comment = r.comment", 8);
        assertUpdate("ALTER TABLE s.t ADD COLUMN added bigint");
        assertQuery("SELECT count(*) FROM s.t FOR VERSION AS OF 1", "VALUES 25");
        assertThat(computeActual("SELECT * FROM s.\"t$snapshots\"").getRowCount()).isGreaterThan(3);
        assertUpdate("ALTER TABLE s.t EXECUTE add_index(columns => ARRAY['name'])");
        assertUpdate("ALTER TABLE s.t EXECUTE regroup(column_groups => ARRAY[ARRAY['name', 'nationkey']])");
        computeActual("ALTER TABLE s.t EXECUTE optimize");
        computeActual("ALTER TABLE s.t EXECUTE expire_snapshots(retention_threshold => '0s')");
        computeActual("ALTER TABLE s.t EXECUTE remove_orphan_files(retention_threshold => '0s')");
        assertUpdate("CREATE VIEW s.v AS SELECT nationkey FROM s.t");
        assertUpdate("CREATE MATERIALIZED VIEW s.m AS SELECT nationkey FROM s.t");
        assertUpdate("REFRESH MATERIALIZED VIEW s.m", 48);
        assertUpdate("ALTER TABLE s.t RENAME TO s.u");
        assertQuery("SELECT count(*) FROM s.u", "VALUES 48");
        assertQuery("SHOW TABLES FROM s", "VALUES 'm', 'u', 'v'");
        assertUpdate("CREATE OR REPLACE TABLE s.u AS TABLE tpch.tiny.region", 5);
        testPartsOfFiles();
        assertUpdate("DROP VIEW s.v");
        assertUpdate("DROP MATERIALIZED VIEW s.m");
        assertUpdate("DROP TABLE s.u");
        computeActual("CALL system.vacuum(retention_threshold => '0s')");
        assertQueryReturnsEmptyResult("SELECT * FROM TABLE(system.find_lost_tables())");
        assertUpdate("DROP SCHEMA s");

        assertThat(policy.refusedRequests()).isEmpty();
        assertThat(policy.usedActions()).isEqualTo(policy.actions());
    }

    /**
     * Writes a file in several parts, and fails to write another one.
     */
    private void testPartsOfFiles()
    {
        String load = "CREATE TABLE s.parts AS SELECT n, uuid() AS id FROM UNNEST(sequence(1, 1000)) AS a (m), UNNEST(sequence(1, 800)) AS b (n)";
        server.gate().takeRequests();
        assertUpdate(load, 800_000);
        assertThat(server.gate().takeRequests()).extracting(Request::operation).contains(MULTIPART).doesNotContain(ABORT_MULTIPART);
        assertUpdate("DROP TABLE s.parts");
        // The first of these requests starts the upload
        AtomicInteger parts = new AtomicInteger();
        server.gate().setFaults(request -> request.operation() == MULTIPART && parts.getAndIncrement() > 0 ? Fault.REFUSED : policy.apply(request));
        assertQueryFails(load, "(?s)Storage failed: .*");
        server.gate().setFaults(policy);
    }

    @Test
    void testReadOnly()
    {
        QueryRunner queryRunner = getQueryRunner();
        server.gate().setFaults(policy);
        assertUpdate("CREATE TABLE read AS TABLE tpch.tiny.nation", 25);
        S3Policy reading = policy.without("s3:PutObject", "s3:DeleteObject", "s3:AbortMultipartUpload");
        server.gate().setFaults(reading);
        queryRunner.createCatalog("reader", AlbisConnectorFactory.CONNECTOR_NAME, ImmutableMap.<String, String>builder()
                .putAll(server.catalogProperties("albis"))
                .put("s3.max-error-retries", "1")
                .put("albis.security", "read-only")
                .buildOrThrow());
        // The test of the storage, which only warns
        assertThat(reading.refusedRequests()).extracting(Request::operation).containsExactlyInAnyOrder(PUT_IF_ABSENT, DELETE);
        int refused = reading.refusedRequests().size();
        assertQuery("SELECT sum(nationkey) FROM reader.tpch.read", "VALUES 300");
        assertQuery("SELECT count(*) FROM reader.tpch.\"read$snapshots\"", "VALUES 1");
        assertThat(computeActual("SHOW TABLES FROM reader.tpch").getOnlyColumnAsSet()).contains("read");
        assertThat(reading.refusedRequests()).hasSize(refused);
        server.gate().setFaults(policy);
        assertUpdate("DROP TABLE read");
    }

    /**
     * Tests what happens without some of the rights.
     */
    @Test
    void testMissingRights()
    {
        server.gate().setFaults(policy);
        assertUpdate("CREATE TABLE missing AS TABLE tpch.tiny.nation", 25);
        assertUpdate("INSERT INTO missing TABLE tpch.tiny.nation", 25);

        server.gate().setFaults(policy.without("s3:ListBucket"));
        assertQueryFails("SELECT count(*) FROM missing", "(?s)Storage failed: .*");

        server.gate().setFaults(policy.without("s3:DeleteObject"));
        assertUpdate("INSERT INTO missing TABLE tpch.tiny.nation", 25);
        assertUpdate("DELETE FROM missing WHERE nationkey = 3", 3);
        computeActual("ALTER TABLE missing EXECUTE optimize");
        assertQueryFails("ALTER TABLE missing EXECUTE expire_snapshots(retention_threshold => '0s')", "(?s)Storage failed: .*");
        assertQuery("SELECT count(*) FROM missing", "VALUES 72");
        server.gate().setFaults(policy);
        assertUpdate("DROP TABLE missing");
        server.gate().setFaults(policy.without("s3:DeleteObject"));
        assertQueryFails("CALL system.vacuum(retention_threshold => '0s')", "(?s)Storage failed: .*");
        server.gate().setFaults(policy);
        assertUpdate("CALL system.vacuum(retention_threshold => '0s')");
    }
}
