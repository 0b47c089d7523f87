package io.albis.trino.view;

import io.albis.trino.AlbisQueryRunner;
import io.trino.Session;
import io.trino.spi.security.Identity;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.Test;

import java.util.List;

import static io.trino.spi.type.TimeZoneKey.getTimeZoneKey;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a refresh of a materialized view depends on besides the rows of tables: views, other materialized views, the
 * time, and the session. A change of any of them makes the rows stale, and the next refresh writes all rows again.
 */
final class TestAlbisRefreshSources
        extends AbstractTestQueryFramework
{
    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return AlbisQueryRunner.builder()
                .setWorkerCount(0)
                .build();
    }

    @Test
    void testReplacedView()
    {
        assertUpdate("CREATE SCHEMA replaced");
        assertUpdate("CREATE TABLE replaced.t AS SELECT * FROM (VALUES 1, 2, 20) x (n)", 3);
        assertUpdate("CREATE VIEW replaced.v AS SELECT n FROM replaced.t WHERE n > 0");
        assertUpdate("CREATE VIEW replaced.w AS SELECT n FROM replaced.v");
        assertUpdate("CREATE MATERIALIZED VIEW replaced.m GRACE PERIOD INTERVAL '0' SECOND AS SELECT n FROM replaced.w");
        assertUpdate("REFRESH MATERIALIZED VIEW replaced.m", 3);
        assertFreshness("replaced.m", "FRESH");
        assertUpdate("INSERT INTO replaced.t VALUES 21", 1);
        assertUpdate("REFRESH MATERIALIZED VIEW replaced.m", 1);

        // These statements do not change the query
        assertUpdate("COMMENT ON VIEW replaced.v IS 'numbers'");
        assertUpdate("COMMENT ON COLUMN replaced.v.n IS 'a number'");
        assertUpdate("CREATE OR REPLACE VIEW replaced.w AS SELECT n FROM replaced.v");
        assertFreshness("replaced.m", "FRESH");

        assertUpdate("CREATE OR REPLACE VIEW replaced.v AS SELECT n FROM replaced.t WHERE n > 10");
        assertFreshness("replaced.m", "STALE");
        assertThat(query("TABLE replaced.m")).matches("VALUES 20, 21");
        assertUpdate("INSERT INTO replaced.t VALUES 30", 1);
        assertUpdate("REFRESH MATERIALIZED VIEW replaced.m", 3);
        assertFreshness("replaced.m", "FRESH");
        assertThat(query("TABLE replaced.\"m$storage\"")).matches("VALUES 20, 21, 30");
        assertUpdate("INSERT INTO replaced.t VALUES 5, 40", 2);
        assertUpdate("REFRESH MATERIALIZED VIEW replaced.m", 1);

        assertUpdate("ALTER VIEW replaced.v SET AUTHORIZATION bob");
        assertFreshness("replaced.m", "STALE");
        assertUpdate("REFRESH MATERIALIZED VIEW replaced.m", 4);
        assertUpdate("ALTER VIEW replaced.v RENAME TO replaced.renamed");
        assertFreshness("replaced.m", "STALE");
        assertUpdate("DROP SCHEMA replaced CASCADE");
    }

    /**
     * The query of a stale materialized view runs instead of its rows being read, as that of a view does.
     */
    @Test
    void testReplacedMaterializedView()
    {
        assertUpdate("CREATE SCHEMA inlined");
        assertUpdate("CREATE TABLE inlined.t AS SELECT * FROM (VALUES 1, 2, 20) x (n)", 3);
        assertUpdate("CREATE MATERIALIZED VIEW inlined.a GRACE PERIOD INTERVAL '0' SECOND AS SELECT n FROM inlined.t WHERE n > 0");
        assertUpdate("CREATE MATERIALIZED VIEW inlined.b GRACE PERIOD INTERVAL '0' SECOND AS SELECT n FROM inlined.a");
        assertUpdate("REFRESH MATERIALIZED VIEW inlined.b", 3);
        assertFreshness("inlined.b", "FRESH");
        assertUpdate("INSERT INTO inlined.t VALUES 21", 1);
        assertUpdate("REFRESH MATERIALIZED VIEW inlined.b", 1);
        // The rows of a are those of its query already
        assertUpdate("REFRESH MATERIALIZED VIEW inlined.a", 4);
        assertFreshness("inlined.b", "FRESH");
        assertUpdate("CREATE OR REPLACE MATERIALIZED VIEW inlined.a GRACE PERIOD INTERVAL '0' SECOND AS SELECT n FROM inlined.t WHERE n > 10");
        assertFreshness("inlined.b", "STALE");
        assertThat(query("TABLE inlined.b")).matches("VALUES 20, 21");
        assertUpdate("REFRESH MATERIALIZED VIEW inlined.b", 2);
        assertThat(query("TABLE inlined.\"b$storage\"")).matches("VALUES 20, 21");
        assertUpdate("DROP SCHEMA inlined CASCADE");
    }

    @Test
    void testCurrentTimeAndUser()
    {
        assertUpdate("CREATE SCHEMA timed");
        assertUpdate("CREATE TABLE timed.sales AS SELECT 1 AS n, current_date AS sold, 'alice' AS seller", 1);
        assertUpdate("CREATE VIEW timed.recent AS SELECT * FROM timed.sales WHERE sold >= current_date - INTERVAL '7' DAY");
        assertUpdate("CREATE VIEW timed.nested AS SELECT * FROM timed.recent");
        List<String> queries = List.of(
                "SELECT n FROM timed.recent",
                "SELECT n FROM timed.nested",
                "SELECT n FROM timed.sales WHERE sold >= (SELECT current_date - INTERVAL '7' DAY)",
                "SELECT n FROM timed.sales WHERE sold >= CAST(now() AS date) - INTERVAL '7' DAY",
                "SELECT n FROM timed.sales WHERE seller <> current_user",
                "SELECT n FROM timed.sales WHERE localtimestamp > TIMESTAMP '2020-01-01'");
        for (int i = 0; i < queries.size(); i++) {
            String view = "timed.m" + i;
            assertUpdate("CREATE MATERIALIZED VIEW %s GRACE PERIOD INTERVAL '0' SECOND AS %s".formatted(view, queries.get(i)));
            assertUpdate("REFRESH MATERIALIZED VIEW " + view, 1);
            assertFreshness(view, "UNKNOWN");
        }
        assertUpdate("INSERT INTO timed.sales VALUES (2, current_date, 'carol')", 1);
        for (int i = 0; i < queries.size(); i++) {
            // All rows, not only the new one
            assertUpdate("REFRESH MATERIALIZED VIEW timed.m" + i, 2);
            assertFreshness("timed.m" + i, "UNKNOWN");
        }
        assertUpdate("CREATE MATERIALIZED VIEW timed.untimed AS SELECT n AS current_dates, n AS nowhere FROM timed.sales");
        assertUpdate("REFRESH MATERIALIZED VIEW timed.untimed", 2);
        assertFreshness("timed.untimed", "FRESH");
        assertUpdate("CREATE TABLE timed.times AS SELECT TIME '10:00' AS opened", 1);
        assertUpdate("CREATE MATERIALIZED VIEW timed.dated GRACE PERIOD INTERVAL '0' SECOND AS SELECT CAST(opened AS timestamp(3)) AS opened FROM timed.times");
        assertUpdate("REFRESH MATERIALIZED VIEW timed.dated", 1);
        assertFreshness("timed.dated", "UNKNOWN");
        assertUpdate("CREATE MATERIALIZED VIEW timed.zoned GRACE PERIOD INTERVAL '0' SECOND AS SELECT opened FROM timed.times WHERE opened > TIME '01:00 +00:00'");
        assertUpdate("REFRESH MATERIALIZED VIEW timed.zoned", 1);
        assertFreshness("timed.zoned", "UNKNOWN");
        assertUpdate("DROP SCHEMA timed CASCADE");
    }

    @Test
    void testMaterializedViewOfStaleOne()
    {
        assertUpdate("CREATE SCHEMA nested");
        assertUpdate("CREATE TABLE nested.t AS SELECT 1 AS n", 1);
        assertUpdate("CREATE MATERIALIZED VIEW nested.a AS SELECT n FROM nested.t");
        assertUpdate("REFRESH MATERIALIZED VIEW nested.a", 1);
        assertUpdate("CREATE MATERIALIZED VIEW nested.b GRACE PERIOD INTERVAL '0' SECOND AS SELECT sum(n) AS total FROM nested.a");
        assertUpdate("REFRESH MATERIALIZED VIEW nested.b", 1);
        assertUpdate("CREATE MATERIALIZED VIEW nested.c GRACE PERIOD INTERVAL '0' SECOND AS SELECT total FROM nested.b");
        assertUpdate("REFRESH MATERIALIZED VIEW nested.c", 1);
        assertFreshness("nested.c", "FRESH");
        assertUpdate("INSERT INTO nested.t VALUES 99", 1);
        assertFreshness("nested.a", "STALE");
        assertFreshness("nested.b", "STALE");
        assertFreshness("nested.c", "STALE");
        assertThat(query("SELECT count(DISTINCT last_fresh_time) FROM system.metadata.materialized_views WHERE catalog_name = 'albis' AND schema_name = 'nested'")).matches("VALUES BIGINT '1'");

        // The refresh reads the old rows of a, which may be used at any age
        assertUpdate("REFRESH MATERIALIZED VIEW nested.b", 1);
        assertThat(query("TABLE nested.\"b$storage\"")).matches("VALUES BIGINT '1'");
        assertFreshness("nested.b", "STALE");
        assertUpdate("REFRESH MATERIALIZED VIEW nested.a", 1);
        assertUpdate("REFRESH MATERIALIZED VIEW nested.b", 1);
        assertFreshness("nested.b", "FRESH");
        assertThat(query("TABLE nested.b")).matches("VALUES BIGINT '100'");
        assertUpdate("DROP SCHEMA nested CASCADE");
    }

    @Test
    void testMaterializedViewOfUnknownOne()
    {
        assertUpdate("CREATE SCHEMA laundered");
        assertUpdate("CREATE TABLE memory.default.laundered AS SELECT 1 AS n", 1);
        assertUpdate("CREATE MATERIALIZED VIEW laundered.a AS SELECT n FROM memory.default.laundered");
        assertUpdate("REFRESH MATERIALIZED VIEW laundered.a", 1);
        assertFreshness("laundered.a", "UNKNOWN");
        assertUpdate("CREATE MATERIALIZED VIEW laundered.b AS SELECT n FROM laundered.a");
        assertUpdate("REFRESH MATERIALIZED VIEW laundered.b", 1);
        assertFreshness("laundered.b", "UNKNOWN");
        assertUpdate("DROP SCHEMA laundered CASCADE");
        assertUpdate("DROP TABLE memory.default.laundered");
    }

    /**
     * A materialized view of an inner one without grace period is stale as soon as the inner one is.
     */
    @Test
    void testMaterializedViewOfInlinedOne()
    {
        assertUpdate("CREATE SCHEMA chained");
        assertUpdate("CREATE TABLE chained.t AS SELECT 1 AS n", 1);
        for (String view : List.of("a AS SELECT n FROM chained.t", "b AS SELECT n FROM chained.a")) {
            assertUpdate("CREATE MATERIALIZED VIEW chained." + view.replace(" AS", " GRACE PERIOD INTERVAL '0' SECOND AS"));
            assertUpdate("REFRESH MATERIALIZED VIEW chained." + view.charAt(0), 1);
        }
        assertUpdate("INSERT INTO chained.t VALUES 2", 1);
        assertThat(query("TABLE chained.a")).matches("VALUES 1, 2");
        assertThat(query("TABLE chained.b")).matches("VALUES 1, 2");
        assertUpdate("REFRESH MATERIALIZED VIEW chained.b", 2);
        assertFreshness("chained.b", "FRESH");
        assertUpdate("DROP SCHEMA chained CASCADE");
    }

    @Test
    void testMaterializedViewsOfEachOther()
    {
        assertUpdate("CREATE SCHEMA cycle");
        assertUpdate("CREATE MATERIALIZED VIEW cycle.a AS SELECT 1 AS n");
        assertUpdate("REFRESH MATERIALIZED VIEW cycle.a", 1);
        assertUpdate("CREATE MATERIALIZED VIEW cycle.b AS SELECT n FROM cycle.a");
        assertUpdate("REFRESH MATERIALIZED VIEW cycle.b", 1);
        assertUpdate("CREATE OR REPLACE MATERIALIZED VIEW cycle.a AS SELECT n FROM cycle.b WHERE n > 2");
        for (int i = 0; i < 3; i++) {
            assertUpdate("REFRESH MATERIALIZED VIEW cycle.a", 0);
            assertUpdate("REFRESH MATERIALIZED VIEW cycle.b", 0);
        }
        assertFreshness("cycle.a", "UNKNOWN");
        assertFreshness("cycle.b", "UNKNOWN");
        assertUpdate("DROP SCHEMA cycle CASCADE");
    }

    /**
     * Rows that different users or sessions have read are not mixed.
     */
    @Test
    void testSessions()
    {
        assertUpdate("CREATE SCHEMA sessions");
        assertUpdate("CREATE TABLE sessions.t AS SELECT 1 AS n", 1);
        assertUpdate("CREATE MATERIALIZED VIEW sessions.m AS SELECT n FROM sessions.t");
        Session alice = Session.builder(getSession()).setIdentity(Identity.ofUser("alice")).build();
        Session abroad = Session.builder(alice).setTimeZoneKey(getTimeZoneKey("Asia/Kolkata")).build();
        assertUpdate(alice, "REFRESH MATERIALIZED VIEW sessions.m", 1);
        assertUpdate("INSERT INTO sessions.t VALUES 2", 1);
        assertUpdate(alice, "REFRESH MATERIALIZED VIEW sessions.m", 1);
        assertUpdate("INSERT INTO sessions.t VALUES 3", 1);
        assertUpdate("REFRESH MATERIALIZED VIEW sessions.m", 3);
        assertUpdate("INSERT INTO sessions.t VALUES 4", 1);
        assertUpdate(alice, "REFRESH MATERIALIZED VIEW sessions.m", 4);
        assertUpdate("INSERT INTO sessions.t VALUES 5", 1);
        assertUpdate(abroad, "REFRESH MATERIALIZED VIEW sessions.m", 5);
        assertUpdate("INSERT INTO sessions.t VALUES 6", 1);
        assertUpdate(abroad, "REFRESH MATERIALIZED VIEW sessions.m", 1);
        assertFreshness("sessions.m", "FRESH");
        assertThat(query("TABLE sessions.\"m$storage\"")).matches("VALUES 1, 2, 3, 4, 5, 6");
        assertUpdate("DROP SCHEMA sessions CASCADE");
    }

    /**
     * The grace period begins with the first change of the rows. A comment, a tag, and the like do not change them.
     */
    @Test
    void testFirstChange()
    {
        assertUpdate("CREATE SCHEMA first_change");
        assertUpdate("CREATE TABLE first_change.t AS SELECT 1 AS n", 1);
        assertUpdate("CREATE MATERIALIZED VIEW first_change.m GRACE PERIOD INTERVAL '1' HOUR AS SELECT sum(n) AS total FROM first_change.t");
        assertUpdate("REFRESH MATERIALIZED VIEW first_change.m", 1);
        for (int i = 0; i < 5; i++) {
            assertUpdate("COMMENT ON TABLE first_change.t IS 'comment %s'".formatted(i));
        }
        assertFreshness("first_change.m", "FRESH");
        assertUpdate("INSERT INTO first_change.t VALUES 2", 1);
        assertUpdate("COMMENT ON TABLE first_change.t IS 'last'");
        assertUpdate("INSERT INTO first_change.t VALUES 3", 1);
        assertFreshness("first_change.m", "STALE");
        assertThat(query("SELECT to_iso8601(CAST(last_fresh_time AS timestamp(3) with time zone) AT TIME ZONE 'UTC') FROM system.metadata.materialized_views WHERE catalog_name = 'albis' AND schema_name = 'first_change'"))
                .matches("SELECT to_iso8601(min(committed_at) AT TIME ZONE 'UTC') FROM first_change.\"t$snapshots\" WHERE operation = 'append' AND snapshot_id > 1");
        assertUpdate("DROP SCHEMA first_change CASCADE");
    }

    /**
     * Nobody knows until when the rows of another catalog were those of the query, so a change of a table of this
     * catalog does not make them younger.
     */
    @Test
    void testAgeOfIncompleteRefresh()
    {
        assertUpdate("CREATE SCHEMA aged");
        assertUpdate("CREATE TABLE aged.t AS SELECT 1 AS n", 1);
        assertUpdate("CREATE TABLE memory.default.aged AS SELECT 1 AS n", 1);
        assertUpdate("CREATE MATERIALIZED VIEW aged.m GRACE PERIOD INTERVAL '1' HOUR AS SELECT n FROM memory.default.aged UNION ALL SELECT n FROM aged.t");
        assertUpdate("REFRESH MATERIALIZED VIEW aged.m", 2);
        String lastFreshTime = "SELECT CAST(last_fresh_time AS varchar) FROM system.metadata.materialized_views WHERE catalog_name = 'albis' AND schema_name = 'aged'";
        assertFreshness("aged.m", "UNKNOWN");
        Object refreshed = computeScalar(lastFreshTime);
        assertUpdate("INSERT INTO aged.t VALUES 8", 1);
        assertFreshness("aged.m", "STALE");
        assertThat(computeScalar(lastFreshTime)).isNotNull().isEqualTo(refreshed);
        assertUpdate("DROP SCHEMA aged CASCADE");
        assertUpdate("DROP TABLE memory.default.aged");
    }

    private void assertFreshness(String view, String freshness)
    {
        String[] name = view.split("\\.");
        assertThat(computeScalar("SELECT freshness FROM system.metadata.materialized_views WHERE catalog_name = 'albis' AND schema_name = '%s' AND name = '%s'".formatted(name[0], name[1])))
                .as(view)
                .isEqualTo(freshness);
    }
}
