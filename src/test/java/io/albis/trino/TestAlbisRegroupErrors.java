package io.albis.trino;

import com.google.common.collect.ImmutableList;
import io.trino.testing.sql.TestTable;
import org.junit.jupiter.api.Test;

import static io.trino.spi.StandardErrorCode.INVALID_PROCEDURE_ARGUMENT;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Arguments that ALTER TABLE EXECUTE regroup refuses.
 */
final class TestAlbisRegroupErrors
        extends BaseRegroupTest
{
    TestAlbisRegroupErrors()
    {
        super(0);
    }

    @Test
    void testArguments()
    {
        try (TestTable table = newTrinoTable("arguments", "(a bigint, b bigint)")) {
            assertArgumentFails(table, "regroup", "Without the argument column_groups, the procedure regroup groups the columns that queries read together, and this coordinator has recorded no query on table tpch.%s since it was started. Run some queries, or set column_groups, such as column_groups => ARRAY[ARRAY['a', 'b'], ARRAY['c']]".formatted(table.getName()));
            for (String argument : ImmutableList.of("column_group_layouts => ARRAY['row']", "column_group_compressions => ARRAY['lz4']")) {
                assertArgumentFails(table, "regroup(%s)".formatted(argument), "column_group_layouts and column_group_compressions of the procedure regroup require the argument column_groups, such as column_groups => ARRAY[ARRAY['a', 'b'], ARRAY['c']]");
            }
            assertArgumentFails(table, "regroup(column_groups => ARRAY[ARRAY['a'], ARRAY['x']])", "column_groups names column 'x', which the table does not have; its columns are: a, b");
            assertArgumentFails(table, "regroup(column_groups => ARRAY[ARRAY['a', 'B'], ARRAY['b']])", "column_groups names column 'b' twice; a column can be in one group only");
            assertArgumentFails(table, "regroup(column_groups => ARRAY[ARRAY['a']], column_group_layouts => ARRAY['row', 'row'])", "column_group_layouts must have one layout for each group in column_groups; layouts: 2, groups: 1");
            assertArgumentFails(table, "regroup(column_groups => ARRAY[ARRAY['a']], column_group_compressions => ARRAY[])", "column_group_compressions must have one compression for each group in column_groups; compressions: 0, groups: 1");
            for (String value : ImmutableList.of("ARRAY[ARRAY[]]", "ARRAY[NULL]", "ARRAY[ARRAY[NULL]]")) {
                assertTrinoExceptionThrownBy(() -> computeActual("ALTER TABLE %s EXECUTE regroup(column_groups => %s)".formatted(table.getName(), value))).as(value)
                        .hasErrorCode(INVALID_PROCEDURE_ARGUMENT);
            }
            assertTrinoExceptionThrownBy(() -> computeActual("ALTER TABLE %s EXECUTE regroup(column_groups => ARRAY[ARRAY['a']], column_group_layouts => ARRAY['x'])".formatted(table.getName())))
                    .hasErrorCode(INVALID_PROCEDURE_ARGUMENT)
                    .hasMessageContaining("column_group_layouts must be 'row' or 'block': x");
            assertThat(version(table)).isEqualTo(1);
            // a table without rows
            regroup(table, GROUPS + "ARRAY['b'], ARRAY['a']])");
            assertThat(version(table)).isEqualTo(2);
            assertThat((String) computeScalar("SHOW CREATE TABLE " + table.getName())).contains("ARRAY[ARRAY['b'],ARRAY['a']]");
            regroup(table, GROUPS + "ARRAY['b'], ARRAY['a']])");
            assertThat(version(table)).isEqualTo(2);
        }
        assertQueryFails(REGROUP.formatted("missing"), ".*Table 'albis.*missing' does not exist");
        try (TestTable table = newTrinoTable("hidden", "(a bigint)")) {
            assertTrinoExceptionThrownBy(() -> computeActual("ALTER TABLE \"%s$files\" EXECUTE regroup(column_groups => ARRAY[ARRAY['a']])".formatted(table.getName()))).hasErrorCode(NOT_SUPPORTED);
        }
    }

    @Test
    void testColumnsOfDifferentGroups()
    {
        try (TestTable table = newTrinoTable("layouts", "(a bigint, b varchar) WITH (column_groups = ARRAY[ARRAY['a'], ARRAY['b']], column_group_layouts = ARRAY['row', 'block'])")) {
            assertTrinoExceptionThrownBy(() -> regroup(table, GROUPS + "ARRAY['a', 'b']])"))
                    .hasErrorCode(INVALID_PROCEDURE_ARGUMENT)
                    .hasMessage("Column 'a' has the layout 'row' and column 'b' the layout 'block', but they are in one group in column_groups. Set a layout for each group with column_group_layouts");
        }
        try (TestTable table = newTrinoTable("compressions", "(a bigint, b varchar) WITH (column_groups = ARRAY[ARRAY['a'], ARRAY['b']], column_group_compressions = ARRAY['none', 'zstd'])")) {
            assertTrinoExceptionThrownBy(() -> regroup(table, GROUPS + "ARRAY['a', 'b']])"))
                    .hasErrorCode(INVALID_PROCEDURE_ARGUMENT)
                    .hasMessage("Column 'a' has the compression 'none' and column 'b' the compression 'zstd', but they are in one group in column_groups. Set a compression for each group with column_group_compressions");
        }
    }

    /**
     * The predicate selects row groups by their bounds, so it cannot select rows.
     */
    @Test
    void testUnsupportedPredicates()
    {
        try (TestTable table = newTrinoTable("predicates", "(a bigint, b varchar)")) {
            assertUpdate("INSERT INTO %s VALUES (10, 'x'), (15, 'y')".formatted(table.getName()), 2);
            String regroup = GROUPS + "ARRAY['b'], ARRAY['a']])";
            long version = version(table);
            for (String where : ImmutableList.of("mod(a, 2) = 0", "a = 10 AND rand() < 2", "b LIKE '%%x%%'", "\"$path\" = 'x'", "a + 0 = 10")) {
                assertThatThrownBy(() -> regroup(table, regroup + " WHERE " + where)).as(where)
                        .hasMessage("Unexpected FilterNode found in plan; probably connector was not able to handle provided WHERE expression");
            }
            assertThatThrownBy(() -> regroup(table, regroup + " WHERE a IN (SELECT 10)")).hasMessageContaining("probably connector was not able to handle provided WHERE expression");
            assertThat(version(table)).isEqualTo(version);
        }
    }

    private void assertArgumentFails(TestTable table, String call, String message)
    {
        assertTrinoExceptionThrownBy(() -> computeActual("ALTER TABLE %s EXECUTE %s".formatted(table.getName(), call)))
                .hasErrorCode(INVALID_PROCEDURE_ARGUMENT)
                .hasMessage(message);
    }
}
