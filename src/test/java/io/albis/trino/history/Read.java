package io.albis.trino.history;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
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
     * Returns whether the first column of a query is the id of a table with the name of the query.
     */
    static boolean beginsWithTable(Operation operation)
    {
        return operation instanceof Newest || operation instanceof Numbered || operation instanceof AsOf || operation instanceof Tagged || operation instanceof Chain;
    }

    /**
     * The rows of the newest version, with its number. Without rows, there is one row of nulls.
     */
    record Newest(String table)
            implements Read
    {
        @Override
        public String sql()
        {
            return select("p.newest", table, table);
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
     * The rows of versions that the query names, which have the same columns. For a version without rows, there is one
     * row of nulls.
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
                    .map(version -> select("BIGINT '%s' version".formatted(version), table, "%s FOR VERSION AS OF %s".formatted(table, version)))
                    .collect(Collectors.joining(" UNION ALL "));
        }
    }

    /**
     * The rows of the version that was the newest at a time, with the number of the version that is the newest for the
     * query.
     *
     * @param millis milliseconds since 1970
     */
    record AsOf(String table, long millis)
            implements Read
    {
        private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS 'UTC'").withZone(ZoneOffset.UTC);

        @Override
        public String sql()
        {
            return select("p.newest", table, "%s FOR TIMESTAMP AS OF TIMESTAMP '%s'".formatted(table, FORMAT.format(Instant.ofEpochMilli(millis))));
        }
    }

    /**
     * The rows of the version that has a tag, with the number of the version that is the newest for the query.
     */
    record Tagged(String table, String tag)
            implements Read
    {
        @Override
        public String sql()
        {
            return select("p.newest", table, "%s FOR VERSION AS OF '%s'".formatted(table, tag));
        }
    }

    /**
     * The tables to which no name refers. Their folders end with the ids of the tables.
     */
    record LostTables()
            implements Read
    {
        @Override
        public String table()
        {
            return "*";
        }

        @Override
        public String sql()
        {
            return "SELECT regexp_extract(location, '.{36}$'), state, snapshot_id, row_count, table_name, location FROM TABLE(albis.system.find_lost_tables())";
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
            return "SELECT p.table_id, p.newest, s.snapshot_id, s.operation, element_at(s.summary, 'query-id'), CAST(round(to_unixtime(s.committed_at) * 1000) AS bigint) FROM %s p JOIN \"%s$snapshots\" s ON s.snapshot_id > %s".formatted(TABLE.formatted(table), table, after);
        }
    }

    private static String select(String version, String table, String source)
    {
        return "SELECT p.table_id, %s, t.* FROM %s p LEFT JOIN %s t ON true".formatted(version, TABLE.formatted(table), source);
    }
}
