package io.albis.trino.view;

import io.trino.spi.type.ArrayType;
import org.junit.jupiter.api.Test;

import static io.trino.spi.type.RowType.field;
import static io.trino.spi.type.RowType.rowType;
import static io.trino.spi.type.TimeType.TIME_MILLIS;
import static io.trino.spi.type.TimeWithTimeZoneType.TIME_TZ_MILLIS;
import static io.trino.spi.type.TimestampType.TIMESTAMP_MILLIS;
import static org.assertj.core.api.Assertions.assertThat;

final class TestSessionValues
{
    @Test
    void testValues()
    {
        for (String value : new String[] {
                "current_date", "CURRENT_TIME", "current_time(3)", "current_timestamp", "Current_Timestamp(6)", "current_timezone()",
                "current_user", "current_groups()", "current_catalog", "current_schema", "current_path",
                "localtime", "LOCALTIME(3)", "localtimestamp", "now()", "NOW ()", "\"now\"()",
        }) {
            assertThat(SessionValues.mayBeIn("SELECT n FROM t WHERE f(%s) > n".formatted(value), false)).as(value).isTrue();
            assertThat(SessionValues.mayBeIn(value, false)).as(value).isTrue();
        }
    }

    @Test
    void testOtherNames()
    {
        for (String name : new String[] {"current", "current_price", "current_dates", "my_current_date", "localtime_zone", "now", "know(n)", "nowhere(n)"}) {
            assertThat(SessionValues.mayBeIn("SELECT n FROM t WHERE %s > n".formatted(name), false)).as(name).isFalse();
        }
    }

    /**
     * The cast of a time of day to a timestamp adds the current date.
     */
    @Test
    void testTimesOfDay()
    {
        for (String sql : new String[] {"SELECT CAST(n AS timestamp(3)) FROM t", "SELECT n AT TIME ZONE 'UTC' FROM t", "SELECT n AT  LOCAL FROM t", "SELECT CAST(n AS Time With Time Zone) FROM t"}) {
            assertThat(SessionValues.mayBeIn(sql, true)).as(sql).isTrue();
        }
        assertThat(SessionValues.mayBeIn("SELECT CAST(TIME '10:00' AS timestamp(3)) FROM t", false)).isTrue();
        assertThat(SessionValues.mayBeIn("SELECT CAST(n AS timestamp(3)) FROM t", false)).isFalse();
        assertThat(SessionValues.mayBeIn("SELECT CAST(n AS timestamp(3) with time zone) FROM t", false)).isFalse();
        assertThat(SessionValues.mayBeIn("SELECT n AT TIME ZONE 'UTC' FROM t", false)).isFalse();
        assertThat(SessionValues.mayBeIn("SELECT n FROM t WHERE n > TIME '10:00'", true)).isFalse();
    }

    @Test
    void testTypesWithTimes()
    {
        assertThat(SessionValues.hasTimes(TIME_MILLIS)).isTrue();
        assertThat(SessionValues.hasTimes(TIME_TZ_MILLIS)).isTrue();
        assertThat(SessionValues.hasTimes(rowType(field("a", new ArrayType(TIME_MILLIS))))).isTrue();
        assertThat(SessionValues.hasTimes(rowType(field("time", TIMESTAMP_MILLIS)))).isFalse();
    }
}
