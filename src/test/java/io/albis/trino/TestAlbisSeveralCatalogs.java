package io.albis.trino;

import com.google.common.collect.ImmutableList;
import io.trino.plugin.base.security.AllowAllSystemAccessControl;
import io.trino.spi.connector.CatalogSchemaTableName;
import io.trino.spi.security.SystemSecurityContext;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.QueryRunner;
import io.trino.testing.sql.TestTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.SAME_THREAD;

/**
 * Two catalogs of a server have the same warehouse. A statement that reads a table through one of them and changes it
 * through the other one conflicts with the same changes as if it used one catalog.
 */
@Execution(SAME_THREAD)
final class TestAlbisSeveralCatalogs
        extends AbstractTestQueryFramework
{
    private static final String OTHER = "other";

    private final AtomicReference<String> concurrent = new AtomicReference<>();

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        DistributedQueryRunner queryRunner = AlbisQueryRunner.builder()
                .setSystemAccessControl(new AllowAllSystemAccessControl()
                {
                    @Override
                    public void checkCanSelectFromColumns(SystemSecurityContext context, CatalogSchemaTableName table, Optional<String> branch, Set<String> columns)
                    {
                        // the engine checks the columns after it has loaded all tables
                        String statement = concurrent.getAndSet(null);
                        if (statement != null) {
                            computeActual(statement);
                        }
                    }
                })
                .build();
        queryRunner.createCatalog(OTHER, AlbisConnectorFactory.CONNECTOR_NAME, AlbisQueryRunner.catalogProperties(queryRunner.getCoordinator().getBaseDataDir().resolve("albis")));
        return queryRunner;
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "CREATE OR REPLACE TABLE other.tpch.%1$s AS SELECT id + 1 id FROM albis.tpch.%1$s",
            "INSERT INTO other.tpch.%1$s SELECT max(id + 0) + 1 FROM albis.tpch.%1$s",
            // the metadata has the answer
            "INSERT INTO other.tpch.%1$s SELECT max(id) FROM albis.tpch.%1$s",
            "DELETE FROM other.tpch.%1$s WHERE id NOT IN (SELECT min(id + 0) FROM albis.tpch.%1$s)",
            "UPDATE other.tpch.%1$s SET id = (SELECT count(id + 0) FROM albis.tpch.%1$s)",
            "MERGE INTO other.tpch.%1$s t USING albis.tpch.%1$s s ON t.id = s.id + 1 WHEN MATCHED THEN DELETE",
            // the same with one catalog
            "INSERT INTO other.tpch.%1$s SELECT max(id + 0) + 1 FROM other.tpch.%1$s",
    })
    void testConflicts(String statement)
    {
        for (String change : ImmutableList.of("INSERT INTO albis.tpch.%s VALUES 7", "DELETE FROM albis.tpch.%s WHERE id + 0 = 1")) {
            try (TestTable table = newTrinoTable("several_catalogs", "AS SELECT id FROM (VALUES 1, 2, 3) t (id)")) {
                String name = table.getName();
                concurrent.set(change.formatted(name));
                assertQueryFails(statement.formatted(name), ".*(Another transaction|Others|Other transactions).*");
                assertThat(concurrent.get()).isNull();
                assertQuery("SELECT * FROM " + name, change.startsWith("INSERT") ? "VALUES 1, 2, 3, 7" : "VALUES 2, 3");
                // nothing happens in the meantime
                computeActual(statement.formatted(name));
                assertThat(computeScalar("SELECT max(snapshot_id) FROM \"%s$snapshots\"".formatted(name))).isEqualTo(3L);
            }
        }
    }

    @Test
    void testReadByView()
    {
        try (TestTable table = newTrinoTable("read_by_view", "AS SELECT 1 id")) {
            String name = table.getName();
            assertUpdate("CREATE VIEW %1$s_view AS SELECT id + 1 id FROM albis.tpch.%1$s".formatted(name));
            concurrent.set("INSERT INTO %s VALUES 7".formatted(name));
            assertQueryFails("INSERT INTO other.tpch.%1$s SELECT id FROM other.tpch.%1$s_view".formatted(name), ".*Another transaction.*");
            assertQuery("SELECT * FROM " + name, "VALUES 1, 7");
            assertUpdate("DROP VIEW %s_view".formatted(name));
        }
    }

    @Test
    void testStatementsWithoutConflict()
    {
        try (TestTable table = newTrinoTable("no_conflict", "AS SELECT 1 id");
                TestTable second = newTrinoTable("second", "AS SELECT 1 id")) {
            String name = table.getName();
            // the statement reads another table, or a version that does not change
            concurrent.set("INSERT INTO %s VALUES 7".formatted(name));
            assertUpdate("INSERT INTO other.tpch.%s SELECT id FROM albis.tpch.%s".formatted(name, second.getName()), 1);
            concurrent.set("INSERT INTO %s VALUES 7".formatted(name));
            assertUpdate("INSERT INTO other.tpch.%1$s SELECT id FROM albis.tpch.%1$s FOR VERSION AS OF 1".formatted(name), 1);
            assertThat(concurrent.get()).isNull();
            assertQuery("SELECT * FROM " + name, "VALUES 1, 1, 1, 7, 7");
        }
    }
}
