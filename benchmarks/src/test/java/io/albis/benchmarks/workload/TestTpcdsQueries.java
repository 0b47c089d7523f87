package io.albis.benchmarks.workload;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestTpcdsQueries
{
    @Test
    void testList()
    {
        assertThat(TpcdsQueries.parseList("1-99")).hasSize(99);
        assertThat(TpcdsQueries.parseList("q17, 3,5-7")).containsExactly(3, 5, 6, 7, 17);
        for (String text : new String[] {"", "0", "100", "7-5", "1,,2", "all"}) {
            assertThatThrownBy(() -> TpcdsQueries.parseList(text))
                    .as(text)
                    .hasMessageStartingWith("Not a list of queries: '%s'".formatted(text));
        }
    }

    @Test
    void testText()
    {
        for (int number : TpcdsQueries.parseList("1-99")) {
            assertThat(TpcdsQueries.text(number))
                    .as(TpcdsQueries.name(number))
                    .containsIgnoringCase("SELECT")
                    .doesNotContain("${");
        }
    }
}
