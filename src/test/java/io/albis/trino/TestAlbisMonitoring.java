package io.albis.trino;

import com.google.common.collect.ImmutableMap;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;

import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.testing.assertions.Assert.assertEventually;
import static java.util.concurrent.Executors.newFixedThreadPool;
import static java.util.stream.IntStream.range;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.SAME_THREAD;

/**
 * The monitoring that operators see: JMX beans and OpenTelemetry spans.
 */
// The beans count the work of all queries
@Execution(SAME_THREAD)
final class TestAlbisMonitoring
        extends AbstractTestQueryFramework
{
    // Beans belong to the process, so no other test may have this name
    private static final String CATALOG = "monitored";
    private static final String SCHEMA = CATALOG + ".seen";

    private final MBeanServer beans = ManagementFactory.getPlatformMBeanServer();

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        // If several nodes share a process, only one of them registers its beans
        DistributedQueryRunner queryRunner = AlbisQueryRunner.builder().setWorkerCount(0).build();
        queryRunner.createCatalog(CATALOG, "albis", ImmutableMap.<String, String>builder()
                .putAll(AlbisQueryRunner.catalogProperties(queryRunner.getCoordinator().getBaseDataDir().resolve(CATALOG)))
                .put("albis.segment-size", "64kB")
                .buildOrThrow());
        queryRunner.execute("CREATE SCHEMA " + SCHEMA);
        return queryRunner;
    }

    @Test
    void testCommits()
            throws Exception
    {
        long commits = commits();
        assertUpdate("CREATE TABLE " + SCHEMA + ".committed (a bigint)");
        assertUpdate("INSERT INTO " + SCHEMA + ".committed VALUES 1", 1);
        assertThat(commits()).isEqualTo(commits + 2);

        commits = commits();
        assertQueryFails("CREATE TABLE " + SCHEMA + ".committed AS SELECT 1 a", ".*already exists.*");
        assertThat(commits()).isEqualTo(commits);
    }

    @Test
    void testRetries()
            throws Exception
    {
        assertUpdate("CREATE TABLE " + SCHEMA + ".contended (a bigint)");
        long commits = commits();
        long retries = counter("CommitStats", "Retries");
        int writers = 4;
        int inserts = 0;
        try (ExecutorService executor = newFixedThreadPool(writers)) {
            // Inserts until two commits conflict
            while (counter("CommitStats", "Retries") == retries && inserts < 400) {
                List<Future<?>> results = range(0, writers)
                        .mapToObj(_ -> executor.submit(() -> assertUpdate("INSERT INTO " + SCHEMA + ".contended VALUES 1", 1)))
                        .collect(toImmutableList());
                for (Future<?> result : results) {
                    result.get();
                }
                inserts += writers;
            }
        }
        assertThat(counter("CommitStats", "Retries")).isGreaterThan(retries);
        assertThat(commits()).isEqualTo(commits + inserts);
        assertThat(counter("CommitStats", "Conflicts")).isZero();
        assertThat(counter("CommitStats", "UnknownOutcomes")).isZero();
    }

    @Test
    void testScans()
            throws Exception
    {
        long rowGroups = counter("WriteStats", "RowGroups");
        long bytesWritten = counter("WriteStats", "BytesWritten");
        assertUpdate("CREATE TABLE " + SCHEMA + ".scanned AS SELECT * FROM tpch.tiny.orders", 15_000);
        assertThat(counter("WriteStats", "RowGroups")).isGreaterThan(rowGroups);
        assertThat(counter("WriteStats", "BytesWritten")).isGreaterThan(bytesWritten);
        long rewrittenRowGroups = counter("WriteStats", "RewrittenRowGroups");
        long rewrittenBytes = counter("WriteStats", "RewrittenBytes");
        assertUpdate("UPDATE " + SCHEMA + ".scanned SET shippriority = 1", 15_000);
        assertThat(counter("WriteStats", "RewrittenRowGroups")).isGreaterThan(rewrittenRowGroups);
        assertThat(counter("WriteStats", "RewrittenBytes")).isGreaterThan(rewrittenBytes);

        long rows = counter("ScanStats", "Rows");
        long bytes = counter("ScanStats", "BytesRead");
        long reads = counter("ScanStats", "Reads");
        assertQuery("SELECT count(DISTINCT orderkey) FROM " + SCHEMA + ".scanned", "VALUES 15000");
        // a scan reports when its driver ends, which can be after the client has its result
        assertEventually(() -> assertThat(counter("ScanStats", "Rows")).isGreaterThanOrEqualTo(rows + 15_000));
        assertThat(counter("ScanStats", "BytesRead")).isGreaterThan(bytes);
        assertThat(counter("ScanStats", "Reads")).isGreaterThan(reads);

        long rowsSkipped = counter("ScanStats", "RowsSkipped");
        long segments = counter("ScanStats", "Segments");
        long skipped = counter("ScanStats", "SegmentsSkipped");
        assertQuery("SELECT count(comment) FROM " + SCHEMA + ".scanned WHERE orderkey = 7", "VALUES 1");
        assertThat(counter("ScanStats", "Segments")).isGreaterThan(segments);
        assertThat(counter("ScanStats", "SegmentsSkipped")).isGreaterThan(skipped);
        assertThat(counter("ScanStats", "RowsSkipped")).isGreaterThan(rowsSkipped);
    }

    @Test
    void testMetadataCache()
            throws Exception
    {
        assertUpdate("CREATE TABLE " + SCHEMA + ".cached AS SELECT * FROM tpch.tiny.nation", 25);
        assertQuery("SELECT count(DISTINCT name) FROM " + SCHEMA + ".cached", "VALUES 25");
        double hitRate = (double) attribute("MetadataCache", "Stats.HitRate");
        for (int i = 0; i < 10; i++) {
            assertQuery("SELECT count(DISTINCT name) FROM " + SCHEMA + ".cached", "VALUES 25");
        }
        assertThat((double) attribute("MetadataCache", "Stats.HitRate")).isGreaterThan(hitRate);
    }

    @Test
    void testManifestCache()
            throws Exception
    {
        assertUpdate("CREATE TABLE " + SCHEMA + ".listed AS SELECT * FROM tpch.tiny.nation", 25);
        assertQuery("SELECT count(DISTINCT name) FROM " + SCHEMA + ".listed", "VALUES 25");
        long loads = (long) attribute("ManifestCache", "Stats.LoadCount");
        long requests = (long) attribute("ManifestCache", "Stats.RequestCount");
        for (int i = 0; i < 10; i++) {
            assertQuery("SELECT count(DISTINCT name) FROM " + SCHEMA + ".listed", "VALUES 25");
        }
        assertThat((long) attribute("ManifestCache", "Stats.LoadCount")).isEqualTo(loads);
        assertThat((long) attribute("ManifestCache", "Stats.RequestCount")).isGreaterThanOrEqualTo(requests + 10);
        assertThat((long) attribute("ManifestCache", "RetainedBytes")).isPositive();
    }

    @Test
    void testSpans()
    {
        assertUpdate("CREATE TABLE " + SCHEMA + ".traced AS SELECT * FROM tpch.tiny.nation", 25);
        // The spans are those of the last query
        assertThat(files("Output")).anyMatch(file -> file.endsWith("/data"));
        assertQuery("SELECT count(DISTINCT name) FROM " + SCHEMA + ".traced", "VALUES 25");
        assertThat(files("Input.readFully")).anyMatch(file -> file.endsWith("/data"));
    }

    private List<String> files(String operation)
    {
        AttributeKey<String> location = AttributeKey.stringKey("trino.file.location");
        return getDistributedQueryRunner().getSpans().stream()
                .filter(span -> span.getName().startsWith(operation))
                .map(SpanData::getAttributes)
                .map(attributes -> attributes.get(location))
                .collect(toImmutableList());
    }

    private long commits()
            throws Exception
    {
        // The snapshot of a distribution may be up to 100 ms old
        Thread.sleep(150);
        return (long) (double) attribute("CommitStats", "Commits.AllTime.Count");
    }

    private long counter(String bean, String name)
            throws JMException
    {
        return (long) attribute(bean, name + ".TotalCount");
    }

    private Object attribute(String bean, String name)
            throws JMException
    {
        return beans.getAttribute(new ObjectName("albis.trino:type=%s,name=%s".formatted(bean, CATALOG)), name);
    }
}
