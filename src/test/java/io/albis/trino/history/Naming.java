package io.albis.trino.history;

import java.util.Optional;

/**
 * A statement that gives a table a name or takes it away.
 */
sealed interface Naming
        extends Write
{
    /**
     * Returns the name that an operation gives a table, if it does.
     */
    static Optional<String> newName(Operation operation)
    {
        return switch (operation) {
            case Rename rename -> Optional.of(rename.to());
            case Register register -> Optional.of(register.table());
            default -> Optional.empty();
        };
    }

    record Rename(String table, String to)
            implements Naming
    {
        @Override
        public String sql()
        {
            return "ALTER TABLE %s RENAME TO %s".formatted(table, to);
        }
    }

    /**
     * Drops the table. Nobody can read its last version, which has no name.
     */
    record Drop(String table)
            implements Naming
    {
        @Override
        public String sql()
        {
            return "DROP TABLE " + table;
        }
    }

    record Unregister(String table)
            implements Naming
    {
        @Override
        public String sql()
        {
            return "CALL albis.system.unregister_table(schema_name => '%s', table_name => '%s')".formatted(HistoryRun.SCHEMA, table);
        }
    }

    /**
     * Gives a name to a table that was unregistered.
     *
     * @param location folder of the table
     */
    record Register(String table, String location)
            implements Naming
    {
        @Override
        public String sql()
        {
            return "CALL albis.system.register_table(schema_name => '%s', table_name => '%s', table_location => '%s')".formatted(HistoryRun.SCHEMA, table, location);
        }
    }
}
