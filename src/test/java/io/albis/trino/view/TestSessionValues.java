package io.albis.trino.view;

import org.junit.jupiter.api.Test;

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
            assertThat(SessionValues.mayBeIn("SELECT n FROM t WHERE f(%s) > n".formatted(value))).as(value).isTrue();
            assertThat(SessionValues.mayBeIn(value)).as(value).isTrue();
        }
    }

    @Test
    void testOtherNames()
    {
        for (String name : new String[] {"current", "current_price", "current_dates", "my_current_date", "localtime_zone", "now", "know(n)", "nowhere(n)"}) {
            assertThat(SessionValues.mayBeIn("SELECT n FROM t WHERE %s > n".formatted(name))).as(name).isFalse();
        }
    }
}
