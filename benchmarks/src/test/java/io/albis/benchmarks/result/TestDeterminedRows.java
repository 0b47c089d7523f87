package io.albis.benchmarks.result;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.clickbench.ClickBenchQuery;
import io.albis.benchmarks.tpch.TpchQueries;
import io.albis.benchmarks.workload.TpcdsQueries;
import io.albis.benchmarks.workload.TpcdsScale;
import io.trino.spi.type.Type;
import io.trino.testing.MaterializedResult;
import io.trino.testing.MaterializedRow;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.spi.type.BigintType.BIGINT;
import static java.util.Collections.nCopies;
import static org.assertj.core.api.Assertions.assertThat;

final class TestDeterminedRows
{
    private static final String ALL = "SELECT a, b FROM t ORDER BY a";
    private static final String FIRST = "SELECT a, b FROM t ORDER BY a LIMIT 3";

    @Test
    void testAllRows()
    {
        assertThat(difference(ALL, result(row(1, 1), row(1, 2)), result(row(1, 2), row(1, 1)))).isEmpty();
        assertThat(difference(ALL, result(row(1, 1), row(1, 2)), result(row(1, 1), row(1, 3)))).contains("1 rows only in x: (1, 2); 1 rows only in y: (1, 3)");
        assertThat(difference(ALL, result(row(1, 1)), result())).contains("1 rows in x; 0 rows in y");
        assertThat(difference(ALL, result(), result())).isEmpty();
    }

    /**
     * Other rows may be equal to the last one in the order.
     */
    @Test
    void testTiesAtTheEnd()
    {
        assertThat(difference(FIRST, result(row(1, 1), row(2, 2), row(2, 3)), result(row(1, 1), row(2, 4), row(2, 2)))).isEmpty();
        // A row before the last ones
        assertThat(difference(FIRST, result(row(1, 1), row(2, 2), row(2, 3)), result(row(1, 9), row(2, 2), row(2, 3))))
                .contains("1 rows only in x: (1, 1); 1 rows only in y: (1, 9)");
        // A column of the order
        assertThat(difference(FIRST, result(row(1, 1), row(2, 2), row(2, 3)), result(row(1, 1), row(2, 2), row(3, 3)))).contains("1 rows only in x: (2); 1 rows only in y: (3)");
    }

    @Test
    void testFewerRowsThanTheLimit()
    {
        assertThat(difference(FIRST, result(row(1, 1), row(2, 2)), result(row(1, 1), row(2, 3)))).isPresent();
        assertThat(difference("SELECT a, b FROM t LIMIT 3", result(row(1, 1), row(2, 2)), result(row(1, 1), row(2, 3)))).isPresent();
    }

    @Test
    void testLimitWithoutOrder()
    {
        assertThat(difference("SELECT a, b FROM t LIMIT 2", result(row(1, 1), row(2, 2)), result(row(5, 5), row(6, 6)))).isEmpty();
        assertThat(difference("SELECT a, b FROM t LIMIT 2", result(row(1, 1), row(2, 2)), result(row(5, 5)))).isPresent();
    }

    @Test
    void testOffset()
    {
        String sql = "SELECT a, b FROM t ORDER BY a OFFSET 5 LIMIT 3";
        assertThat(difference(sql, result(row(1, 1), row(2, 2), row(3, 3)), result(row(1, 7), row(2, 2), row(3, 8)))).isEmpty();
        assertThat(difference(sql, result(row(1, 1), row(2, 2), row(3, 3)), result(row(1, 1), row(2, 7), row(3, 3)))).isPresent();
        // The last rows are all that are left
        assertThat(difference(sql, result(row(1, 1), row(2, 2)), result(row(1, 7), row(2, 2)))).isEmpty();
        assertThat(difference(sql, result(row(1, 1), row(2, 2)), result(row(1, 1), row(2, 7)))).isPresent();
    }

    @Test
    void testWithTies()
    {
        String sql = "SELECT a, b FROM t ORDER BY a FETCH FIRST 2 ROWS WITH TIES";
        assertThat(difference(sql, result(row(1, 1), row(2, 2), row(2, 3)), result(row(1, 1), row(2, 2), row(2, 4)))).isPresent();
        assertThat(difference("SELECT a, b FROM t ORDER BY a FETCH FIRST 2 ROWS ONLY", result(row(1, 1), row(2, 2)), result(row(1, 1), row(2, 4)))).isEmpty();
    }

    @Test
    void testSortColumns()
    {
        assertThat(sortColumns("SELECT a, b FROM t ORDER BY b, a LIMIT 1")).containsExactly(1, 0);
        assertThat(sortColumns("SELECT a, b FROM t ORDER BY 2 DESC LIMIT 1")).containsExactly(1);
        assertThat(sortColumns("SELECT t.x, sum(y) FROM t GROUP BY t.x ORDER BY sum(y) DESC, t.x LIMIT 1")).containsExactly(1, 0);
        assertThat(sortColumns("SELECT * FROM t ORDER BY B, a LIMIT 1")).containsExactly(1, 0);
        assertThat(sortColumns("SELECT a, b FROM t UNION ALL SELECT a, b FROM u ORDER BY b LIMIT 1")).containsExactly(1);
        assertThat(sortColumns("WITH u AS (SELECT * FROM t ORDER BY a LIMIT 1) SELECT a, b FROM u ORDER BY b LIMIT 1")).containsExactly(1);
        // The columns after one that is not selected only decide between some rows
        assertThat(sortColumns("SELECT a, b FROM t ORDER BY b, c, a LIMIT 1")).containsExactly(1);
        assertThat(sortColumns("SELECT a, b FROM t ORDER BY c, a LIMIT 1")).isEmpty();
        assertThat(sortColumns("SELECT a, b FROM t LIMIT 1")).isEmpty();
    }

    @Test
    void testBenchmarks()
    {
        List<ResultOrder> tpcds = IntStream.rangeClosed(1, 99)
                .mapToObj(number -> ResultOrder.parse(TpcdsQueries.text(number)))
                .collect(toImmutableList());
        assertThat(tpcds).filteredOn(order -> order.isCutAtEnd(100)).hasSizeGreaterThan(70);
        assertThat(tpcds).noneMatch(ResultOrder::offset);
        assertThat(IntStream.rangeClosed(1, 22).mapToObj(number -> ResultOrder.parse(TpchQueries.text(number, TpcdsScale.parse("tiny")))).toList())
                .filteredOn(order -> order.limit().isPresent()).hasSize(4);
        List<ResultOrder> clickBench = ClickBenchQuery.all().stream()
                .map(query -> ResultOrder.parse(query.sql()))
                .collect(toImmutableList());
        assertThat(clickBench).filteredOn(ResultOrder::offset).isNotEmpty();
        assertThat(clickBench).filteredOn(order -> order.limit().isPresent()).hasSizeGreaterThan(20);
    }

    private static List<Integer> sortColumns(String sql)
    {
        return ResultOrder.parse(sql).sortColumns(ImmutableList.of("a", "b"));
    }

    private static Optional<String> difference(String sql, MaterializedResult expected, MaterializedResult actual)
    {
        return new DeterminedRows(sql).difference("x", expected, "y", actual);
    }

    private static MaterializedResult result(MaterializedRow... rows)
    {
        return new MaterializedResult(Optional.empty(), Arrays.asList(rows), nCopies(2, (Type) BIGINT), ImmutableList.of("a", "b"));
    }

    private static MaterializedRow row(long a, long b)
    {
        return new MaterializedRow(ImmutableList.of(a, b));
    }
}
