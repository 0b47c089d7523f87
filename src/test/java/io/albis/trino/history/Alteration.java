package io.albis.trino.history;

/**
 * A change of the columns that tables have beside those of {@link Row#COLUMNS}.
 */
sealed interface Alteration
        extends Write
{
    /**
     * Adds a column that is null in all rows.
     */
    record AddColumn(String table, String column)
            implements Alteration
    {
        @Override
        public String sql()
        {
            return "ALTER TABLE %s ADD COLUMN %s bigint".formatted(table, column);
        }
    }

    record DropColumn(String table, String column)
            implements Alteration
    {
        @Override
        public String sql()
        {
            return "ALTER TABLE %s DROP COLUMN %s".formatted(table, column);
        }
    }

    record RenameColumn(String table, String column, String to)
            implements Alteration
    {
        @Override
        public String sql()
        {
            return "ALTER TABLE %s RENAME COLUMN %s TO %s".formatted(table, column, to);
        }
    }
}
