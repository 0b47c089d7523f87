package io.albis.trino.history;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A query.
 */
sealed interface Read
        extends Operation
{
    /**
     * Has exactly one row: the table and its newest version as the query sees them.
     */
    String TABLE = "(SELECT max(IF(key = 'uuid', value)) table_id, CAST(max(IF(key = 'current-snapshot-id', value)) AS bigint) newest FROM \"%s$properties\")";

    /**
     * The rows of the newest version, with its number. Without rows, there is one row of nulls.
     */
    record Newest(String table)
            implements Read
    {
        @Override
        public String sql()
        {
            return "SELECT p.table_id, p.newest, %s FROM %s p LEFT JOIN %s t ON true".formatted(columns(), TABLE.formatted(table), table);
        }
    }

    /**
     * Some rows of the newest version.
     */
    record Rows(String table, IdRange range)
            implements Read
    {
        @Override
        public String sql()
        {
            return "SELECT %s FROM %s WHERE %s".formatted(Row.COLUMNS, table, range.sql());
        }
    }

    /**
     * Aggregates of the newest version, from several scans.
     */
    record Totals(String table, IdRange range)
            implements Read
    {
        @Override
        public String sql()
        {
            return "SELECT count(*), coalesce(sum(amount), 0), (SELECT count(*) FROM %1$s WHERE %2$s), (SELECT coalesce(sum(writer), 0) FROM %1$s) FROM %1$s".formatted(table, range.sql());
        }
    }

    /**
     * The rows of versions that the query names. For a version without rows, there is one row of nulls.
     */
    record Numbered(String table, List<Long> versions)
            implements Read
    {
        public Numbered
        {
            versions = ImmutableList.copyOf(versions);
        }

        @Override
        public String sql()
        {
            return versions.stream()
                    .map(version -> "SELECT p.table_id, BIGINT '%2$s' version, %3$s FROM %4$s p LEFT JOIN %1$s FOR VERSION AS OF %2$s t ON true".formatted(table, version, columns(), TABLE.formatted(table)))
                    .collect(Collectors.joining(" UNION ALL "));
        }
    }

    /**
     * The versions that have not expired, with the query that made each.
     *
     * @param known by the id of a table, the number of a version after which the list begins
     */
    record Chain(String table, Map<String, Long> known)
            implements Read
    {
        public Chain
        {
            known = ImmutableMap.copyOf(known);
        }

        @Override
        public String sql()
        {
            String after = known.entrySet().stream()
                    .map(entry -> " WHEN '%s' THEN %s".formatted(entry.getKey(), entry.getValue()))
                    .collect(Collectors.joining("", "CASE p.table_id WHEN '' THEN 0", " ELSE 0 END"));
            return "SELECT p.table_id, p.newest, s.snapshot_id, s.operation, element_at(s.summary, 'query-id') FROM %s p JOIN \"%s$snapshots\" s ON s.snapshot_id > %s".formatted(TABLE.formatted(table), table, after);
        }
    }

    private static String columns()
    {
        return "t.id, t.uid, t.writer, t.amount";
    }
}
