package io.albis.trino;

import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.QueryRunner;
import io.trino.testing.sql.TestTable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests every type through SQL: CREATE TABLE AS, INSERT, and reads that filter by value.
 */
final class TestAlbisTypes
        extends AbstractTestQueryFramework
{
    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return AlbisQueryRunner.builder().setWorkerCount(0).build();
    }

    @Test
    void testNumbers()
    {
        assertRoundTrip("boolean", "true", "false");
        assertRoundTrip("tinyint", "TINYINT '-128'", "TINYINT '0'", "TINYINT '127'");
        assertRoundTrip("smallint", "SMALLINT '-32768'", "SMALLINT '0'", "SMALLINT '32767'");
        assertRoundTrip("integer", "-2147483648", "0", "2147483647");
        assertRoundTrip("bigint", "BIGINT '-9223372036854775808'", "BIGINT '0'", "BIGINT '9223372036854775807'");
        assertRoundTrip("real", "REAL '-3.4028235e38'", "REAL '1.4e-45'", "REAL '0'", "CAST(infinity() AS real)", "CAST(-infinity() AS real)");
        assertRoundTrip("double", "DOUBLE '-1.7976931348623157e308'", "DOUBLE '4.9e-324'", "DOUBLE '0'", "infinity()", "-infinity()");
        assertRoundTrip("decimal(1,0)", "DECIMAL '-9'", "DECIMAL '0'", "DECIMAL '9'");
        assertRoundTrip("decimal(18,9)", "DECIMAL '-999999999.999999999'", "DECIMAL '000000000.000000001'");
        assertRoundTrip("decimal(38,0)", "DECIMAL '-99999999999999999999999999999999999999'", "CAST(0 AS decimal(38,0))", "DECIMAL '99999999999999999999999999999999999999'");
        assertRoundTrip("decimal(38,38)", "DECIMAL '0.00000000000000000000000000000000000001'", "DECIMAL '-0.99999999999999999999999999999999999999'");
    }

    @Test
    void testFloatingPointCorners()
    {
        try (TestTable table = newTrinoTable("test_floats", "AS SELECT * FROM (VALUES (1, nan(), CAST(nan() AS real)), (2, DOUBLE '-0.0', REAL '-0.0'), (3, NULL, NULL)) AS t (id, d, r)")) {
            assertQuery("SELECT id FROM " + table.getName() + " WHERE is_nan(d) AND is_nan(r)", "VALUES 1");
            assertQuery("SELECT id FROM " + table.getName() + " WHERE d = 0e0 AND r = REAL '0'", "VALUES 2");
            assertThat(query("SELECT CAST(d AS varchar), CAST(r AS varchar) FROM " + table.getName() + " WHERE id = 2")).matches("VALUES (VARCHAR '-0E0', VARCHAR '-0E0')");
        }
    }

    @Test
    void testDatesAndTimes()
    {
        assertRoundTrip("date", "DATE '-9999-01-01'", "DATE '1970-01-01'", "DATE '9999-12-31'");
        for (int precision : new int[] {0, 3, 6, 7, 9, 12}) {
            String fraction = precision == 0 ? "" : "." + "123456789012".substring(0, precision);
            String nines = precision == 0 ? "" : "." + "9".repeat(precision);
            assertRoundTrip("time(" + precision + ")", "TIME '00:00:00" + fraction + "'", "TIME '23:59:59" + nines + "'");
            assertRoundTrip("time(" + precision + ") with time zone", "TIME '00:00:00" + fraction + " +14:00'", "TIME '23:59:59" + nines + " -14:00'");
            assertRoundTrip("timestamp(" + precision + ")", "TIMESTAMP '1969-12-31 23:59:59" + nines + "'", "TIMESTAMP '2020-02-29 12:34:56" + fraction + "'", "TIMESTAMP '-4711-01-01 00:00:00" + fraction + "'");
            assertRoundTrip("timestamp(" + precision + ") with time zone", "TIMESTAMP '1969-12-31 23:59:59" + nines + " America/Bahia_Banderas'", "TIMESTAMP '2020-02-29 12:34:56" + fraction + " +05:30'");
        }
    }

    @Test
    void testStringsAndBytes()
    {
        assertRoundTrip("varchar", "VARCHAR ''", "VARCHAR 'x'", "VARCHAR U&'\\+01F600 \\0000'", "CAST(rpad('', 1000000, 'long') AS varchar)");
        assertRoundTrip("varchar(3)", "CAST('' AS varchar(3))", "CAST('abc' AS varchar(3))", "CAST('ab ' AS varchar(3))");
        assertRoundTrip("char(3)", "CAST('' AS char(3))", "CAST('abc' AS char(3))", "CAST('ab ' AS char(3))");
        assertRoundTrip("varbinary", "X''", "X'00'", "X'ff00ff'");
    }

    @Test
    void testOthers()
    {
        assertRoundTrip("uuid", "UUID '00000000-0000-0000-0000-000000000000'", "UUID 'ffffffff-ffff-ffff-ffff-ffffffffffff'", "UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59'");
        assertRoundTrip("ipaddress", "IPADDRESS '10.0.0.1'", "IPADDRESS '2001:db8::1'");
        try (TestTable table = newTrinoTable("test_json", "AS SELECT JSON '{\"a\":[1,2,null]}' value UNION ALL SELECT NULL")) {
            assertThat(query("TABLE " + table.getName())).matches("SELECT JSON '{\"a\":[1,2,null]}' UNION ALL SELECT NULL");
        }
    }

    @Test
    void testAllNullAndNone()
    {
        try (TestTable table = newTrinoTable("test_nulls", "AS SELECT CAST(NULL AS bigint) a, CAST(NULL AS varchar) b FROM tpch.tiny.orders")) {
            assertQuery("SELECT count(*), count(a), count(b) FROM " + table.getName(), "VALUES (15000, 0, 0)");
            assertQuery("SELECT count(*) FROM " + table.getName() + " WHERE a IS NULL AND b IS NULL", "VALUES 15000");
            assertQuery("SELECT count(*) FROM " + table.getName() + " WHERE a = 1 OR b = 'x'", "VALUES 0");
        }
        try (TestTable table = newTrinoTable("test_empty", "AS SELECT * FROM tpch.tiny.orders WHERE false")) {
            assertThat(query("TABLE " + table.getName())).returnsEmptyResult();
            assertUpdate("INSERT INTO " + table.getName() + " SELECT * FROM tpch.tiny.orders WHERE false", 0);
            assertQuery("SELECT count(*) FROM " + table.getName(), "VALUES 0");
        }
    }

    private void assertRoundTrip(String type, String... values)
    {
        String rows = "(0, CAST(NULL AS " + type + "))";
        for (int i = 0; i < values.length; i++) {
            rows += ", (%s, %s)".formatted(i + 1, values[i]);
        }
        String expected = "SELECT id, CAST(value AS " + type + ") FROM (VALUES " + rows + ") AS t (id, value)";
        try (TestTable table = newTrinoTable("test_types", "AS SELECT id, CAST(value AS " + type + ") value FROM (VALUES " + rows + ") AS t (id, value)")) {
            assertThat(query("TABLE " + table.getName())).as(type).matches(expected);
            for (int i = 0; i < values.length; i++) {
                assertThat(query("SELECT id FROM " + table.getName() + " WHERE value = " + values[i])).as(values[i]).matches("VALUES " + (i + 1));
            }
            assertThat(query("SELECT id FROM " + table.getName() + " WHERE value IS NULL")).matches("VALUES 0");
        }
        try (TestTable table = newTrinoTable("test_types", "(id integer, value " + type + ")")) {
            assertUpdate("INSERT INTO " + table.getName() + " " + expected, values.length + 1);
            assertThat(query("TABLE " + table.getName())).as(type).matches(expected);
        }
    }
}
