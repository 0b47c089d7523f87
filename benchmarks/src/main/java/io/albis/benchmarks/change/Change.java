package io.albis.benchmarks.change;

import io.albis.benchmarks.workload.Fraction;

import static io.albis.benchmarks.change.ChangedTable.TABLE;
import static java.util.Locale.ENGLISH;
import static java.util.Objects.requireNonNull;

/**
 * A statement that changes some rows of the table.
 */
record Change(Statement statement, RowSelection selection, Fraction fraction)
{
    // Columns whose values can be negated. Adding to a decimal would give a type with more digits
    private static final String ONE_COLUMN = "ss_net_profit = -ss_net_profit";
    private static final String SOME_COLUMNS = "ss_quantity = -ss_quantity, ss_sales_price = -ss_sales_price, ss_ext_sales_price = -ss_ext_sales_price, " + ONE_COLUMN;

    public Change
    {
        requireNonNull(statement, "statement is null");
        requireNonNull(selection, "selection is null");
        requireNonNull(fraction, "fraction is null");
    }

    public String name()
    {
        return "%s %s by %s".formatted(statement.title(), fraction, selection);
    }

    /**
     * Returns the name of the table that MERGE reads.
     */
    public String sourceTable()
    {
        return "changes_%s_%s".formatted(selection, fraction.suffix());
    }

    /**
     * Returns the query for the rows that MERGE reads. One in ten is not in the table.
     *
     * @param predicate condition on the rows of {@code source}
     */
    public static String sourceQuery(ChangedTable table, String source, String predicate)
    {
        String columns = String.join(", ", table.columns()).replace("ss_ticket_number", "IF(mod(ss_ticket_number, 10) = 1, -ss_ticket_number, ss_ticket_number) AS ss_ticket_number");
        return "SELECT %s FROM %s WHERE %s".formatted(columns, source, predicate);
    }

    /**
     * Returns the statement.
     *
     * @param predicate condition on the rows of the table
     * @param source qualified name of the table that MERGE reads
     */
    public String sql(ChangedTable table, String predicate, String source)
    {
        return switch (statement) {
            case DELETE -> "DELETE FROM %s WHERE %s".formatted(TABLE, predicate);
            case UPDATE -> "UPDATE %s SET %s WHERE %s".formatted(TABLE, SOME_COLUMNS, predicate);
            case UPDATE_ONE -> "UPDATE %s SET %s WHERE %s".formatted(TABLE, ONE_COLUMN, predicate);
            case MERGE -> """
                          MERGE INTO %s t USING %s s
                          ON t.ss_item_sk = s.ss_item_sk AND t.ss_ticket_number = s.ss_ticket_number
                          WHEN MATCHED AND mod(s.ss_ticket_number, 10) = 0 THEN DELETE
                          WHEN MATCHED THEN UPDATE SET ss_quantity = -s.ss_quantity, ss_net_profit = -s.ss_net_profit
                          WHEN NOT MATCHED THEN INSERT (%s) VALUES (%s)
                          """.formatted(TABLE, source, String.join(", ", table.columns()), "s." + String.join(", s.", table.columns()));
        };
    }

    /**
     * The kinds of statements. MERGE updates eight rows of ten, deletes one, and inserts one.
     */
    enum Statement
    {
        DELETE("DELETE"),
        UPDATE("UPDATE of 4 columns"),
        UPDATE_ONE("UPDATE of one column"),
        MERGE("MERGE"),
        /**/;

        private final String title;

        Statement(String title)
        {
            this.title = requireNonNull(title, "title is null");
        }

        public String title()
        {
            return title;
        }
    }

    /**
     * How the rows are selected: anywhere, by a hash of their key, or next to each other, by a range of dates.
     */
    enum RowSelection
    {
        KEY,
        DATE,
        /**/;

        @Override
        public String toString()
        {
            return name().toLowerCase(ENGLISH);
        }
    }
}
