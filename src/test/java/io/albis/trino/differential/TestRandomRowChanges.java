package io.albis.trino.differential;

import com.google.common.base.Splitter;
import com.google.common.collect.HashMultiset;
import com.google.common.collect.Multiset;
import io.albis.TestTier;
import io.albis.trino.RandomAccessPaths;
import io.trino.testing.MaterializedRow;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs random DELETE, UPDATE, MERGE, INSERT, and TRUNCATE statements, optimizations, regroupings, and rollbacks on a
 * table, which can be sorted and have indexes. Replays the changes that table_changes returns.
 */
final class TestRandomRowChanges
        extends BaseRandomStatementsTest
{
    private static final int ROWS = 3000;
    private static final List<String> COLUMNS = List.of("id", "a", "b", "c", "d");

    TestRandomRowChanges()
    {
        super("row-changes.seed", "changes", TestTier.isComplete() ? 6 : 4);
    }

    @Override
    Round createRound(long seed)
    {
        return new RowChanges(seed);
    }

    @Test
    void testRandomStatements()
    {
        run(1);
    }

    @Test
    @Tag("slow")
    void testManyRandomStatements()
    {
        run(4);
    }

    private final class RowChanges
            extends Round
    {
        RowChanges(long seed)
        {
            super(seed);
        }

        @Override
        String firstRows()
        {
            return rows(0, ROWS);
        }

        @Override
        String properties()
        {
            String groups = switch (random.nextInt(4)) {
                case 0 -> "column_groups = ARRAY[ARRAY['id'], ARRAY['a', 'b'], ARRAY['c', 'd']], ";
                case 1 -> "column_groups = ARRAY[ARRAY['d', 'id'], ARRAY['c', 'a', 'b']], column_group_layouts = ARRAY['row', 'block'], ";
                case 2 -> "layout = 'row', ";
                // one group of all columns
                default -> "";
            };
            return "WITH (%srow_group_rows = %s, segment_size = '%skB'%s)".formatted(groups, 100 + random.nextInt(ROWS), 1 << random.nextInt(8), RandomAccessPaths.properties(random, COLUMNS));
        }

        /**
         * Returns a query for rows with the given ids. Half of the values are the same in many rows.
         */
        private String rows(long firstId, long count)
        {
            return """
                   SELECT id, IF(id %% 11 = 0, NULL, CAST(id %% 100 AS integer)) a, IF(id %% 13 = 0, NULL, 'text ' || CAST(id %% 37 AS varchar)) b, CAST(id AS double) / 7 c, date_add('day', id / 50, DATE '2020-01-01') d
                   FROM UNNEST(sequence(%s, %s)) t (id)
                   """.formatted(firstId, firstId + count - 1);
        }

        private String predicate()
        {
            int id = random.nextInt(ROWS);
            return switch (random.nextInt(10)) {
                case 0 -> "id BETWEEN %s AND %s".formatted(id, id + random.nextInt(ROWS));
                case 1 -> "id = " + id;
                case 2 -> "a = " + random.nextInt(100);
                case 3 -> "a > " + random.nextInt(100);
                case 4 -> "b LIKE '%%%s'".formatted(random.nextInt(10));
                case 5 -> "a IS NULL";
                case 6 -> "d >= date_add('day', %s, DATE '2020-01-01')".formatted(random.nextInt(ROWS / 50));
                case 7 -> "id %% %s = 0 AND b IN ('text 1', 'text 2', 'text 7')".formatted(1 + random.nextInt(3));
                case 8 -> "b IS NOT NULL OR c < " + random.nextInt(ROWS / 7);
                default -> "%s %% %s = %s".formatted(random.nextBoolean() ? "id" : "a", 2 + random.nextInt(20), random.nextInt(2));
            };
        }

        @Override
        long statement()
        {
            return switch (random.nextInt(18)) {
                case 0, 1, 2, 3 -> delete(predicate());
                case 4 -> delete("id IN (SELECT id FROM %s WHERE %s)".formatted("%TABLE%", predicate()));
                case 5, 6, 7 -> update();
                case 8, 9 -> merge();
                case 10 -> insert();
                case 11, 12 -> optimizeTable();
                case 13 -> rollback();
                case 14, 15 -> rewriteColumns(RandomGrouping.call(random, COLUMNS));
                case 16 -> rewriteColumns("%s(columns => ARRAY['%s'])".formatted(random.nextInt(3) == 0 ? "drop_index" : "add_index", COLUMNS.get(random.nextInt(COLUMNS.size()))));
                default -> random.nextInt(3) == 0 ? truncate() : insert();
            };
        }

        private long delete(String predicate)
        {
            String model = predicate.replace("%TABLE%", expected());
            long rows = count(model);
            nextExpected("SELECT * FROM %s WHERE NOT coalesce(%s, false)".formatted(expected(), model));
            update("DELETE FROM %s WHERE %s".formatted(actual, predicate.replace("%TABLE%", actual)), rows);
            return rows;
        }

        private long update()
        {
            String predicate = predicate();
            String a = random.nextBoolean() ? "a + 1" : "CAST(NULL AS integer)";
            String b = random.nextBoolean() ? "b" : "coalesce(b, 'none') || 'x'";
            String id = random.nextInt(4) == 0 ? "id + %s".formatted(random.nextInt(ROWS)) : "id";
            long rows = count(predicate);
            String before = expected();
            long version = newestVersion();
            nextExpected("SELECT IF(%1$s, %2$s, id) id, IF(%1$s, %3$s, a) a, IF(%1$s, %4$s, b) b, c, d FROM %5$s".formatted(predicate, id, a, b, expected()));
            String assignments = "a = %s%s%s".formatted(a, b.equals("b") ? "" : ", b = " + b, id.equals("id") ? "" : ", id = " + id);
            update("UPDATE %s SET %s WHERE %s".formatted(actual, assignments, predicate), rows);
            assertThat(rows("%s FOR VERSION AS OF %s".formatted(actual, version), "true")).isEqualTo(rows(before, "true"));
            return rows;
        }

        private long merge()
        {
            String source = rows(random.nextInt(2 * ROWS), 1 + random.nextInt(ROWS)) + "WHERE id %% %s = 0".formatted(1 + random.nextInt(50));
            int modulus = 2 + random.nextInt(3);
            String deleted = "coalesce(s.id %% %s = 0, false)".formatted(modulus);
            long rows = (long) expect("SELECT (SELECT count(*) FROM %1$s t JOIN (%2$s) s ON t.id = s.id) + (SELECT count(*) FROM (%2$s) WHERE id NOT IN (SELECT id FROM %1$s))".formatted(expected(), source)).getOnlyValue();
            nextExpected(
                    """
                    SELECT t.id, IF(s.id IS NULL, t.a, s.a) a, IF(s.id IS NULL, t.b, t.b || '+') b, t.c, t.d
                    FROM %1$s t LEFT JOIN (%2$s) s ON t.id = s.id
                    WHERE NOT %3$s
                    UNION ALL
                    SELECT * FROM (%2$s) WHERE id NOT IN (SELECT id FROM %1$s)
                    """.formatted(expected(), source, deleted));
            update(
                    """
                    MERGE INTO %s t USING (%s) s ON t.id = s.id
                    WHEN MATCHED AND %s THEN DELETE
                    WHEN MATCHED THEN UPDATE SET a = s.a, b = t.b || '+'
                    WHEN NOT MATCHED THEN INSERT VALUES (s.id, s.a, s.b, s.c, s.d)
                    """.formatted(actual, source, deleted),
                    rows);
            return rows;
        }

        private long insert()
        {
            int count = 1 + random.nextInt(ROWS / 2);
            String rows = rows(random.nextInt(ROWS), count);
            nextExpected("SELECT * FROM %s UNION ALL %s".formatted(expected(), rows));
            update("INSERT INTO %s %s".formatted(actual, rows), count);
            return count;
        }

        private long truncate()
        {
            nextExpected("SELECT * FROM %s WHERE false".formatted(expected()));
            execute("TRUNCATE TABLE " + actual);
            return 0;
        }

        /**
         * Afterwards, the version before and the new one have the same rows.
         */
        private long optimizeTable()
        {
            long version = newestVersion();
            optimize(random.nextBoolean() ? "" : "WHERE id >= " + random.nextInt(ROWS));
            assertThat(read("SELECT count(*) FROM " + changes(version, newestVersion())).getOnlyValue()).isEqualTo(0L);
            assertThat(rows("%s FOR VERSION AS OF %s".formatted(actual, version), "true")).isEqualTo(rows(expected(), "true"));
            return 0;
        }

        /**
         * Afterwards, the version before and the new one have the same rows at the same places.
         */
        private long rewriteColumns(String procedure)
        {
            long version = newestVersion();
            String where = random.nextInt(3) == 0 ? "WHERE id >= " + random.nextInt(ROWS) : "";
            rewrite(procedure, where);
            assertThat(read("SELECT count(*) FROM " + changes(version, newestVersion())).getOnlyValue()).isEqualTo(0L);
            String places = "SELECT count(*), checksum(ROW(\"$row_group\", \"$row_position\", id, a, b, c, d)) FROM " + actual;
            assertThat(read(places).getMaterializedRows()).isEqualTo(read(places + " FOR VERSION AS OF " + version).getMaterializedRows());
            assertThat(rows("%s FOR VERSION AS OF %s".formatted(actual, version), "true")).isEqualTo(rows(expected(), "true"));
            return 0;
        }

        private long rollback()
        {
            long version = 1 + random.nextInt((int) newestVersion());
            nextExpected("SELECT * FROM %s FOR VERSION AS OF %s".formatted(actual, version));
            execute("ALTER TABLE %s EXECUTE rollback_to_snapshot(%s)".formatted(actual, version));
            return 0;
        }

        private long count(String predicate)
        {
            return (long) expect("SELECT count(*) FROM %s WHERE %s".formatted(expected(), predicate)).getOnlyValue();
        }

        private void update(String sql, long rows)
        {
            assertThat(execute(sql).getUpdateCount()).hasValue(rows);
        }

        @Override
        void compare()
        {
            assertThat(rows(actual, "true")).isEqualTo(rows(expected(), "true"));
            String predicate = predicate();
            assertThat(rows(actual, predicate)).as(predicate).isEqualTo(rows(expected(), predicate));
            assertThat(read("SELECT count(*) FROM " + actual).getOnlyValue()).isEqualTo(expect("SELECT count(*) FROM " + expected()).getOnlyValue());
            // each row has an address of its own
            assertThat(read("SELECT count(*) - count(DISTINCT (\"$row_group\", \"$row_position\")) FROM " + actual).getOnlyValue()).isEqualTo(0L);
            replayChanges();
        }

        /**
         * Applies the changes since a random version to the rows of this version.
         */
        private void replayChanges()
        {
            long end = newestVersion();
            long start = random.nextBoolean() ? Math.max(1, end - 1) : 1 + random.nextInt((int) end);
            Multiset<List<Object>> replayed = HashMultiset.create();
            rows("%s FOR VERSION AS OF %s".formatted(actual, start), "true").forEach(row -> replayed.add(row.getFields()));
            long ordinal = -1;
            // deletes before inserts
            String query = "SELECT _change_ordinal, _change_type, id, a, b, c, d FROM %s ORDER BY _change_version_id, _change_ordinal, _change_type".formatted(changes(start, end));
            for (MaterializedRow change : read(query).getMaterializedRows()) {
                List<Object> row = change.getFields().subList(2, change.getFieldCount());
                long next = ((Number) change.getField(0)).longValue();
                assertThat(next).isGreaterThanOrEqualTo(ordinal);
                ordinal = next;
                if (change.getField(1).equals("delete")) {
                    assertThat(replayed.remove(row)).as("%s was a row", row).isTrue();
                }
                else {
                    assertThat(change.getField(1)).isEqualTo("insert");
                    replayed.add(row);
                }
            }
            Multiset<List<Object>> rows = HashMultiset.create();
            rows(actual, "true").forEach(row -> rows.add(row.getFields()));
            assertThat(replayed).as("changes after version %s to version %s", start, end).isEqualTo(rows);
        }

        private String changes(long start, long end)
        {
            List<String> name = Splitter.on('.').splitToList(actual);
            return "TABLE(%s.system.table_changes('%s', '%s', %s, %s))".formatted(name.get(0), name.get(1), name.get(2), start, end);
        }
    }
}
