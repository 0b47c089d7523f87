package io.albis.launcher.tpcds;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestScale
{
    @ParameterizedTest
    @CsvSource({"tiny, tiny", "TINY, tiny", "0.01, tiny", "1, sf1", "sf1, sf1", "SF10, sf10", "' 100 ', sf100"})
    void testParse(String text, String schema)
    {
        assertThat(Scale.parse(text)).isEqualTo(new Scale(schema));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "sf", "0", "01", "-1", "0.5", "1e3", "big", "1; DROP TABLE x", "1234567"})
    void testInvalid(String text)
    {
        assertThatThrownBy(() -> Scale.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Not a scale: '%s'. A scale is tiny (10 MB) or a number of gigabytes, such as 1 or 10", text);
    }

    @Test
    void testTarget()
    {
        assertThat(Scale.parse("1").target()).isEqualTo("tpcds_sf1");
        assertThat(Scale.TINY.target()).isEqualTo("tpcds_tiny");
    }
}
