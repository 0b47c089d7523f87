package io.albis.trino.answer;

import com.google.common.collect.ImmutableMap;
import io.albis.filesystem.CountingFileSystem;
import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.SortedLoad;
import io.albis.trino.StoragePlugin;
import io.trino.Session;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystemFactory;
import io.trino.filesystem.local.LocalFileSystem;
import io.trino.plugin.tpch.TpchPlugin;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryRunner;
import io.trino.testing.sql.TestTable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.io.MoreFiles.deleteRecursively;
import static com.google.common.io.RecursiveDeleteOption.ALLOW_INSECURE;
import static io.albis.trino.AlbisQueryRunner.CATALOG;
import static io.albis.trino.AlbisQueryRunner.SCHEMA;
import static io.albis.trino.config.AlbisSessionProperties.AGGREGATION_PUSHDOWN_ENABLED;
import static io.albis.trino.config.AlbisSessionProperties.INDEX_ENABLED;
import static io.trino.testing.TestingNames.randomNameSuffix;
import static io.trino.testing.TestingSession.testSessionBuilder;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;
import static org.junit.jupiter.api.parallel.ExecutionMode.SAME_THREAD;

/**
 * Compares queries with those of a session in which the metadata answers nothing and no index is searched, and counts
 * what they read of row groups.
 */
@TestInstance(PER_CLASS)
@Execution(SAME_THREAD)
abstract class BaseAnswersTest
        extends AbstractTestQueryFramework
{
    private final RowGroupReads reads = new RowGroupReads();
    private Path folder;

    private static final class RowGroupReads
            extends CountingFileSystem.Counter
    {
        private final AtomicLong count = new AtomicLong();

        @Override
        protected void read(Location location)
        {
            if (location.path().contains("/rg-")) {
                count.incrementAndGet();
            }
        }
    }

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        folder = Files.createTempDirectory("albis-answers");
        Map<String, String> properties = AlbisQueryRunner.catalogProperties(folder);
        TrinoFileSystemFactory counting = _ -> new CountingFileSystem(new LocalFileSystem(folder), reads);
        DistributedQueryRunner queryRunner = configure(DistributedQueryRunner.builder(testSessionBuilder().setCatalog(CATALOG).setSchema(SCHEMA).build()))
                .setWorkerCount(0)
                .build();
        queryRunner.installPlugin(new TpchPlugin());
        queryRunner.createCatalog("tpch", "tpch", ImmutableMap.of());
        queryRunner.installPlugin(new StoragePlugin(counting));
        // each scan reads the files again
        queryRunner.createCatalog(CATALOG, "albis", ImmutableMap.<String, String>builder()
                .putAll(properties)
                .put("albis.metadata-cache.max-size", "0B")
                .buildOrThrow());
        queryRunner.execute("CREATE SCHEMA " + SCHEMA);
        return queryRunner;
    }

    DistributedQueryRunner.Builder<?> configure(DistributedQueryRunner.Builder<?> builder)
    {
        return builder;
    }

    @AfterAll
    final void deleteFiles()
            throws IOException
    {
        deleteRecursively(folder, ALLOW_INSECURE);
    }

    final TestTable newTable(String columns)
    {
        return newTrinoTable("answers", columns);
    }

    /**
     * Creates a table of 100 rows: a key from 1 to 100, its tens as a day, and a text that is null in every tenth row.
     * Each of the ten row groups has the rows of one day.
     */
    final String sortedTable()
    {
        String name = "answers_" + randomNameSuffix();
        computeActual(
                SortedLoad.session(getSession()),
                """
                CREATE TABLE %s WITH (row_group_rows = 10) AS
                SELECT k, date_add('day', (k - 1) / 10, DATE '2026-01-01') d, IF(k %% 10 = 0, NULL, CAST(k AS varchar)) s
                FROM UNNEST(sequence(1, 100)) t (k)
                ORDER BY k
                """.formatted(name));
        assertThat(computeScalar("SELECT count(*) FROM \"%s$files\"".formatted(name))).isEqualTo(10L);
        return name;
    }

    final Session scanning()
    {
        return Session.builder(getSession())
                .setCatalogSessionProperty(CATALOG, AGGREGATION_PUSHDOWN_ENABLED, "false")
                .setCatalogSessionProperty(CATALOG, INDEX_ENABLED, "false")
                .build();
    }

    /**
     * Returns the number of reads of files of row groups during a query.
     */
    final long readsOf(String query)
    {
        long before = reads.count.get();
        computeActual(query);
        return reads.count.get() - before;
    }

    /**
     * Returns whether the metadata answers a query, after comparing its result with that of a scan.
     */
    final boolean isAnswered(String query)
    {
        List<List<Object>> expected = values(scanning(), query);
        long before = reads.count.get();
        List<List<Object>> actual = values(getSession(), query);
        long count = reads.count.get() - before;
        // groups have no order
        assertThat(actual).as(query).containsExactlyInAnyOrderElementsOf(expected);
        boolean answered = ((String) computeScalar("EXPLAIN " + query)).contains("answered from metadata");
        if (answered) {
            assertThat(count).as("reads of %s", query).isEqualTo(0);
        }
        return answered;
    }

    final void assertAnswered(String query)
    {
        assertThat(isAnswered(query)).as("the metadata answers %s", query).isTrue();
    }

    final void assertNotAnswered(String query)
    {
        assertThat(isAnswered(query)).as("the metadata answers %s", query).isFalse();
    }

    private List<List<Object>> values(Session session, String query)
    {
        return computeActual(session, query).getMaterializedRows().stream()
                .map(BaseAnswersTest::values)
                .collect(toImmutableList());
    }

    private static List<Object> values(MaterializedRow row)
    {
        // which of 0.0 and -0.0 is the result depends on the order of the rows, which a scan does not have
        return row.getFields().stream()
                .map(value -> switch (value) {
                    case Double number when number == 0 -> 0.0;
                    case Float number when number == 0 -> 0.0f;
                    case null -> "NULL";
                    case byte[] bytes -> HexFormat.of().formatHex(bytes);
                    default -> value;
                })
                .collect(toImmutableList());
    }
}
