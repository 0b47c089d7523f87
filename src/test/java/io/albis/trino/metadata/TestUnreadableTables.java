package io.albis.trino.metadata;

import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.FailingFile;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.trino.error.AlbisErrorCode.ALBIS_FILESYSTEM_ERROR;
import static io.trino.spi.StandardErrorCode.TABLE_ALREADY_EXISTS;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The storage of one table in a schema fails while the other tables work. Its versions cannot be read.
 */
final class TestUnreadableTables
        extends AbstractTestQueryFramework
{
    private Path warehouse;

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        DistributedQueryRunner queryRunner = AlbisQueryRunner.builder()
                .setWorkerCount(0)
                .build();
        warehouse = AlbisQueryRunner.warehouse(queryRunner);
        return queryRunner;
    }

    @Test
    void testListings()
            throws IOException
    {
        createTables("listings");
        assertQuery("SELECT table_name FROM information_schema.tables WHERE table_schema = 'listings'", "VALUES 'first', 'broken', 'last'");
        assertQuery("SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'listings'", "VALUES ('first', 'n'), ('last', 'n')");
        assertQuery("SELECT table_name, column_name FROM system.jdbc.columns WHERE table_cat = 'albis' AND table_schem = 'listings'", "VALUES ('first', 'n'), ('last', 'n')");
        assertQuery("SELECT table_name FROM system.jdbc.tables WHERE table_cat = 'albis' AND table_schem = 'listings'", "VALUES 'first', 'broken', 'last'");
        assertQuery("SELECT table_name, comment FROM system.metadata.table_comments WHERE catalog_name = 'albis' AND schema_name = 'listings'", "VALUES ('first', NULL), ('last', NULL)");
        // The whole catalog
        assertQuery("SELECT count(*) FROM information_schema.columns WHERE table_name IN ('first', 'broken', 'last') AND table_schema <> 'dropping'", "VALUES 2");
    }

    @Test
    void testDrop()
            throws IOException
    {
        createTables("dropping");
        assertFails("TABLE dropping.broken");
        assertFails("INSERT INTO dropping.broken VALUES 2");
        assertFails("ALTER TABLE dropping.broken RENAME TO dropping.mended");
        assertFails("SHOW CREATE TABLE dropping.broken");
        assertFails("DESCRIBE dropping.broken");
        assertTrinoExceptionThrownBy(() -> computeActual("CREATE TABLE dropping.broken (n integer)")).hasErrorCode(TABLE_ALREADY_EXISTS);
        assertQueryReturnsEmptyResult("SELECT * FROM dropping.first WHERE n = 2");
        assertUpdate("DROP TABLE dropping.broken");
        assertQuery("SHOW TABLES FROM dropping", "VALUES 'first', 'last'");
        assertUpdate("CREATE TABLE dropping.broken AS SELECT 2 AS n", 1);
        assertQuery("TABLE dropping.broken", "VALUES 2");
        breakVersions("dropping", "broken");
        breakVersions("dropping", "first");
        assertUpdate("DROP SCHEMA dropping CASCADE");
        assertQueryReturnsEmptyResult("SHOW SCHEMAS LIKE 'dropping'");
    }

    private void createTables(String schema)
            throws IOException
    {
        FailingFile.assumeAvailable();
        assertUpdate("CREATE SCHEMA " + schema);
        for (String table : List.of("first", "broken", "last")) {
            assertUpdate("CREATE TABLE %s.%s AS SELECT 1 AS n".formatted(schema, table), 1);
        }
        breakVersions(schema, "broken");
    }

    private void breakVersions(String schema, String table)
            throws IOException
    {
        List<Path> versions;
        try (Stream<Path> paths = Files.walk(warehouse.resolve(schema))) {
            versions = paths
                    .filter(path -> path.toString().contains("/" + table + "-") && path.getParent().endsWith("versions") && path.toString().endsWith(".json"))
                    .collect(toImmutableList());
        }
        assertThat(versions).isNotEmpty();
        for (Path version : versions) {
            FailingFile.replace(version);
        }
    }

    private void assertFails(String sql)
    {
        assertTrinoExceptionThrownBy(() -> computeActual(sql)).as(sql)
                .hasErrorCode(ALBIS_FILESYSTEM_ERROR)
                .hasMessageContaining("Input/output error");
    }
}
