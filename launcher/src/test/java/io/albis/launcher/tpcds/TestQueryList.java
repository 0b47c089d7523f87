package io.albis.launcher.tpcds;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestQueryList
{
    @Test
    void testParse()
    {
        assertThat(QueryList.parse("1").numbers()).containsExactly(1);
        assertThat(QueryList.parse("1,5,q17").numbers()).containsExactly(1, 5, 17);
        assertThat(QueryList.parse("Q07, 99").numbers()).containsExactly(7, 99);
        assertThat(QueryList.parse("3-6").numbers()).containsExactly(3, 4, 5, 6);
        assertThat(QueryList.parse("q3 - q4,9-9").numbers()).containsExactly(3, 4, 9);
        assertThat(QueryList.parse("1-99")).isEqualTo(QueryList.ALL);
    }

    @Test
    void testEachOnceAndInOrder()
    {
        assertThat(QueryList.parse("9,2-4,3,q02").numbers()).containsExactly(2, 3, 4, 9);
    }

    @Test
    void testAll()
    {
        assertThat(QueryList.ALL.numbers()).hasSize(99).startsWith(1).endsWith(99);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",", "1,", "0", "100", "q", "x1", "5-1", "1-2-3", "-3", "3-", "1 2", "1.5"})
    void testInvalid(String text)
    {
        assertThatThrownBy(() -> QueryList.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Not a list of queries: '%s'. It looks like 1,5,q17 or 1-20, with numbers from 1 to 99", text);
    }
}
