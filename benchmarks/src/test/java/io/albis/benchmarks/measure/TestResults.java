package io.albis.benchmarks.measure;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import org.junit.jupiter.api.Test;

import static io.albis.benchmarks.measure.Figure.CHECKSUM;
import static io.albis.benchmarks.measure.Figure.CPU;
import static io.albis.benchmarks.measure.Figure.PEAK_MEMORY;
import static io.albis.benchmarks.measure.Figure.RESULT_ROWS;
import static org.assertj.core.api.Assertions.assertThat;

class TestResults
{
    private static final Results RESULTS = new Results(ImmutableList.of(
            measurement("x", "albis", 0, 1, 99, 1),
            measurement("x", "albis", 1, 1, 10, 5),
            measurement("x", "hive", 1, 1, 20, 1),
            measurement("y", "albis", 1, 7, 30, 4),
            measurement("y", "hive", 1, 8, 30, 9),
            measurement("z", "albis", 1, 1, 1000, 0),
            Measurement.failure("z", "hive", 1, "broken"),
            measurement("x", "albis", 2, 1, 14, 5),
            measurement("x", "hive", 2, 1, 56, 1),
            measurement("y", "albis", 2, 7, 34, 4),
            measurement("y", "hive", 2, 8, 40, 9),
            measurement("z", "albis", 2, 1, 1000, 0),
            measurement("z", "hive", 2, 1, 1000, 0)));

    @Test
    void testOnlyWhatSucceededEverywhereIsCompared()
    {
        assertThat(RESULTS.tasks()).containsExactly("x", "y", "z");
        assertThat(RESULTS.comparableTasks()).containsExactly("x", "y");
        assertThat(RESULTS.failures()).containsExactly(Measurement.failure("z", "hive", 1, "broken"));
    }

    @Test
    void testMedians()
    {
        assertThat(RESULTS.rounds()).isEqualTo(2);
        assertThat(RESULTS.median(CPU, "x", "albis")).isEqualTo(12);
        // The median of 40 and 48
        assertThat(RESULTS.medianTotal(CPU, "albis")).isEqualTo(44);
        // The maximum of the tasks instead of their sum
        assertThat(RESULTS.medianTotal(PEAK_MEMORY, "albis")).isEqualTo(5);
    }

    @Test
    void testRatios()
    {
        assertThat(RESULTS.ratio(CPU, ImmutableSet.of("x"), "hive", "albis")).isEqualTo(new Ratio(3, 2, 4));
        assertThat(RESULTS.ratio(CPU, RESULTS.comparableTasks(), "hive", "albis")).isEqualTo(new Ratio(1.625, 1.25, 2));
    }

    @Test
    void testLeast()
    {
        assertThat(RESULTS.least(CPU, ImmutableSet.of("x"), ImmutableList.of("hive", "albis"))).contains("albis");
        assertThat(RESULTS.least(CPU, ImmutableSet.of("x"), ImmutableList.of())).isEmpty();
    }

    @Test
    void testDifferentRows()
    {
        assertThat(RESULTS.tasksWithDifferentRows()).containsExactly("y");
    }

    @Test
    void testSomeCatalogs()
    {
        Results albis = RESULTS.of(ImmutableList.of("albis"));
        assertThat(albis.comparableTasks()).containsExactly("x", "y", "z");
        assertThat(albis.tasksWithDifferentRows()).isEmpty();
        assertThat(albis.rounds()).isEqualTo(2);
        assertThat(albis.has(CPU)).isTrue();
        assertThat(albis.has(CHECKSUM)).isFalse();
        assertThat(albis.tasksWithDifferent(CHECKSUM)).isEmpty();
    }

    private static Measurement measurement(String task, String catalog, int round, long rows, long cpu, long memory)
    {
        return Measurement.success(task, catalog, round, new Figures(ImmutableMap.of(RESULT_ROWS, rows, CPU, cpu, PEAK_MEMORY, memory)));
    }
}
