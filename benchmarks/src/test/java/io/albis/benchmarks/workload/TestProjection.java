package io.albis.benchmarks.workload;

import com.google.common.collect.ImmutableList;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestProjection
{
    private static final List<String> COLUMNS = ImmutableList.of("a", "b", "c", "d", "e", "f", "g");

    @Test
    void testColumnsArePickedEvenly()
    {
        assertThat(Projection.of("sum", "t", COLUMNS, 1).columns()).containsExactly("d");
        assertThat(Projection.of("sum", "t", COLUMNS, 3).columns()).containsExactly("b", "d", "f");
        assertThat(Projection.of("sum", "t", COLUMNS, 7).columns()).isEqualTo(COLUMNS);
        assertThatThrownBy(() -> Projection.of("sum", "t", COLUMNS, 8))
                .hasMessage("t has 7 columns, not 8");
    }

    @Test
    void testQuery()
    {
        Projection projection = Projection.of("max", "t", COLUMNS, 3);
        assertThat(projection.name()).isEqualTo("max of 3");
        assertThat(projection.sql()).isEqualTo("SELECT max(b), max(d), max(f) FROM t");
    }
}
