package io.albis.trino;

import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.QueryRunner;
import io.trino.testing.sql.TestTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

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

    static List<Arguments> numbers()
    {
        return List.of(
                values("boolean", "true", "false"),
                values("tinyint", "TINYINT '-128'", "TINYINT '0'", "TINYINT '127'"),
                values("smallint", "SMALLINT '-32768'", "SMALLINT '0'", "SMALLINT '32767'"),
                values("integer", "-2147483648", "0", "2147483647"),
                values("bigint", "BIGINT '-9223372036854775808'", "BIGINT '0'", "BIGINT '9223372036854775807'"),
                values("real", "REAL '-3.4028235e38'", "REAL '1.4e-45'", "REAL '0'", "CAST(infinity() AS real)", "CAST(-infinity() AS real)"),
                values("double", "DOUBLE '-1.7976931348623157e308'", "DOUBLE '4.9e-324'", "DOUBLE '0'", "infinity()", "-infinity()"),
                values("decimal(1,0)", "DECIMAL '-9'", "DECIMAL '0'", "DECIMAL '9'"),
                values("decimal(18,9)", "DECIMAL '-999999999.999999999'", "DECIMAL '000000000.000000001'"),
                values("decimal(38,0)", "DECIMAL '-99999999999999999999999999999999999999'", "CAST(0 AS decimal(38,0))", "DECIMAL '99999999999999999999999999999999999999'"),
                values("decimal(38,38)", "DECIMAL '0.00000000000000000000000000000000000001'", "DECIMAL '-0.99999999999999999999999999999999999999'"));
    }

    @ParameterizedTest
    @MethodSource("numbers")
    void testNumbers(String type, List<String> values)
    {
        assertRoundTrip(type, values);
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
    void testDates()
    {
        assertRoundTrip("date", List.of("DATE '-9999-01-01'", "DATE '1970-01-01'", "DATE '9999-12-31'"));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 6, 7, 9, 12})
    void testTimes(int precision)
    {
        assertRoundTrip("time(%s)".formatted(precision), List.of("TIME '00:00:00%s'".formatted(fraction(precision)), "TIME '23:59:59%s'".formatted(nines(precision))));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 6, 7, 9, 12})
    void testTimesWithTimeZone(int precision)
    {
        assertRoundTrip("time(%s) with time zone".formatted(precision), List.of("TIME '00:00:00%s +14:00'".formatted(fraction(precision)), "TIME '23:59:59%s -14:00'".formatted(nines(precision))));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 6, 7, 9, 12})
    void testTimestamps(int precision)
    {
        assertRoundTrip("timestamp(%s)".formatted(precision), List.of(
                "TIMESTAMP '1969-12-31 23:59:59%s'".formatted(nines(precision)),
                "TIMESTAMP '2020-02-29 12:34:56%s'".formatted(fraction(precision)),
                "TIMESTAMP '-4711-01-01 00:00:00%s'".formatted(fraction(precision))));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 6, 7, 9, 12})
    void testTimestampsWithTimeZone(int precision)
    {
        assertRoundTrip("timestamp(%s) with time zone".formatted(precision), List.of(
                "TIMESTAMP '1969-12-31 23:59:59%s America/Bahia_Banderas'".formatted(nines(precision)),
                "TIMESTAMP '2020-02-29 12:34:56%s +05:30'".formatted(fraction(precision))));
    }

    private static String fraction(int precision)
    {
        return precision == 0 ? "" : "." + "123456789012".substring(0, precision);
    }

    private static String nines(int precision)
    {
        return precision == 0 ? "" : "." + "9".repeat(precision);
    }

    static List<Arguments> stringsAndBytes()
    {
        return List.of(
                values("varchar", "VARCHAR ''", "VARCHAR 'x'", "VARCHAR U&'\\+01F600 \\0000'", "CAST(rpad('', 1000000, 'long') AS varchar)"),
                values("varchar(3)", "CAST('' AS varchar(3))", "CAST('abc' AS varchar(3))", "CAST('ab ' AS varchar(3))"),
                values("char(3)", "CAST('' AS char(3))", "CAST('abc' AS char(3))", "CAST('ab ' AS char(3))"),
                values("varbinary", "X''", "X'00'", "X'ff00ff'"));
    }

    @ParameterizedTest
    @MethodSource("stringsAndBytes")
    void testStringsAndBytes(String type, List<String> values)
    {
        assertRoundTrip(type, values);
    }

    static List<Arguments> others()
    {
        return List.of(
                values("uuid", "UUID '00000000-0000-0000-0000-000000000000'", "UUID 'ffffffff-ffff-ffff-ffff-ffffffffffff'", "UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59'"),
                values("ipaddress", "IPADDRESS '10.0.0.1'", "IPADDRESS '2001:db8::1'"));
    }

    @ParameterizedTest
    @MethodSource("others")
    void testOthers(String type, List<String> values)
    {
        assertRoundTrip(type, values);
    }

    @Test
    void testJson()
    {
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

    private static Arguments values(String type, String... values)
    {
        return Arguments.of(type, List.of(values));
    }

    private void assertRoundTrip(String type, List<String> values)
    {
        String rows = "(0, CAST(NULL AS " + type + "))";
        for (int i = 0; i < values.size(); i++) {
            rows += ", (%s, %s)".formatted(i + 1, values.get(i));
        }
        String expected = "SELECT id, CAST(value AS " + type + ") FROM (VALUES " + rows + ") AS t (id, value)";
        try (TestTable table = newTrinoTable("test_types", "AS SELECT id, CAST(value AS " + type + ") value FROM (VALUES " + rows + ") AS t (id, value)")) {
            assertThat(query("TABLE " + table.getName())).as(type).matches(expected);
            for (int i = 0; i < values.size(); i++) {
                assertThat(query("SELECT id FROM " + table.getName() + " WHERE value = " + values.get(i))).as(values.get(i)).matches("VALUES " + (i + 1));
            }
            assertThat(query("SELECT id FROM " + table.getName() + " WHERE value IS NULL")).matches("VALUES 0");
        }
        try (TestTable table = newTrinoTable("test_types", "(id integer, value " + type + ")")) {
            assertUpdate("INSERT INTO " + table.getName() + " " + expected, values.size() + 1);
            assertThat(query("TABLE " + table.getName())).as(type).matches(expected);
        }
    }
}
