package io.albis.benchmarks.tpch;

import io.albis.benchmarks.workload.TpcdsScale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestTpchQueries
{
    private static final TpcdsScale SCALE = TpcdsScale.parse("sf10");

    @Test
    void testList()
    {
        assertThat(TpchQueries.parseList("1-22")).hasSize(22);
        assertThatThrownBy(() -> TpchQueries.parseList("23"))
                .hasMessage("Not a list of queries: '23'. It looks like 1,5,q17 or 1-20, with numbers from 1 to 22");
    }

    static Set<Integer> queries()
    {
        return TpchQueries.parseList("1-22");
    }

    @ParameterizedTest
    @MethodSource("queries")
    void testText(int number)
    {
        assertThat(TpchQueries.text(number, SCALE))
                .as(TpchQueries.name(number))
                .containsIgnoringCase("SELECT")
                .doesNotContain("${")
                .doesNotEndWith(";");
    }

    @Test
    void testScale()
    {
        assertThat(TpchQueries.text(11, SCALE)).contains("* 0.0001000000 / 10\n");
        assertThat(TpchQueries.text(11, TpcdsScale.parse("tiny"))).contains("* 0.0001000000 / 0.01\n");
    }

    @Test
    void testFirstQuery()
    {
        assertThat(TpchQueries.firstQuery("DATE '1995-01-01'", SCALE)).contains("l.shipdate <= DATE '1995-01-01'\n");
    }
}
