package io.albis.trino.statistics;

import com.google.common.collect.ImmutableList;
import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.SortedLoad;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryRunner;
import io.trino.testing.sql.TestTable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

/**
 * Estimates of random predicates on tables that are sorted by one column. After pruning by a predicate on that column,
 * only the first and the last row group of each range have to be estimated, so the error is bounded by their size.
 */
@Tag("slow")
final class TestRandomRowEstimates
        extends AbstractTestQueryFramework
{
    private static final int ROWS = 15_000;
    private static final int ROW_GROUP_ROWS = 500;
    private static final int PREDICATES = 5;

    private static final List<Column> COLUMNS = ImmutableList.of(
            new Column("a_bigint", "bigint", "orderkey"),
            new Column("a_sparse", "bigint", "if(orderkey % 7 > 0, orderkey * orderkey)"),
            new Column("an_integer", "integer", "CAST(orderkey % 97 AS integer)"),
            new Column("a_double", "double", "if(orderkey % 11 > 0, totalprice)"),
            new Column("a_decimal", "decimal(38,2)", "CAST(totalprice AS decimal(38, 2))"),
            new Column("a_boolean", "boolean", "if(orderkey % 5 > 0, orderkey % 3 = 0)"),
            new Column("a_date", "date", "orderdate"),
            new Column("a_time", "time(3)", "date_add('second', orderkey % 86400, TIME '00:00:00.000')"),
            new Column("a_timestamp", "timestamp(6)", "CAST(from_unixtime(orderkey * 1000) AS timestamp(6))"),
            new Column("a_zoned_timestamp", "timestamp(3) with time zone", "from_unixtime(orderkey * 1000, 'Asia/Tokyo')"),
            new Column("a_clerk", "varchar", "CAST(clerk AS varchar)"),
            new Column("a_text", "varchar", "if(orderkey % 13 > 0, CAST(comment AS varchar))"),
            new Column("a_word", "varchar", "CAST(orderpriority AS varchar)"),
            new Column("a_uuid", "uuid", "CAST(md5(to_utf8(CAST(orderkey AS varchar))) AS uuid)"));

    private record Column(String name, String type, String expression) {}

    private record TableStats(double rows, List<MaterializedRow> columns) {}

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return AlbisQueryRunner.builder().setWorkerCount(0).build();
    }

    @Test
    void testSorted()
    {
        long seed = new Random().nextLong();
        System.out.println("Predicates by seed " + seed);
        Random random = new Random(seed);
        String columns = COLUMNS.stream().map(column -> column.expression() + " " + column.name()).collect(joining(", "));
        Column sortedBy = random.nextBoolean() ? pick(random) : COLUMNS.get(random.nextBoolean() ? 10 : 5);
        String definition = "WITH (row_group_rows = %s) AS SELECT %s FROM tpch.tiny.orders ORDER BY %s".formatted(ROW_GROUP_ROWS, columns, sortedBy.name());
        try (TestTable table = new TestTable(sql -> getQueryRunner().execute(SortedLoad.session(getSession()), sql), "test_sorted", definition)) {
            for (int i = 0; i < PREDICATES; i++) {
                Column column = i % 2 == 0 ? sortedBy : pick(random);
                String predicate = predicate(random, table.getName(), column);
                assertEstimate(table.getName(), predicate, column.equals(sortedBy));
                Column other = pick(random);
                if (!other.equals(column)) {
                    assertEstimate(table.getName(), "(%s) AND (%s)".formatted(predicate, predicate(random, table.getName(), other)), false);
                }
            }
        }
    }

    private static Column pick(Random random)
    {
        return COLUMNS.get(random.nextInt(COLUMNS.size()));
    }

    private void assertEstimate(String table, String predicate, boolean bounded)
    {
        long truth = (long) computeScalar("SELECT count(*) FROM %s WHERE %s".formatted(table, predicate));
        TableStats stats = stats("(SELECT * FROM %s WHERE %s)".formatted(table, predicate));
        String description = "%s: %s of %s".formatted(predicate, stats.rows(), truth);
        assertThat(stats.rows()).as(description).isFinite().isBetween(0.0, (double) ROWS);
        if (truth > 0) {
            assertThat(stats.rows()).as(description).isGreaterThan(0);
        }
        if (bounded) {
            // A range has two ends, and a list has up to four values
            assertThat(stats.rows()).as(description).isCloseTo(truth, offset(4.0 * ROW_GROUP_ROWS));
        }
        for (MaterializedRow column : stats.columns()) {
            for (int field : new int[] {1, 2, 3}) {
                Double value = (Double) column.getField(field);
                if (value != null) {
                    assertThat(value).as(description + " " + column).isFinite().isNotNegative();
                }
            }
            if (column.getField(2) != null) {
                assertThat((double) column.getField(2)).as(description + " " + column).isLessThanOrEqualTo(stats.rows() + 1e-6);
            }
            if (column.getField(3) != null) {
                assertThat((double) column.getField(3)).as(description + " " + column).isLessThanOrEqualTo(1);
            }
        }
    }

    private TableStats stats(String relation)
    {
        List<MaterializedRow> rows = computeActual("SHOW STATS FOR " + relation).getMaterializedRows();
        List<MaterializedRow> columns = rows.stream().filter(row -> row.getField(0) != null).toList();
        double rowCount = rows.stream()
                .filter(row -> row.getField(0) == null)
                .map(row -> row.getField(4))
                .map(count -> count == null ? Double.NaN : (double) count)
                .findFirst().orElseThrow();
        return new TableStats(rowCount, columns);
    }

    private String predicate(Random random, String table, Column column)
    {
        List<String> values = values(random, table, column);
        String name = column.name();
        String first = values.get(0);
        String second = values.get(1);
        return switch (random.nextInt(9)) {
            case 0 -> "%s < %s".formatted(name, first);
            case 1 -> "%s <= %s".formatted(name, first);
            case 2 -> "%s > %s".formatted(name, first);
            case 3 -> "%s >= %s".formatted(name, first);
            case 4 -> "%s BETWEEN least(%s, %s) AND greatest(%2$s, %3$s)".formatted(name, first, second);
            case 5 -> "%s IN (%s)".formatted(name, String.join(", ", values));
            case 6 -> "%s <> %s".formatted(name, first);
            case 7 -> "%s IS NULL OR %1$s = %s".formatted(name, first);
            default -> "%s IS NOT NULL".formatted(name);
        };
    }

    private List<String> values(Random random, String table, Column column)
    {
        List<String> values = new ArrayList<>();
        for (MaterializedRow row : computeActual("SELECT CAST(%s AS varchar) FROM %s WHERE %1$s IS NOT NULL ORDER BY a_bigint OFFSET %s LIMIT 2".formatted(column.name(), table, random.nextInt(12_000)))) {
            values.add("CAST('%s' AS %s)".formatted(((String) row.getField(0)).replace("'", "''"), column.type()));
        }
        for (MaterializedRow row : computeActual("SELECT CAST(%s AS varchar) FROM %s WHERE %1$s IS NOT NULL ORDER BY a_bigint OFFSET %s LIMIT 2".formatted(column.name(), table, random.nextInt(12_000)))) {
            values.add("CAST('%s' AS %s)".formatted(((String) row.getField(0)).replace("'", "''"), column.type()));
        }
        return values;
    }
}
