package io.albis.launcher.tpcds;

import com.google.common.collect.ImmutableList;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;

class TestResultTable
{
    @Test
    void testFormat()
    {
        List<QueryResult> results = ImmutableList.of(
                new QueryResult(1, 100, Duration.ofMillis(1234), Optional.empty()),
                new QueryResult(2, 2_513_000, Duration.ofMillis(61_005), Optional.empty()),
                new QueryResult(12, 7, Duration.ofMillis(90), Optional.of(new QueryFailure("division by zero", true))),
                new QueryResult(99, 0, Duration.ofMillis(4), Optional.of(new QueryFailure("Table is gone", false))));
        assertThat(ResultTable.format(results)).isEqualTo(
                """
                query        rows    seconds
                q01           100       1.23
                q02       2513000      61.01
                q12             -       0.09   division by zero
                q99             -       0.00   FAILED: Table is gone
                4 queries in 62.33 seconds: 2 answered, 1 with the expected error, 1 failed\
                """);
    }
}
