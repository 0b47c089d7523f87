package io.albis.trino.history;

/**
 * A statement after which the rows of the newest version are the same.
 */
sealed interface Maintenance
        extends Write
{
    record Optimize(String table)
            implements Maintenance
    {
        @Override
        public String sql()
        {
            return execute(table, "optimize");
        }
    }

    /**
     * Sorts the rows by the first column, across all row groups.
     */
    record Sort(String table)
            implements Maintenance
    {
        @Override
        public String sql()
        {
            return execute(table, "optimize(sorted_by => ARRAY['id'])");
        }
    }

    /**
     * Groups the columns in another way.
     *
     * @param apart whether one column gets a group of its own
     */
    record Regroup(String table, boolean apart)
            implements Maintenance
    {
        @Override
        public String sql()
        {
            return execute(table, "regroup(column_groups => ARRAY[%s])".formatted(apart ? "ARRAY['id']" : ""));
        }
    }

    /**
     * Writes an index of the first column to all row groups.
     */
    record AddIndex(String table)
            implements Maintenance
    {
        @Override
        public String sql()
        {
            return execute(table, "add_index(columns => ARRAY['id'])");
        }
    }

    record DropIndex(String table)
            implements Maintenance
    {
        @Override
        public String sql()
        {
            return execute(table, "drop_index(columns => ARRAY['id'])");
        }
    }

    record Expire(String table, long retentionSeconds)
            implements Maintenance
    {
        @Override
        public String sql()
        {
            return executeWithRetention(table, "expire_snapshots", retentionSeconds);
        }
    }

    /**
     * Removes the files of writes that have failed, and of those that take longer than the retention.
     */
    record RemoveOrphans(String table, long retentionSeconds)
            implements Maintenance
    {
        @Override
        public String sql()
        {
            return executeWithRetention(table, "remove_orphan_files", retentionSeconds);
        }
    }

    /**
     * Deletes the files of dropped tables, and of loads that have failed or take longer than the retention.
     */
    record Vacuum(long retentionSeconds)
            implements Maintenance
    {
        private static final String ALL_TABLES = "*";

        @Override
        public String table()
        {
            return ALL_TABLES;
        }

        @Override
        public String sql()
        {
            return "CALL albis.system.vacuum(retention_threshold => '%ss')".formatted(retentionSeconds);
        }
    }

    static String execute(String table, String procedure)
    {
        return "ALTER TABLE %s EXECUTE %s".formatted(table, procedure);
    }

    private static String executeWithRetention(String table, String procedure, long seconds)
    {
        return execute(table, "%s(retention_threshold => '%ss')".formatted(procedure, seconds));
    }
}
