package io.albis.benchmarks.workload;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestTpcdsQueries
{
    @Test
    void testList()
    {
        assertThat(TpcdsQueries.parseList("1-99")).hasSize(99);
        assertThat(TpcdsQueries.parseList("q17, 3,5-7")).containsExactly(3, 5, 6, 7, 17);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "100", "7-5", "1,,2", "all"})
    void testInvalidList(String text)
    {
        assertThatThrownBy(() -> TpcdsQueries.parseList(text))
                .hasMessageStartingWith("Not a list of queries: '%s'".formatted(text));
    }

    static Set<Integer> queries()
    {
        return TpcdsQueries.parseList("1-99");
    }

    @ParameterizedTest
    @MethodSource("queries")
    void testText(int number)
    {
        assertThat(TpcdsQueries.text(number))
                .as(TpcdsQueries.name(number))
                .containsIgnoringCase("SELECT")
                .doesNotContain("${");
    }
}
