package io.albis.trino.config;

import io.albis.trino.AlbisQueryRunner;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.QueryRunner;
import org.intellij.lang.annotations.Language;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.trino.spi.StandardErrorCode.PERMISSION_DENIED;
import static io.trino.testing.TestingNames.randomNameSuffix;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tables and schemas with a location that a user has chosen.
 */
final class TestAlbisLocations
        extends AbstractTestQueryFramework
{
    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return AlbisQueryRunner.builder()
                .addAlbisProperty("albis.allowed-locations", "local:///elsewhere")
                .setWorkerCount(0)
                .build();
    }

    @Test
    void testLocation()
    {
        String table = "test_location_" + randomNameSuffix();
        assertUpdate("CREATE TABLE " + table + " WITH (location = 'local:///elsewhere/" + table + "') AS SELECT 1 a", 1);
        assertThat((String) computeScalar("SHOW CREATE TABLE " + table)).contains("location = 'local:///elsewhere/" + table + "'");
        assertQuery("SELECT * FROM " + table, "VALUES 1");
        assertUpdate("ALTER TABLE " + table + " RENAME TO renamed_" + table);
        String created = (String) computeScalar("SHOW CREATE TABLE renamed_" + table);
        assertThat(created).contains("location = 'local:///elsewhere/" + table + "'");
        assertUpdate("DROP TABLE renamed_" + table);
        // Files left at the location do not prevent creating the table again
        assertUpdate(created);
        assertQueryReturnsEmptyResult("SELECT * FROM renamed_" + table);
        assertUpdate("DROP TABLE renamed_" + table);
    }

    @ParameterizedTest
    @ValueSource(strings = {"local:///other", "local:///elsewhere2", "local:///warehouse2"})
    void testLocationThatIsNotAllowed(String location)
    {
        assertLocationNotAllowed("CREATE TABLE not_allowed (a bigint) WITH (location = '%s/x')".formatted(location));
        assertLocationNotAllowed("CREATE TABLE not_allowed WITH (location = '%s/x') AS SELECT 1 a".formatted(location));
        assertLocationNotAllowed("CREATE SCHEMA not_allowed WITH (location = '%s/x')".formatted(location));
    }

    private void assertLocationNotAllowed(@Language("SQL") String statement)
    {
        assertTrinoExceptionThrownBy(() -> computeActual(statement))
                .hasErrorCode(PERMISSION_DENIED)
                .hasMessageContaining("is not allowed: it must be in one of the folders local:///warehouse, local:///elsewhere")
                .hasMessageContaining("albis.allowed-locations");
    }

    @Test
    void testLocationInWarehouse()
    {
        assertUpdate("CREATE TABLE inside (a bigint) WITH (location = 'local:///warehouse/inside')");
        assertUpdate("DROP TABLE inside");
    }

    @Test
    void testSchemaLocation()
    {
        String schema = "test_location_" + randomNameSuffix();
        assertUpdate("CREATE SCHEMA " + schema + " WITH (location = 'local:///elsewhere/" + schema + "')");
        assertThat((String) computeScalar("SHOW CREATE SCHEMA " + schema)).contains("location = 'local:///elsewhere/" + schema + "'");
        assertUpdate("CREATE TABLE " + schema + ".t AS SELECT 1 a", 1);
        assertQuery("SELECT * FROM " + schema + ".t", "VALUES 1");
        assertQueryFails("DROP SCHEMA " + schema, ".*Cannot drop non-empty schema '" + schema + "'");
        assertUpdate("DROP SCHEMA " + schema + " CASCADE");
        assertThat((String) computeScalar("SHOW CREATE SCHEMA tpch")).doesNotContain("location");
    }
}
