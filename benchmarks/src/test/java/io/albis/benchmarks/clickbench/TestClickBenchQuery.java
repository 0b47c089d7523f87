package io.albis.benchmarks.clickbench;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.server.ComparedColumns;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class TestClickBenchQuery
{
    @Test
    void testAll()
    {
        List<ClickBenchQuery> queries = ClickBenchQuery.all();
        assertThat(queries).hasSize(43).allSatisfy(query -> assertThat(query.sql()).startsWith("SELECT ").contains("FROM hits").doesNotContain("${", "--"));
        assertThat(queries.getFirst()).isEqualTo(new ClickBenchQuery(1, "SELECT count(*) FROM hits", ComparedColumns.ALL));
        assertThat(queries.get(29).sql()).startsWith("SELECT sum(ResolutionWidth + 0), sum(ResolutionWidth + 1), ").endsWith(", sum(ResolutionWidth + 89) FROM hits");
        assertThat(queries.getLast().name()).isEqualTo("q43");
    }

    /**
     * A query that returns only some of its rows compares only what it sorts by.
     */
    @Test
    void testComparedColumns()
    {
        List<String> determined = ImmutableList.of("q26", "q27", "q43");
        assertThat(ClickBenchQuery.all())
                .filteredOn(query -> query.sql().contains("LIMIT") && query.compared().all())
                .extracting(ClickBenchQuery::name)
                .containsExactlyElementsOf(determined);
        assertThat(ClickBenchQuery.all())
                .filteredOn(query -> !query.compared().names().isEmpty())
                .allSatisfy(query -> assertThat(query.sql()).containsIgnoringCase("ORDER BY " + query.compared().names().iterator().next()));
    }
}
