package io.albis.benchmarks.workload;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.server.BenchmarkServer;
import io.trino.testing.MaterializedRow;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

import static com.google.common.collect.Iterables.getOnlyElement;
import static io.albis.benchmarks.measure.Figure.RESULT_CHECKSUM;
import static io.albis.benchmarks.server.BenchmarkCatalog.ALBIS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

@TestInstance(PER_CLASS)
class TestNestedTable
{
    private BenchmarkServer server;
    private NestedTable table;

    @BeforeAll
    void loadTable(@TempDir Path data)
    {
        server = BenchmarkServer.start(ImmutableList.of(ALBIS), data);
        Progress progress = new Progress(System.out);
        table = new NestedTable(server, new TpcdsTables(server, TpcdsScale.parse("tiny"), progress));
        table.prepare(ImmutableList.of(ALBIS), progress);
    }

    @AfterAll
    void stopServer()
    {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void testSizes()
    {
        assertSizes("m10", 5, 15, 10);
        assertSizes("m100", 50, 150, 100);
        assertSizes("a", 1, 20, 10.5);
    }

    private void assertSizes(String column, long least, long greatest, double average)
    {
        MaterializedRow sizes = row("min(cardinality(%1$s)), max(cardinality(%1$s)), avg(cardinality(%1$s))".formatted(column));
        assertThat(sizes.getField(0)).as(column).isEqualTo(least);
        assertThat(sizes.getField(1)).as(column).isEqualTo(greatest);
        assertThat((double) sizes.getField(2)).as(column).isCloseTo(average, within(average / 20));
    }

    @Test
    void testKeys()
    {
        MaterializedRow keys = row(
                """
                count(*),
                count(DISTINCT map_keys(m10)),
                count(DISTINCT map_keys(m100)),
                1e0 * count(element_at(m10, 'key7')) / count(*),
                1e0 * count(element_at(m100, 'key77')) / count(*)
                """);
        long rows = (long) keys.getField(0);
        assertThat(rows).isGreaterThan(5000);
        // There are 19 * 18 different beginnings of the keys, and 11 different numbers of them
        assertThat((long) keys.getField(1)).isGreaterThan(3000);
        assertThat((long) keys.getField(2)).isGreaterThan(rows * 9 / 10);
        assertThat((double) keys.getField(3)).isCloseTo(10.0 / 19, within(0.05));
        assertThat((double) keys.getField(4)).isCloseTo(100.0 / 199, within(0.05));
    }

    @Test
    void testResultsAreCompared()
    {
        for (Task query : table.queries()) {
            assertThat(query.run(ALBIS.catalogName()).has(RESULT_CHECKSUM)).as(query.name()).isTrue();
        }
    }

    private MaterializedRow row(String columns)
    {
        return getOnlyElement(server.execute(ALBIS.catalogName(), "tiny", "SELECT %s FROM nested".formatted(columns)).getMaterializedRows());
    }
}
