package io.albis.launcher.tpcds;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class TestQueryText
{
    @Test
    void testFill()
    {
        assertThat(QueryText.fill("SELECT 1 FROM ${database}.${schema}.item, ${database}.${schema}.store", "albis", "tpcds_sf1"))
                .isEqualTo("SELECT 1 FROM albis.tpcds_sf1.item, albis.tpcds_sf1.store");
    }

    @Test
    void testFillLiteral()
    {
        assertThat(QueryText.fill("SELECT '${database}.${schema}.store' \"channel\" FROM ${database}.${schema}.store", "albis", "tiny"))
                .isEqualTo("SELECT 'store' \"channel\" FROM albis.tiny.store");
        assertThat(QueryText.fill("SELECT 'it''s ${database}.${schema}.x', ${database}.${schema}.y", "a", "b"))
                .isEqualTo("SELECT 'it''s x', a.b.y");
    }

    @Test
    void testAllQueries()
    {
        for (int number : QueryList.ALL.numbers()) {
            String text = QueryText.load(number, "albis", "tpcds_tiny");
            assertThat(text)
                    .as(QueryText.name(number))
                    .contains("albis.tpcds_tiny.")
                    .doesNotContain("${", "'albis");
            // JDBC accepts a single statement without a semicolon
            assertThat(text.strip()).as(QueryText.name(number)).doesNotEndWith(";");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {49, 80})
    void testPlaceholderInLiteral(int number)
    {
        assertThat(QueryText.load(number, "albis", "tpcds_tiny"))
                .containsPattern("'store( channel)?' \"channel\"")
                .contains("albis.tpcds_tiny.store_sales");
    }

    @Test
    void testName()
    {
        assertThat(QueryText.name(1)).isEqualTo("q01");
        assertThat(QueryText.name(99)).isEqualTo("q99");
    }
}
