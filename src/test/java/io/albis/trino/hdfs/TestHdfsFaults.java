package io.albis.trino.hdfs;

import com.google.common.collect.ConcurrentHashMultiset;
import com.google.common.collect.HashMultiset;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Multiset;
import com.google.common.collect.Multisets;
import io.albis.hdfs.HdfsCluster;
import io.albis.hdfs.HdfsProcess;
import io.albis.trino.AlbisQueryRunner;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.MaterializedRow;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

import static io.airlift.testing.Closeables.closeAll;
import static io.albis.trino.error.AlbisErrorCode.ALBIS_COMMIT_ERROR;
import static io.albis.trino.error.AlbisErrorCode.ALBIS_FILESYSTEM_ERROR;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertThatTrinoException;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static org.apache.hadoop.hdfs.protocol.HdfsConstants.QUOTA_DONT_SET;
import static org.apache.hadoop.hdfs.protocol.HdfsConstants.QUOTA_RESET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * HDFS fails during queries. Each query either returns the correct result or reports the location of the failure.
 * Tables keep their old state or get their new one, and the next query succeeds.
 */
@TestInstance(PER_CLASS)
@Timeout(7200)
@Tag("slow")
class TestHdfsFaults
{
    // Slow enough for a test to cause a failure during a query
    private static final String BYTES_PER_SECOND = "700000";
    private static final String SCAN = "SELECT count(*), checksum(orderkey), checksum(comment), checksum(shipdate) FROM albis.tpch.lineitem";
    private static final String DATA_FILE = "[0-9a-f]{2}/rg-[0-9a-f-]+/cg-[0-9a-f-]+/(meta)?data";
    private static final int MOST_FILES_OF_AN_INSERT = 20;

    private HdfsCluster cluster;
    private DistributedQueryRunner queryRunner;
    private DistributedFileSystem administrator;
    private List<MaterializedRow> expectedRows;

    @BeforeAll
    void setup()
            throws Exception
    {
        cluster = HdfsCluster.builder()
                .setDataNodes(2)
                .setReplication(2)
                .addServerProperty("dfs.datanode.data.read.bandwidthPerSec", BYTES_PER_SECOND)
                // Retries last until a DataNode is back: each wait is longer than the previous one
                .addClientProperty("dfs.client.max.block.acquire.failures", "100")
                .addClientProperty("dfs.client.retry.window.base", "20")
                .start();
        queryRunner = AlbisQueryRunner.builder()
                .addAlbisProperties(cluster.catalogProperties())
                .addAlbisProperty("albis.row-group-rows", "4000")
                .addAlbisProperty("albis.allowed-locations", cluster.uri() + "/space," + cluster.uri() + "/names")
                .setWorkerCount(0)
                .build();
        // Hadoop treats this address as another file system, which may have its own client
        queryRunner.createCatalog("impatient", "albis", ImmutableMap.<String, String>builder()
                .putAll(cluster.catalogProperties())
                .put("albis.warehouse", cluster.uri().replace("127.0.0.1", "localhost") + "/warehouse")
                .put("hive.config.resources", cluster.writeClientResources(ImmutableMap.of("dfs.client.retry.window.base", "10")).toString())
                .buildKeepingLast());
        administrator = new DistributedFileSystem();
        administrator.initialize(URI.create(cluster.uri()), new Configuration());
        queryRunner.execute("CREATE TABLE albis.tpch.lineitem AS SELECT * FROM tpch.tiny.lineitem");
        expectedRows = queryRunner.execute(SCAN.replace("albis.tpch", "tpch.tiny")).getMaterializedRows();
    }

    @AfterAll
    void close()
            throws Exception
    {
        closeAll(administrator, queryRunner, cluster);
    }

    @Test
    void testOneDataNodeIsKilledDuringScan()
            throws Exception
    {
        Runnable kill = () -> cluster.dataNode(0).kill();
        try (RunningQuery scan = strike(SCAN, () -> {}, () -> isReading(cluster.dataNode(0)), kill)) {
            // The other DataNode also has all blocks
            assertThat(scan.rows()).isEqualTo(expectedRows);
        }
        finally {
            repair();
        }
        assertThat(queryRunner.execute(SCAN).getMaterializedRows()).isEqualTo(expectedRows);
    }

    @Test
    void testDataNodesAreKilledAndStartedDuringScan()
            throws Exception
    {
        try (RunningQuery scan = strike(SCAN, () -> {}, () -> cluster.dataNodes().stream().anyMatch(TestHdfsFaults::isReading), this::killDataNodes)) {
            // A client that does not wait reports the file that it could not read
            assertTrinoExceptionThrownBy(() -> queryRunner.execute(SCAN.replace("albis.tpch", "impatient.tpch")))
                    .hasErrorCode(ALBIS_FILESYSTEM_ERROR)
                    .hasMessageMatching("Storage failed: .*hdfs://localhost:.*/tpch/.*lineitem.*Could not obtain block.*");
            repair();
            assertThat(scan.rows()).isEqualTo(expectedRows);
        }
        finally {
            repair();
        }
        assertThat(queryRunner.execute(SCAN.replace("albis.tpch", "impatient.tpch")).getMaterializedRows()).isEqualTo(expectedRows);
    }

    @Test
    void testDataNodesAreKilledDuringWrite()
            throws Exception
    {
        Runnable prepare = () -> {
            queryRunner.execute("DROP TABLE IF EXISTS albis.tpch.interrupted");
            queryRunner.execute("CREATE TABLE albis.tpch.interrupted AS SELECT * FROM tpch.tiny.lineitem WITH NO DATA");
        };
        String sql = "INSERT INTO albis.tpch.interrupted SELECT * FROM tpch.tiny.lineitem";
        setDataNodeProperty("dfs.datanode.data.write.bandwidthPerSec", "300000");
        try (RunningQuery insert = strike(sql, prepare, () -> isWriting(cluster.dataNode(0)), this::killDataNodes)) {
            assertTrinoExceptionThrownBy(insert::rows)
                    .hasErrorCode(ALBIS_FILESYSTEM_ERROR)
                    .hasMessageMatching("Storage failed: .*" + cluster.uri() + "/.*/interrupted-.*" + DATA_FILE + ".*");
        }
        finally {
            setDataNodeProperty("dfs.datanode.data.write.bandwidthPerSec", "0");
        }
        assertThat(queryRunner.execute("SELECT count(*) FROM albis.tpch.interrupted").getOnlyValue()).isEqualTo(0L);
        queryRunner.execute(sql);
        assertThat(queryRunner.execute(SCAN.replace("lineitem", "interrupted")).getMaterializedRows()).isEqualTo(expectedRows);
    }

    @Test
    void testDisksAreFull()
    {
        queryRunner.execute("CREATE TABLE albis.tpch.full_disks (id bigint)");
        queryRunner.execute("INSERT INTO albis.tpch.full_disks VALUES 1");
        // More than the capacity of any disk: all space is reserved for other uses
        setDataNodeProperty("dfs.datanode.du.reserved", String.valueOf(1L << 60));
        try {
            assertTrinoExceptionThrownBy(() -> queryRunner.execute("INSERT INTO albis.tpch.full_disks VALUES 2"))
                    .hasErrorCode(ALBIS_FILESYSTEM_ERROR)
                    .hasMessageMatching("Storage failed: .*" + cluster.uri() + "/.*/full_disks-.*" + DATA_FILE + ".*could only be written to 0 of the 1 minReplication nodes.*");
            assertTrinoExceptionThrownBy(() -> queryRunner.execute("CREATE TABLE albis.tpch.other AS SELECT 1 id"))
                    .hasErrorCode(ALBIS_FILESYSTEM_ERROR);
            assertThat(queryRunner.execute("SELECT id FROM albis.tpch.full_disks").getOnlyColumnAsSet()).containsExactly(1L);
        }
        finally {
            setDataNodeProperty("dfs.datanode.du.reserved", "0");
        }
        queryRunner.execute("INSERT INTO albis.tpch.full_disks VALUES 3");
        assertThat(queryRunner.execute("SELECT id FROM albis.tpch.full_disks").getOnlyColumnAsSet()).containsExactlyInAnyOrder(1L, 3L);
        queryRunner.execute("CREATE TABLE albis.tpch.other AS SELECT 1 id");
    }

    @Test
    void testSpaceQuota()
            throws IOException
    {
        Path folder = new Path("/space");
        queryRunner.execute("CREATE TABLE albis.tpch.space (id bigint) WITH (location = '%s/space')".formatted(cluster.uri()));
        queryRunner.execute("INSERT INTO albis.tpch.space VALUES 1");
        // HDFS charges a full block to the quota while the block is being written
        administrator.setQuota(folder, QUOTA_DONT_SET, administrator.getContentSummary(folder).getSpaceConsumed() + 1);
        assertTrinoExceptionThrownBy(() -> queryRunner.execute("INSERT INTO albis.tpch.space VALUES 2"))
                .hasErrorCode(ALBIS_FILESYSTEM_ERROR)
                .hasMessageMatching("Storage failed: .*" + cluster.uri() + "/space/space-[^/]*/" + DATA_FILE + ".*DiskSpace quota of /space is exceeded.*");
        assertThat(queryRunner.execute("SELECT id FROM albis.tpch.space").getOnlyColumnAsSet()).containsExactly(1L);
        administrator.setQuota(folder, QUOTA_DONT_SET, QUOTA_RESET);
        queryRunner.execute("INSERT INTO albis.tpch.space VALUES 3");
        assertThat(queryRunner.execute("SELECT id FROM albis.tpch.space").getOnlyColumnAsSet()).containsExactlyInAnyOrder(1L, 3L);
    }

    /**
     * The quota allows the INSERT no file, then one, then two, and so on, until it allows as many as the INSERT needs.
     */
    @Test
    void testEachFileIsOneTooMany()
            throws IOException
    {
        Path folder = new Path("/names");
        queryRunner.execute("CREATE TABLE albis.tpch.names (id bigint) WITH (location = '%s/names')".formatted(cluster.uri()));
        long rows = 0;
        int failures = 0;
        for (int allowed = 0; rows == 0; allowed++) {
            assertThat(allowed).isLessThan(MOST_FILES_OF_AN_INSERT);
            administrator.setQuota(folder, administrator.getQuotaUsage(folder).getFileAndDirectoryCount() + allowed, QUOTA_DONT_SET);
            try {
                queryRunner.execute("INSERT INTO albis.tpch.names VALUES 1");
                rows++;
            }
            catch (RuntimeException e) {
                failures++;
                assertTrinoExceptionThrownBy(() -> {
                    throw e;
                })
                        .hasErrorCode(ALBIS_FILESYSTEM_ERROR)
                        .hasMessageMatching("Storage failed: .*" + cluster.uri() + "/names/.*The NameSpace quota .* of directory /names is exceeded.*");
            }
            assertThat(queryRunner.execute("SELECT count(*) FROM albis.tpch.names").getOnlyValue()).isEqualTo(rows);
        }
        // Two folders, data, metadata, manifest, and version
        assertThat(failures).isGreaterThanOrEqualTo(6);
        administrator.setQuota(folder, QUOTA_RESET, QUOTA_DONT_SET);
        queryRunner.execute("INSERT INTO albis.tpch.names VALUES 1");
        assertThat(queryRunner.execute("SELECT count(*) FROM albis.tpch.names").getOnlyValue()).isEqualTo(2L);
    }

    /**
     * Two sessions insert rows while the NameNode is killed and restarted.
     */
    @Test
    void testNameNodeIsKilledAndStartedDuringInserts()
            throws Exception
    {
        int writers = 2;
        queryRunner.execute("CREATE TABLE albis.tpch.inserted (id bigint)");
        Multiset<Long> committed = ConcurrentHashMultiset.create();
        Multiset<Long> unknown = ConcurrentHashMultiset.create();
        AtomicBoolean stop = new AtomicBoolean();
        AtomicLong nextId = new AtomicLong();
        try (ExecutorService executor = Executors.newFixedThreadPool(writers)) {
            List<Future<?>> results = new ArrayList<>();
            for (int writer = 0; writer < writers; writer++) {
                results.add(executor.submit(() -> {
                    while (!stop.get()) {
                        long id = nextId.incrementAndGet();
                        try {
                            queryRunner.execute("INSERT INTO albis.tpch.inserted VALUES %s".formatted(id));
                            committed.add(id);
                        }
                        catch (RuntimeException e) {
                            assertThatTrinoException(e).hasErrorCode(ALBIS_FILESYSTEM_ERROR, ALBIS_COMMIT_ERROR);
                            if (catchThrowable(() -> assertThatTrinoException(e).hasErrorCode(ALBIS_COMMIT_ERROR)) == null) {
                                unknown.add(id);
                            }
                        }
                    }
                }));
            }
            try {
                await(() -> committed.size() >= 4 || results.stream().anyMatch(Future::isDone));
                cluster.nameNode().restart();
                cluster.awaitReady();
                int before = committed.size();
                await(() -> committed.size() >= before + 4 || results.stream().anyMatch(Future::isDone));
            }
            finally {
                stop.set(true);
            }
            for (Future<?> result : results) {
                result.get();
            }
        }
        Multiset<Long> found = HashMultiset.create();
        queryRunner.execute("SELECT id FROM albis.tpch.inserted").getOnlyColumn()
                .map(Long.class::cast)
                .forEach(found::add);
        // Each acknowledged row is there exactly once, and all other rows belong to inserts with an unknown outcome
        assertThat(found.elementSet()).containsAll(committed);
        assertThat(Multisets.difference(found, committed)).isSubsetOf(unknown);
    }

    /**
     * Runs a query and causes a failure in the middle of it. Starts over if the query finishes first.
     */
    private RunningQuery strike(String sql, Runnable prepare, BooleanSupplier middle, Runnable strike)
            throws InterruptedException
    {
        while (true) {
            prepare.run();
            RunningQuery query = new RunningQuery(queryRunner, sql);
            await(() -> middle.getAsBoolean() || !query.isRunning());
            strike.run();
            if (query.isRunning()) {
                return query;
            }
            query.close();
            repair();
        }
    }

    private void killDataNodes()
    {
        cluster.dataNodes().forEach(HdfsProcess::kill);
    }

    private static boolean isReading(HdfsProcess dataNode)
    {
        return !dataNode.state().get("transfers").equals("0");
    }

    private static boolean isWriting(HdfsProcess dataNode)
    {
        // The replicas that are being written
        try (Stream<java.nio.file.Path> files = Files.walk(java.nio.file.Path.of(dataNode.property("dfs.datanode.data.dir")))) {
            return files.anyMatch(file -> file.getParent().endsWith("rbw") && file.toFile().length() > 100_000);
        }
        catch (IOException | UncheckedIOException e) {
            // A file was moved in the meantime
            return false;
        }
    }

    private void setDataNodeProperty(String name, String value)
    {
        cluster.dataNodes().forEach(dataNode -> dataNode.setProperty(name, value));
        killDataNodes();
        repair();
    }

    /**
     * Restarts the killed processes.
     */
    private void repair()
    {
        cluster.dataNodes().parallelStream()
                .filter(dataNode -> !dataNode.isRunning())
                .forEach(HdfsProcess::start);
        cluster.awaitReady();
    }

    private static void await(BooleanSupplier condition)
            throws InterruptedException
    {
        while (!condition.getAsBoolean()) {
            Thread.sleep(5);
        }
    }
}
