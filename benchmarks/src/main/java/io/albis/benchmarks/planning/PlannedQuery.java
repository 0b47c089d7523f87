package io.albis.benchmarks.planning;

import static java.util.Objects.requireNonNull;

/**
 * The queries whose first split is measured.
 */
public enum PlannedQuery
{
    ALL("all row groups") {
        @Override
        String sql(int rowGroups)
        {
            return "SELECT sum(column_3) FROM " + ManyRowGroups.table(rowGroups);
        }
    },
    ONE("one value of a sorted column") {
        @Override
        String sql(int rowGroups)
        {
            long value = (long) ManyRowGroups.SORTED_VALUES * rowGroups / 2;
            return "SELECT sum(column_3) FROM %s WHERE column_1 = %s".formatted(ManyRowGroups.table(rowGroups), value);
        }
    },
    HALF("half of a sorted column") {
        @Override
        String sql(int rowGroups)
        {
            long limit = (long) ManyRowGroups.SORTED_VALUES * rowGroups / 2;
            return "SELECT sum(column_3) FROM %s WHERE column_1 <= %s".formatted(ManyRowGroups.table(rowGroups), limit);
        }
    },
    UNSORTED("half of a column that is not sorted") {
        @Override
        String sql(int rowGroups)
        {
            return "SELECT sum(column_3) FROM %s WHERE column_2 < 500".formatted(ManyRowGroups.table(rowGroups));
        }
    },
    JOIN("a join, which needs estimates") {
        @Override
        String sql(int rowGroups)
        {
            String table = ManyRowGroups.table(rowGroups);
            return "SELECT count(a.column_3), count(b.column_3) FROM %s a JOIN %s b ON a.column_1 = b.column_2 WHERE a.column_1 < 100".formatted(table, table);
        }
    },
    LIMIT("LIMIT 10") {
        @Override
        String sql(int rowGroups)
        {
            return "SELECT * FROM %s LIMIT 10".formatted(ManyRowGroups.table(rowGroups));
        }
    },
    TOP_N("ORDER BY a sorted column LIMIT 10") {
        @Override
        String sql(int rowGroups)
        {
            return "SELECT * FROM %s ORDER BY column_1 DESC LIMIT 10".formatted(ManyRowGroups.table(rowGroups));
        }
    };

    private final String title;

    PlannedQuery(String title)
    {
        this.title = requireNonNull(title, "title is null");
    }

    abstract String sql(int rowGroups);

    @Override
    public String toString()
    {
        return title;
    }
}
