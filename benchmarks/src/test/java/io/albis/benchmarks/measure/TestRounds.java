package io.albis.benchmarks.measure;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.trino.spi.QueryId;
import io.trino.testing.QueryFailedException;
import org.junit.jupiter.api.Test;

import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestRounds
{
    @Test
    void testCatalogsTakeTurns()
    {
        List<String> executions = new ArrayList<>();
        List<List<Measurement>> reports = new ArrayList<>();
        rounds(1, 2).run(
                ImmutableList.of(task("x", executions), task("y", executions)),
                ImmutableList.of("a", "b", "c"),
                reports::add);

        assertThat(executions).containsExactly(
                "x on a",
                "x on b",
                "x on c",
                "y on b",
                "y on c",
                "y on a",
                "x on b",
                "x on c",
                "x on a",
                "y on c",
                "y on a",
                "y on b",
                "x on c",
                "x on a",
                "x on b",
                "y on a",
                "y on b",
                "y on c");
        assertThat(reports).hasSize(2);
        assertThat(reports.getFirst()).hasSize(12);
        assertThat(reports.getLast()).hasSize(18);
        assertThat(reports.getLast().getFirst().isWarmUp()).isTrue();
        assertThat(reports.getLast().getLast().round()).isEqualTo(2);
    }

    @Test
    void testFailingQuery()
    {
        List<Measurement> measurements = new ArrayList<>();
        rounds(0, 1).run(
                ImmutableList.of(failingTask("x", new QueryFailedException(new QueryId("query"), "broken"))),
                ImmutableList.of("a"),
                measurements::addAll);
        assertThat(measurements).containsExactly(Measurement.failure("x", "a", 1, "broken"));
    }

    @Test
    void testOtherFailuresAreTheEnd()
    {
        assertThatThrownBy(() -> rounds(0, 2).run(
                ImmutableList.of(failingTask("x", new IllegalStateException("The server is gone"))),
                ImmutableList.of("a"),
                _ -> {}))
                .hasMessage("The server is gone");
    }

    private static Rounds rounds(int warmUps, int runs)
    {
        return new Rounds(warmUps, runs, new Progress(new PrintStream(OutputStream.nullOutputStream())));
    }

    private static Task task(String name, List<String> executions)
    {
        return new Task()
        {
            @Override
            public String name()
            {
                return name;
            }

            @Override
            public Figures run(String catalog)
            {
                executions.add("%s on %s".formatted(name, catalog));
                return new Figures(ImmutableMap.of(Figure.RESULT_ROWS, 1L, Figure.ELAPSED, 2L, Figure.CPU, 3L));
            }
        };
    }

    private static Task failingTask(String name, RuntimeException failure)
    {
        return new Task()
        {
            @Override
            public String name()
            {
                return name;
            }

            @Override
            public Figures run(String catalog)
            {
                throw failure;
            }
        };
    }
}
