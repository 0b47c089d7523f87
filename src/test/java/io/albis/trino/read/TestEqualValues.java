package io.albis.trino.read;

import io.albis.trino.AlbisQueryRunner;
import io.trino.Session;
import io.trino.SystemSessionProperties;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.Test;

import java.util.List;

import static io.trino.testing.TestingNames.randomNameSuffix;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Rows keep their values where the engine combines pages, although others are equal.
 */
final class TestEqualValues
        extends AbstractTestQueryFramework
{
    private static final int ROWS = 10_000;
    private static final String VALUES = "id, d, r, date_format(z, '%H') || timezone(z) z, CAST(t AS varchar) t, n, json_format(CAST(s AS json)) s, array_join(map_keys(m), ',') m, to_hex(to_ieee754_32(q)) q";

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return AlbisQueryRunner.builder().build();
    }

    @Test
    void testExchange()
    {
        String table = createTable();
        assertValues(partitionedJoins(), "SELECT %s FROM (SELECT * FROM %s) LEFT JOIN (SELECT DISTINCT id j FROM %s WHERE id > 10) ON id = j".formatted(VALUES, table, table));
        assertUpdate("DROP TABLE " + table);
    }

    @Test
    void testElements()
    {
        String table = createTable();
        String query = "SELECT id, e FROM (SELECT id, e FROM %s CROSS JOIN UNNEST(a) u (e)) LEFT JOIN (SELECT DISTINCT id j FROM %s WHERE id > 10) ON id = j".formatted(table, table);
        assertThat(computeActual(partitionedJoins(), query)).hasSize(ROWS).allSatisfy(row -> assertThat(row.getField(1)).isEqualTo((long) row.getField(0) / 100 % 2 == 1 ? 0.0 : -0.0));
        assertUpdate("DROP TABLE " + table);
    }

    @Test
    void testCopy()
    {
        String table = createTable();
        String copy = "copy" + randomNameSuffix();
        assertUpdate(partitionedJoins(), "CREATE TABLE %s AS SELECT t.* FROM %s t LEFT JOIN (SELECT DISTINCT id j FROM %s WHERE id > 10) ON id = j".formatted(copy, table, table), ROWS);
        assertValues(getSession(), "SELECT %s FROM %s".formatted(VALUES, copy));
        assertUpdate("DROP TABLE " + table);
        assertUpdate("DROP TABLE " + copy);
    }

    private Session partitionedJoins()
    {
        return Session.builder(getSession())
                .setSystemProperty(SystemSessionProperties.JOIN_DISTRIBUTION_TYPE, "PARTITIONED")
                .build();
    }

    /**
     * The values of a row group are the same, and equal those of the next row group.
     */
    private String createTable()
    {
        String table = "constants" + randomNameSuffix();
        assertUpdate(
                """
                CREATE TABLE %s WITH (row_group_rows = 100) AS
                SELECT
                    id,
                    IF(odd, 0e0, -0e0) d,
                    IF(odd, REAL '0', REAL '-0') r,
                    IF(odd, TIMESTAMP '2020-01-01 12:00:00 UTC', TIMESTAMP '2020-01-01 17:30:00 Asia/Kolkata') z,
                    IF(odd, TIME '12:00:00+00:00', TIME '17:30:00+05:30') t,
                    IF(odd, 1e0, 2e0) n,
                    CAST(ROW(true, IF(odd, 0e0, -0e0)) AS row(b boolean, d double)) s,
                    ARRAY[IF(odd, 0e0, -0e0)] a,
                    IF(odd, MAP(ARRAY['a', 'b'], ARRAY[1, 2]), MAP(ARRAY['b', 'a'], ARRAY[2, 1])) m,
                    IF(odd, from_ieee754_32(X'7FC00000'), from_ieee754_32(X'FFC00001')) q
                FROM (SELECT id, id / 100 %% 2 = 1 odd FROM UNNEST(sequence(0, %s)) t (id))
                """.formatted(table, ROWS - 1),
                ROWS);
        return table;
    }

    private void assertValues(Session session, String query)
    {
        int rows = 0;
        for (MaterializedRow row : computeActual(session, query)) {
            assertThat(row.getFields()).isEqualTo((long) row.getField(0) / 100 % 2 == 1
                    ? List.of(row.getField(0), 0.0, 0.0f, "12UTC", "12:00:00+00:00", 1.0, "{\"b\":true,\"d\":0.0}", "a,b", "7FC00000")
                    : List.of(row.getField(0), -0.0, -0.0f, "17Asia/Kolkata", "17:30:00+05:30", 2.0, "{\"b\":true,\"d\":-0.0}", "b,a", "FFC00001"));
            rows++;
        }
        assertThat(rows).isEqualTo(ROWS);
    }
}
