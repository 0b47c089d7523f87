package io.albis.benchmarks.regression;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.measure.Figures;
import io.albis.benchmarks.measure.Measurement;
import io.albis.benchmarks.measure.Ratio;
import io.albis.benchmarks.report.MarkdownReports;
import io.albis.benchmarks.report.SavedReport;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestRegression
{
    private static final SavedReport COMMITTED = committed(new NamedRatio("a", new Ratio(4, 3.9, 4.1)), new NamedRatio("b", new Ratio(2, 1.9, 2.1)));

    @Test
    void testWorse()
    {
        NamedRatio b = new NamedRatio("b", new Ratio(2, 2, 2));
        assertThat(worse(new NamedRatio("a", new Ratio(4, 3.9, 4.1)), b)).isEmpty();
        assertThat(worse(new NamedRatio("a", new Ratio(40, 39, 41)), b)).isEmpty();
        // Less than the tolerance
        assertThat(worse(new NamedRatio("a", new Ratio(3.65, 3.61, 3.7)), b)).isEmpty();
        // A single round does not matter, whether it is worse or not
        assertThat(worse(new NamedRatio("a", new Ratio(3.65, 1, 3.7)), b)).isEmpty();
        assertThat(worse(new NamedRatio("a", new Ratio(3.55, 2, 9)), b)).containsExactly("a");
        // One of the committed rounds was as low
        assertThat(worse(new NamedRatio("a", new Ratio(4, 4, 4)), new NamedRatio("b", new Ratio(2, 2, 2)))).isEmpty();
        SavedReport wide = committed(new NamedRatio("a", new Ratio(4, 3, 5)));
        assertThat(new Regression(ImmutableList.of(new NamedRatio("a", new Ratio(3.1, 3, 3.2))), Optional.of(wide), 0.1).worse()).isEmpty();
        assertThat(new Regression(ImmutableList.of(new NamedRatio("a", new Ratio(2.9, 2.8, 3.2))), Optional.of(wide), 0.1).worse()).containsExactly("a");
        // A ratio that nobody has committed, and one that is not measured any more
        assertThat(worse(new NamedRatio("a", new Ratio(4, 4, 4)), b, new NamedRatio("c", new Ratio(4, 4, 4)))).containsExactly("c");
        assertThat(worse(b)).containsExactly("a");
        assertThat(new Regression(ImmutableList.of(b), Optional.empty(), 0.1).worse()).containsExactly("b");
    }

    @Test
    void testReport()
    {
        assertThat(new Regression(ImmutableList.of(new NamedRatio("a", new Ratio(3, 2, 3.5)), new NamedRatio("c", new Ratio(1, 1, 1))), Optional.of(COMMITTED), 0.1).render(ImmutableMap.of(), 3))
                .contains("| a | 3.000 | 2.000 | 3.500 | 4.000 | 3.900 | worse |\n", "| c | 1.000 | 1.000 | 1.000 | - | - | worse |\n");
    }

    @Test
    void testMeasuredRatios()
    {
        MeasuredRatios ratios = new MeasuredRatios("scan", measured(
                measurement("q1", "albis", 0, 1000),
                measurement("q1", "albis", 1, 10),
                measurement("q1", "albis", 2, 20),
                measurement("q1", "iceberg", 1, 20),
                measurement("q1", "iceberg", 2, 60),
                measurement("q1", "hive", 1, 1000),
                measurement("q1", "hive", 2, 1000),
                measurement("q2", "albis", 1, 10),
                measurement("q2", "albis", 2, 20),
                measurement("q2", "iceberg", 1, 80),
                measurement("q2", "iceberg", 2, 100),
                measurement("q2", "hive", 1, 10),
                measurement("q2", "hive", 2, 20)));
        assertThat(ratios.ofTasks(Figure.CPU)).containsExactly(
                new NamedRatio("scan: q1, CPU", new Ratio(2.5, 2, 3)),
                new NamedRatio("scan: q2, CPU", new Ratio(1, 1, 1)));
        assertThat(ratios.ofTotal(Figure.CPU)).containsExactly(new NamedRatio("scan: CPU", new Ratio(4.5, 4, 5)));
    }

    @Test
    void testFailure()
    {
        SavedReport failed = measured(measurement("q1", "albis", 1, 10), Measurement.failure("q1", "iceberg", 1, "too much memory"));
        assertThatThrownBy(() -> new MeasuredRatios("scan", failed)).hasMessageContaining("scan failed").hasMessageContaining("too much memory");
        assertThatThrownBy(() -> new MeasuredRatios("scan", measured())).hasMessage("scan has no measurements");
        assertThatThrownBy(() -> new MeasuredRatios("scan", measured(measurement("q1", "albis", 1, 10)))).hasMessage("scan has no peers");
    }

    private static List<String> worse(NamedRatio... ratios)
    {
        return new Regression(ImmutableList.copyOf(ratios), Optional.of(COMMITTED), 0.1).worse();
    }

    private static SavedReport committed(NamedRatio... ratios)
    {
        return MarkdownReports.parse(new Regression(ImmutableList.copyOf(ratios), Optional.empty(), 0.1).render(ImmutableMap.of("machine", "two cores"), 3), ImmutableList.of());
    }

    private static SavedReport measured(Measurement... measurements)
    {
        return new SavedReport("Queries", ImmutableMap.of(), ImmutableList.of(), ImmutableList.of(), ImmutableList.copyOf(measurements));
    }

    private static Measurement measurement(String task, String catalog, int round, long cpu)
    {
        return Measurement.success(task, catalog, round, new Figures(ImmutableMap.of(Figure.CPU, cpu)));
    }
}
