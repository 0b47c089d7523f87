package io.albis.trino.relation;

import com.google.common.collect.ImmutableMap;
import io.albis.trino.AlbisConnectorFactory;
import io.albis.trino.AlbisQueryRunner;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.Test;

import static io.trino.spi.StandardErrorCode.INVALID_TABLE_PROPERTY;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * ALTER TABLE SET PROPERTIES and CREATE TABLE LIKE.
 */
final class TestAlbisSetProperties
        extends AbstractTestQueryFramework
{
    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        DistributedQueryRunner queryRunner = AlbisQueryRunner.builder()
                .addAlbisProperty("albis.allowed-locations", "local:///elsewhere")
                .setWorkerCount(0)
                .build();
        queryRunner.createCatalog("compressing", AlbisConnectorFactory.CONNECTOR_NAME, ImmutableMap.<String, String>builder()
                .putAll(AlbisQueryRunner.catalogProperties(queryRunner.getCoordinator().getBaseDataDir().resolve("albis")))
                .put("albis.default-compression", "lz4")
                .buildOrThrow());
        return queryRunner;
    }

    @Test
    void testSetProperties()
    {
        assertUpdate("CREATE TABLE altered WITH (row_group_rows = 1000, segment_size = '16kB') AS SELECT orderkey, comment FROM tpch.tiny.orders", 15000);
        assertThat(computeScalar("SELECT count(*) FROM \"altered$files\"")).isEqualTo(15L);
        assertUpdate("ALTER TABLE altered SET PROPERTIES row_group_rows = 3000, compression = 'zstd', isolation_level = 'SNAPSHOT', segment_size = DEFAULT");
        assertThat((String) computeScalar("SHOW CREATE TABLE altered")).endsWith(
                """
                WITH (
                   compression = 'zstd',
                   isolation_level = 'SNAPSHOT',
                   row_group_rows = 3000
                )""");
        // It applies to the rows that are written from then on
        long before = (long) computeScalar("SELECT sum(file_size_in_bytes) FROM \"altered$files\"");
        assertUpdate("INSERT INTO altered SELECT orderkey, comment FROM tpch.tiny.orders", 15000);
        assertThat(computeScalar("SELECT count(*) FROM \"altered$files\"")).isEqualTo(20L);
        assertThat((long) computeScalar("SELECT sum(file_size_in_bytes) FROM \"altered$files\"")).isBetween(before + 1, before * 2 - before / 10);
        assertThat(query("SELECT orderkey, comment, count(*) FROM altered GROUP BY 1, 2 ORDER BY 1")).ordered().matches("SELECT orderkey, comment, BIGINT '2' FROM tpch.tiny.orders ORDER BY 1");

        assertUpdate("ALTER TABLE altered SET PROPERTIES row_group_rows = DEFAULT, compression = DEFAULT, isolation_level = DEFAULT, segment_size = DEFAULT");
        assertThat((String) computeScalar("SHOW CREATE TABLE altered")).doesNotContain("WITH (");
        assertThat(query("SELECT operation FROM \"altered$snapshots\" ORDER BY snapshot_id DESC LIMIT 1")).matches("VALUES VARCHAR 'alter'");
        // The old properties are part of an earlier version
        assertUpdate("ALTER TABLE altered EXECUTE rollback_to_snapshot(1)");
        assertThat((String) computeScalar("SHOW CREATE TABLE altered")).contains("segment_size = '16kB'");
        assertUpdate("DROP TABLE altered");
    }

    /**
     * The default is that of the catalog, as in CREATE TABLE.
     */
    @Test
    void testDefaultCompression()
    {
        assertUpdate("CREATE TABLE compressing.tpch.compressed (n bigint) WITH (compression = 'none')");
        assertUpdate("ALTER TABLE compressing.tpch.compressed SET PROPERTIES compression = DEFAULT");
        assertThat((String) computeScalar("SHOW CREATE TABLE compressing.tpch.compressed")).contains("compression = 'lz4'");
        assertUpdate("ALTER TABLE albis.tpch.compressed SET PROPERTIES compression = DEFAULT");
        assertThat((String) computeScalar("SHOW CREATE TABLE compressing.tpch.compressed")).doesNotContain("compression");
        assertUpdate("DROP TABLE compressed");
    }

    @Test
    void testPropertiesThatCannotChange()
    {
        assertUpdate("CREATE TABLE fixed (n bigint)");
        for (String property : new String[] {"layout = 'row'", "column_groups = ARRAY[ARRAY['n']]", "column_group_layouts = ARRAY['row']", "column_group_compressions = ARRAY['zstd']"}) {
            String name = property.substring(0, property.indexOf(" "));
            assertTrinoExceptionThrownBy(() -> computeActual("ALTER TABLE fixed SET PROPERTIES %s, row_group_rows = 10".formatted(property)))
                    .hasErrorCode(NOT_SUPPORTED)
                    .hasMessage("The following properties of a table cannot be changed: %s. The properties that can are: compression, indexed_by, isolation_level, partitioned_by, row_group_rows, row_group_size, segment_size, sorted_by. CREATE OR REPLACE TABLE replaces the columns, rows, and properties of a table".formatted(name));
        }
        assertTrinoExceptionThrownBy(() -> computeActual("ALTER TABLE fixed SET PROPERTIES location = 'local:///elsewhere', layout = 'row'"))
                .hasErrorCode(NOT_SUPPORTED)
                .hasMessage("The following properties of a table cannot be changed: layout, location. The properties that can are: compression, indexed_by, isolation_level, partitioned_by, row_group_rows, row_group_size, segment_size, sorted_by. A table stays in its folder");
        assertTrinoExceptionThrownBy(() -> computeActual("ALTER TABLE fixed SET PROPERTIES row_group_rows = 0")).hasErrorCode(INVALID_TABLE_PROPERTY);
        assertTrinoExceptionThrownBy(() -> computeActual("ALTER TABLE fixed SET PROPERTIES sorted_by = 'n'")).hasErrorCode(INVALID_TABLE_PROPERTY);
        assertThat((String) computeScalar("SHOW CREATE TABLE fixed")).doesNotContain("WITH (");
        assertUpdate("DROP TABLE fixed");
    }

    @Test
    void testCreateTableLike()
    {
        assertUpdate("CREATE TABLE original (a bigint NOT NULL COMMENT 'a number', b varchar DEFAULT 'none') COMMENT 'a table' WITH (column_groups = ARRAY[ARRAY['a'], ARRAY['b']], column_group_layouts = ARRAY['row', 'block'], row_group_rows = 100, location = 'local:///elsewhere/tables')");
        assertUpdate("CREATE TABLE alike (LIKE original)");
        assertThat((String) computeScalar("SHOW CREATE TABLE alike")).isEqualTo(
                """
                CREATE TABLE albis.tpch.alike (
                   a bigint NOT NULL COMMENT 'a number',
                   b varchar DEFAULT 'none'
                )""");
        assertUpdate("CREATE TABLE same (LIKE original INCLUDING PROPERTIES)");
        String properties = ((String) computeScalar("SHOW CREATE TABLE original")).replaceFirst("(?s).*WITH", "WITH");
        assertThat((String) computeScalar("SHOW CREATE TABLE same")).endsWith(properties);
        assertUpdate("INSERT INTO original VALUES (1, 'x')", 1);
        assertThat(computeActual("TABLE same").getRowCount()).isZero();
        assertUpdate("CREATE TABLE wider (c date, LIKE original INCLUDING PROPERTIES, d integer) WITH (row_group_rows = 200)");
        assertThat((String) computeScalar("SHOW CREATE TABLE wider")).contains("c date,\n   a bigint NOT NULL COMMENT 'a number',\n   b varchar DEFAULT 'none',\n   d integer", "row_group_rows = 200");
        assertUpdate("INSERT INTO wider VALUES (DATE '2026-11-23', 1, 'x', 2)", 1);
        assertUpdate("CREATE TABLE copied (LIKE tpch.tiny.nation)");
        assertUpdate("INSERT INTO copied SELECT * FROM tpch.tiny.nation", 25);
        for (String table : new String[] {"original", "alike", "same", "wider", "copied"}) {
            assertUpdate("DROP TABLE " + table);
        }
    }

    /**
     * The procedure forgets what was read, so that a query reads it again.
     */
    @Test
    void testFlushMetadataCache()
    {
        assertUpdate("CREATE TABLE flushed AS SELECT * FROM tpch.tiny.nation", 25);
        assertThat(query("TABLE flushed")).matches("TABLE tpch.tiny.nation");
        assertUpdate("CALL albis.system.flush_metadata_cache()");
        assertThat(query("TABLE flushed")).matches("TABLE tpch.tiny.nation");
        assertQueryFails("CALL albis.system.flush_metadata_cache('tpch')", ".*Too many arguments.*");
        assertUpdate("DROP TABLE flushed");
    }
}
