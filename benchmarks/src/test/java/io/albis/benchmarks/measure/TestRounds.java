package io.albis.benchmarks.measure;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Multiset;
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
                // The order is reversed
                "y on c",
                "y on b",
                "y on a");
        assertThat(reports).hasSize(2);
        assertThat(reports.getFirst()).hasSize(12);
        assertThat(reports.getLast()).hasSize(18);
        assertThat(reports.getLast().getFirst().isWarmUp()).isTrue();
        assertThat(reports.getLast().getLast().round()).isEqualTo(2);
    }

    /**
     * Tests that each catalog is equally often at each place, and equally often precedes each of the others.
     */
    @Test
    void testTurns()
    {
        List<String> catalogs = ImmutableList.of("a", "b", "c", "d");
        int turns = 2 * catalogs.size();
        for (int first = -turns; first <= turns; first++) {
            Multiset<String> places = HashMultiset.create();
            Multiset<String> neighbors = HashMultiset.create();
            for (int turn = first; turn < first + turns; turn++) {
                List<String> order = Rounds.inTurn(catalogs, turn);
                assertThat(order).containsExactlyInAnyOrderElementsOf(catalogs);
                for (int place = 0; place < order.size(); place++) {
                    places.add("%s at %s".formatted(order.get(place), place));
                    if (place > 0) {
                        neighbors.add("%s before %s".formatted(order.get(place - 1), order.get(place)));
                    }
                }
            }
            assertThat(places.entrySet()).hasSize(4 * 4).allMatch(place -> place.getCount() == 2);
            for (Multiset.Entry<String> neighbor : neighbors.entrySet()) {
                String reversed = new StringBuilder(neighbor.getElement().replace(" before ", ">")).reverse().toString().replace(">", " before ");
                assertThat(neighbors.count(reversed)).as(neighbor.getElement()).isEqualTo(neighbor.getCount());
            }
        }
        assertThat(Rounds.inTurn(ImmutableList.of("a"), 7)).containsExactly("a");
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

    @Test
    void testContinuesAfterTheCompletedRounds()
    {
        List<String> executions = new ArrayList<>();
        List<List<Measurement>> reports = new ArrayList<>();
        rounds(1, 3).run(ImmutableList.of(task("x", executions)), ImmutableList.of("a", "b"), reports::add);
        List<Measurement> earlier = reports.get(1);
        List<String> lastRound = ImmutableList.copyOf(executions.subList(6, 8));
        executions.clear();
        reports.clear();

        Rounds rounds = rounds(1, 3, earlier);
        assertThat(rounds.isComplete()).isFalse();
        rounds.run(ImmutableList.of(task("x", executions)), ImmutableList.of("a", "b"), reports::add);
        // New warm-up runs, and then the third round in its order
        assertThat(executions).containsExactly("x on a", "x on b", lastRound.getFirst(), lastRound.getLast());
        assertThat(reports).hasSize(1);
        assertThat(reports.getFirst()).startsWith(earlier.toArray(Measurement[]::new)).hasSize(earlier.size() + 4);
        assertThat(new Results(reports.getFirst()).rounds()).isEqualTo(3);
        assertThat(rounds(1, 3, reports.getFirst()).isComplete()).isTrue();
        assertThat(rounds(1, 2, earlier).isComplete()).isTrue();
        assertThat(rounds(1, 1).isComplete()).isFalse();
    }

    private static Rounds rounds(int warmUps, int runs)
    {
        return rounds(warmUps, runs, ImmutableList.of());
    }

    private static Rounds rounds(int warmUps, int runs, List<Measurement> earlier)
    {
        return new Rounds(warmUps, runs, earlier, new Progress(new PrintStream(OutputStream.nullOutputStream())));
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
