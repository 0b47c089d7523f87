package io.albis.trino.history;

import com.google.common.collect.ImmutableList;
import io.albis.table.model.IsolationLevel;

import java.util.List;

/**
 * A statement that makes a version of a table, unless it has nothing to change.
 */
sealed interface Write
        extends Operation
{
    /**
     * Added to the uid of a row that is copied, for each number of the call.
     */
    long UID_STEP = 1_000_000;

    record Insert(String table, List<Row> rows)
            implements Write
    {
        public Insert
        {
            rows = ImmutableList.copyOf(rows);
        }

        @Override
        public String sql()
        {
            return "INSERT INTO %s %s".formatted(table, Row.toSql(rows));
        }
    }

    /**
     * Inserts copies of rows of the same table.
     */
    record InsertSelect(String table, IdRange range, long writer)
            implements Write
    {
        @Override
        public String sql()
        {
            return "INSERT INTO %1$s SELECT id, uid + %2$s, %3$s, amount + 1 FROM %1$s WHERE %4$s".formatted(table, writer * UID_STEP, writer, range.sql());
        }

        Row copy(Row row)
        {
            return new Row(row.id(), row.uid() + writer * UID_STEP, writer, row.amount() + 1);
        }
    }

    /**
     * @param modulus which of the amounts are deleted; 1 for all
     */
    record Delete(String table, IdRange range, long modulus)
            implements Write
    {
        @Override
        public String sql()
        {
            return "DELETE FROM %s WHERE %s%s".formatted(table, range.sql(), modulus == 1 ? "" : " AND amount %% %s = 0".formatted(modulus));
        }

        boolean matches(Row row)
        {
            return range.contains(row) && row.amount() % modulus == 0;
        }
    }

    /**
     * Deletes the rows whose ids are those of other rows plus a constant.
     */
    record DeleteShifted(String table, IdRange range, long shift)
            implements Write
    {
        @Override
        public String sql()
        {
            return "DELETE FROM %1$s WHERE id IN (SELECT id + %2$s FROM %1$s WHERE %3$s)".formatted(table, shift, range.sql());
        }
    }

    record Update(String table, IdRange range, long writer)
            implements Write
    {
        @Override
        public String sql()
        {
            return "UPDATE %s SET writer = %s, amount = amount + 1 WHERE %s".formatted(table, writer, range.sql());
        }

        Row update(Row row)
        {
            return new Row(row.id(), row.uid(), writer, row.amount() + 1);
        }
    }

    /**
     * @param source rows with different ids
     */
    record Merge(String table, List<Row> source)
            implements Write
    {
        private static final long DELETES = 3;

        public Merge
        {
            source = ImmutableList.copyOf(source);
        }

        @Override
        public String sql()
        {
            return """
                   MERGE INTO %s t USING (%s) s (%s) ON t.id = s.id
                   WHEN MATCHED AND s.amount %% %s = 0 THEN DELETE
                   WHEN MATCHED THEN UPDATE SET writer = s.writer, amount = t.amount + s.amount
                   WHEN NOT MATCHED THEN INSERT VALUES (s.id, s.uid, s.writer, s.amount)
                   """.formatted(table, Row.toSql(source), Row.COLUMNS, DELETES);
        }

        static boolean deletes(Row source)
        {
            return source.amount() % DELETES == 0;
        }

        static Row update(Row target, Row source)
        {
            return new Row(target.id(), target.uid(), source.writer(), target.amount() + source.amount());
        }
    }

    record Truncate(String table)
            implements Write
    {
        @Override
        public String sql()
        {
            return "TRUNCATE TABLE " + table;
        }
    }

    /**
     * Replaces the table, or creates it if there is none of the name.
     */
    record Replace(String table, IsolationLevel isolation, List<Row> rows)
            implements Write
    {
        public Replace
        {
            rows = ImmutableList.copyOf(rows);
        }

        @Override
        public String sql()
        {
            return "CREATE OR REPLACE TABLE %s %s AS SELECT * FROM (%s) t (%s)".formatted(table, properties(isolation), Row.toSql(rows), Row.COLUMNS);
        }
    }

    /**
     * Replaces the table by some of its own rows.
     */
    record ReplaceSelect(String table, IsolationLevel isolation, IdRange range, long writer)
            implements Write
    {
        @Override
        public String sql()
        {
            return "CREATE OR REPLACE TABLE %1$s %2$s AS SELECT id, uid, BIGINT '%3$s' writer, amount FROM %1$s WHERE %4$s".formatted(table, properties(isolation), writer, range.sql());
        }

        Row copy(Row row)
        {
            return new Row(row.id(), row.uid(), writer, row.amount());
        }
    }

    record Rename(String table, String to)
            implements Write
    {
        @Override
        public String sql()
        {
            return "ALTER TABLE %s RENAME TO %s".formatted(table, to);
        }
    }

    record Rollback(String table, long version)
            implements Write
    {
        @Override
        public String sql()
        {
            return execute(table, "rollback_to_snapshot(snapshot_id => %s)".formatted(version));
        }
    }

    record CreateTag(String table, String tag, long version)
            implements Write
    {
        @Override
        public String sql()
        {
            return execute(table, "create_tag(name => '%s', snapshot_id => %s)".formatted(tag, version));
        }
    }

    record DropTag(String table, String tag)
            implements Write
    {
        @Override
        public String sql()
        {
            return execute(table, "drop_tag(name => '%s')".formatted(tag));
        }
    }

    record Expire(String table, long retentionSeconds)
            implements Write
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
            implements Write
    {
        @Override
        public String sql()
        {
            return executeWithRetention(table, "remove_orphan_files", retentionSeconds);
        }
    }

    /**
     * Returns properties with which some of the UPDATE and MERGE statements update rows in place: those of a few row
     * groups with few rows, in which the updated columns have files of their own.
     */
    private static String properties(IsolationLevel isolation)
    {
        return "WITH (isolation_level = '%s', row_group_rows = 10, column_groups = ARRAY[ARRAY['id'], ARRAY['uid'], ARRAY['writer', 'amount']])".formatted(isolation);
    }

    private static String execute(String table, String procedure)
    {
        return "ALTER TABLE %s EXECUTE %s".formatted(table, procedure);
    }

    private static String executeWithRetention(String table, String procedure, long seconds)
    {
        return execute(table, "%s(retention_threshold => '%ss')".formatted(procedure, seconds));
    }
}
