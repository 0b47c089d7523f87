package io.albis.trino.history;

import com.google.common.collect.ImmutableList;
import io.albis.table.model.IsolationLevel;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A statement that makes a version of a table, unless it has nothing to change.
 */
sealed interface Write
        extends Operation
        permits Alteration,
                Maintenance,
                Naming,
                Write.Create,
                Write.CreateTag,
                Write.Delete,
                Write.DeleteShifted,
                Write.DropTag,
                Write.Insert,
                Write.InsertSelect,
                Write.Merge,
                Write.Move,
                Write.Replace,
                Write.ReplaceSelect,
                Write.Rollback,
                Write.SetColumn,
                Write.Truncate,
                Write.Update
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
            return "INSERT INTO %s (%s) %s".formatted(table, Row.COLUMNS, Row.toSql(rows));
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
            return "INSERT INTO %1$s (%5$s) SELECT id, uid + %2$s, %3$s, amount + 1 FROM %1$s WHERE %4$s".formatted(table, writer * UID_STEP, writer, range.sql(), Row.COLUMNS);
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
            return new Row(row.id(), row.uid(), writer, row.amount() + 1, row.added());
        }
    }

    /**
     * Sets a column that was added to the table.
     */
    record SetColumn(String table, String column, IdRange range, long writer)
            implements Write
    {
        @Override
        public String sql()
        {
            return "UPDATE %s SET writer = %s, %s = %s WHERE %s".formatted(table, writer, column, writer, range.sql());
        }

        Row update(Row row)
        {
            Map<String, Long> added = new HashMap<>(row.added());
            added.put(column, writer);
            return new Row(row.id(), row.uid(), writer, row.amount(), added);
        }
    }

    /**
     * Changes the column by which statements select rows.
     *
     * @param shift is added to the ids, which stay less than the modulus
     */
    record Move(String table, IdRange range, long shift, long modulus, long writer)
            implements Write
    {
        @Override
        public String sql()
        {
            return "UPDATE %s SET writer = %s, id = (id + %s) %% %s WHERE %s".formatted(table, writer, shift, modulus, range.sql());
        }

        Row update(Row row)
        {
            return new Row((row.id() + shift) % modulus, row.uid(), writer, row.amount(), row.added());
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
                   MERGE INTO %1$s t USING (%2$s) s (%4$s) ON t.id = s.id
                   WHEN MATCHED AND s.amount %% %3$s = 0 THEN DELETE
                   WHEN MATCHED THEN UPDATE SET writer = s.writer, amount = t.amount + s.amount
                   WHEN NOT MATCHED THEN INSERT (%4$s) VALUES (s.id, s.uid, s.writer, s.amount)
                   """.formatted(table, Row.toSql(source), DELETES, Row.COLUMNS);
        }

        static boolean deletes(Row source)
        {
            return source.amount() % DELETES == 0;
        }

        static Row update(Row target, Row source)
        {
            return new Row(target.id(), target.uid(), source.writer(), target.amount() + source.amount(), target.added());
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
     * Creates a table if there is none of the name, and fails otherwise.
     */
    record Create(String table, IsolationLevel isolation, List<Row> rows)
            implements Write
    {
        public Create
        {
            rows = ImmutableList.copyOf(rows);
        }

        @Override
        public String sql()
        {
            return "CREATE TABLE %s %s AS SELECT * FROM (%s) t (%s)".formatted(table, properties(isolation), Row.toSql(rows), Row.COLUMNS);
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

    record Rollback(String table, long version)
            implements Write
    {
        @Override
        public String sql()
        {
            return Maintenance.execute(table, "rollback_to_snapshot(snapshot_id => %s)".formatted(version));
        }
    }

    record CreateTag(String table, String tag, long version)
            implements Write
    {
        @Override
        public String sql()
        {
            return Maintenance.execute(table, "create_tag(name => '%s', snapshot_id => %s)".formatted(tag, version));
        }
    }

    record DropTag(String table, String tag)
            implements Write
    {
        @Override
        public String sql()
        {
            return Maintenance.execute(table, "drop_tag(name => '%s')".formatted(tag));
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
}
