package io.albis.trino.view;

import io.trino.spi.type.ArrayType;
import io.trino.spi.type.Type;
import org.junit.jupiter.api.Test;

import java.util.Set;

import static io.trino.spi.type.RowType.field;
import static io.trino.spi.type.RowType.rowType;
import static io.trino.spi.type.TimeType.TIME_MILLIS;
import static io.trino.spi.type.TimeWithTimeZoneType.TIME_TZ_MILLIS;
import static io.trino.spi.type.TimestampType.TIMESTAMP_MILLIS;
import static org.assertj.core.api.Assertions.assertThat;

final class TestSessionValues
{
    private static final Set<Type> NO_TIMES = Set.of();

    @Test
    void testValues()
    {
        for (String value : new String[] {
                "current_date", "CURRENT_TIME", "current_time(3)", "current_timestamp", "Current_Timestamp(6)", "current_timezone()",
                "current_user", "current_groups()", "current_catalog", "current_schema", "current_path",
                "localtime", "LOCALTIME(3)", "localtimestamp", "now()", "NOW ()", "\"now\"()",
        }) {
            assertThat(SessionValues.mayBeIn("SELECT n FROM t WHERE f(%s) > n".formatted(value), NO_TIMES)).as(value).isTrue();
            assertThat(SessionValues.mayBeIn(value, NO_TIMES)).as(value).isTrue();
        }
    }

    @Test
    void testOtherNames()
    {
        for (String name : new String[] {"current", "current_price", "current_dates", "my_current_date", "localtime_zone", "now", "know(n)", "nowhere(n)"}) {
            assertThat(SessionValues.mayBeIn("SELECT n FROM t WHERE %s > n".formatted(name), NO_TIMES)).as(name).isFalse();
        }
    }

    /**
     * The cast of a time of day to a timestamp adds the current date.
     */
    @Test
    void testTimesOfDay()
    {
        for (String sql : new String[] {"SELECT CAST(n AS timestamp(3)) FROM t", "SELECT n AT TIME ZONE 'UTC' FROM t", "SELECT n AT  LOCAL FROM t", "SELECT CAST(n AS Time With Time Zone) FROM t"}) {
            assertThat(SessionValues.mayBeIn(sql, Set.of(TIME_MILLIS))).as(sql).isTrue();
        }
        assertThat(SessionValues.mayBeIn("SELECT CAST(TIME '10:00' AS timestamp(3)) FROM t", NO_TIMES)).isTrue();
        assertThat(SessionValues.mayBeIn("SELECT CAST(n AS timestamp(3)) FROM t", NO_TIMES)).isFalse();
        assertThat(SessionValues.mayBeIn("SELECT CAST(n AS timestamp(3) with time zone) FROM t", NO_TIMES)).isFalse();
        assertThat(SessionValues.mayBeIn("SELECT n AT TIME ZONE 'UTC' FROM t", NO_TIMES)).isFalse();
        assertThat(SessionValues.mayBeIn("SELECT n FROM t WHERE n > TIME '10:00'", Set.of(TIME_MILLIS))).isFalse();
    }

    /**
     * The engine casts a time of day to a time with a time zone without being asked to.
     */
    @Test
    void testTimesWithOffsets()
    {
        for (String literal : new String[] {"TIME '10:00 +01:00'", "time '10:00:00.123-08'", "TIME '08:00+ 5:30'"}) {
            String sql = "SELECT n FROM t WHERE n > " + literal;
            assertThat(SessionValues.mayBeIn(sql, Set.of(TIME_MILLIS))).as(sql).isTrue();
        }
        String sql = "SELECT n FROM t WHERE n > m";
        assertThat(SessionValues.mayBeIn(sql, Set.of(TIME_MILLIS, TIME_TZ_MILLIS))).isTrue();
        assertThat(SessionValues.mayBeIn(sql, Set.of(rowType(field("a", new ArrayType(TIME_MILLIS)), field("b", TIME_TZ_MILLIS))))).isTrue();
        assertThat(SessionValues.mayBeIn("SELECT n FROM t WHERE n > TIME '10:00'", Set.of(TIME_TZ_MILLIS))).isTrue();
        assertThat(SessionValues.mayBeIn(sql, Set.of(TIME_TZ_MILLIS, TIMESTAMP_MILLIS))).isFalse();
        assertThat(SessionValues.mayBeIn(sql, Set.of(rowType(field("time", TIMESTAMP_MILLIS)), TIME_MILLIS))).isFalse();
        assertThat(SessionValues.mayBeIn("SELECT n FROM t WHERE d > DATE '2020-01-01' AND n > TIME '10:00:00' - INTERVAL '1' HOUR", Set.of(TIME_MILLIS))).isFalse();
    }
}
