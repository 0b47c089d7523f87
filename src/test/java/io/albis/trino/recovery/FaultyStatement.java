package io.albis.trino.recovery;

import com.google.common.collect.ImmutableList;

import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * A statement during which the storage fails, and what shows whether it has taken effect. Before it, the schema has the
 * table {@code t} with 58 rows in three row groups, two of which have deleted rows. Version 1 of the table has 60 rows.
 */
enum FaultyStatement
{
    CREATE("CREATE TABLE created (id bigint, name varchar)", "SELECT * FROM created", "SELECT id, name FROM t WHERE false"),
    CREATE_AS("CREATE TABLE created WITH (row_group_rows = 20) AS SELECT * FROM t WHERE id > 10", "SELECT * FROM created", "SELECT * FROM t WHERE id > 10"),
    DROP("DROP TABLE t", Text.ROWS),
    RENAME("ALTER TABLE t RENAME TO renamed", "SELECT * FROM renamed", "SELECT * FROM t"),
    INSERT("INSERT INTO t SELECT id + 1000, name FROM t WHERE id % 2 = 0", Text.ROWS, "SELECT * FROM t UNION ALL SELECT id + 1000, name FROM t WHERE id % 2 = 0"),
    INSERT_INTO_PARTITIONS(
            "INSERT INTO partitioned SELECT id + 100, name FROM t",
            "SELECT * FROM partitioned",
            "SELECT * FROM partitioned UNION ALL SELECT id + 100, name FROM t",
            "CREATE TABLE partitioned WITH (partitioned_by = ARRAY['bucket(id, 2)'], sorted_by = ARRAY['name'], indexed_by = ARRAY['name']) AS SELECT * FROM t WHERE id < 10"),
    DELETE("DELETE FROM t WHERE name LIKE '%3'", Text.ROWS, "SELECT * FROM t WHERE name NOT LIKE '%3'"),
    DELETE_ROW_GROUPS("DELETE FROM t WHERE id <= 20", Text.ROWS, "SELECT * FROM t WHERE id > 20"),
    TRUNCATE("TRUNCATE TABLE t", Text.ROWS, "SELECT * FROM t WHERE false"),
    UPDATE("UPDATE t SET name = 'updated' WHERE id = 7", Text.ROWS, "SELECT id, if(id = 7, 'updated', name) FROM t"),
    UPDATE_IN_PLACE("UPDATE t SET name = name || 'x' WHERE id <= 40", Text.ROWS, "SELECT id, if(id <= 40, name || 'x', name) FROM t"),
    MERGE("MERGE INTO t USING (VALUES 1, 2, 33, -1) s (k) ON id = k WHEN MATCHED AND id = 2 THEN DELETE WHEN MATCHED THEN UPDATE SET name = 'merged' WHEN NOT MATCHED THEN INSERT VALUES (k, 'new')",
            Text.ROWS,
            "SELECT id, if(id IN (1, 33), 'merged', name) FROM t WHERE id <> 2 UNION ALL SELECT -1, 'new'"),
    REPLACE("CREATE OR REPLACE TABLE t AS SELECT * FROM t WHERE id > 30", Text.ROWS, "SELECT * FROM t WHERE id > 30"),
    ROLLBACK("ALTER TABLE t EXECUTE rollback_to_snapshot(1)", Text.ROWS, "SELECT * FROM t FOR VERSION AS OF 1"),
    ADD_COLUMN("ALTER TABLE t ADD COLUMN added bigint DEFAULT 7", Text.ROWS, "SELECT *, 7 FROM t"),
    DROP_COLUMN("ALTER TABLE t DROP COLUMN name", Text.ROWS, "SELECT id FROM t"),
    RENAME_COLUMN("ALTER TABLE t RENAME COLUMN name TO renamed", Text.COLUMNS, "VALUES 'id', 'renamed'"),
    SET_DATA_TYPE(
            "ALTER TABLE t ALTER COLUMN added SET DATA TYPE bigint",
            "SELECT column_name, data_type FROM information_schema.columns WHERE table_schema = 's' AND table_name = 't'",
            "VALUES ('id', 'bigint'), ('name', 'varchar'), ('added', 'bigint')",
            "ALTER TABLE t ADD COLUMN added integer DEFAULT 7"),
    SET_NOT_NULL("ALTER TABLE t EXECUTE set_not_null(column_name => 'name')", Text.DEFINITION),
    DROP_NOT_NULL("ALTER TABLE t ALTER COLUMN name DROP NOT NULL", Text.DEFINITION, Optional.empty(), "ALTER TABLE t EXECUTE set_not_null(column_name => 'name')"),
    COMMENT("COMMENT ON TABLE t IS 'a comment'", Text.DEFINITION),
    COMMENT_ON_COLUMN("COMMENT ON COLUMN t.name IS 'a comment'", Text.DEFINITION),
    SET_PROPERTIES("ALTER TABLE t SET PROPERTIES compression = 'zstd'", Text.DEFINITION),
    CREATE_TAG("ALTER TABLE t EXECUTE create_tag(name => 'tagged')", Text.TAGS, "VALUES ('tagged', 2)"),
    DROP_TAG("ALTER TABLE t EXECUTE drop_tag(name => 'tagged')", Text.TAGS, "SELECT '', 0 WHERE false", "ALTER TABLE t EXECUTE create_tag(name => 'tagged')"),
    ADD_INDEX("ALTER TABLE t EXECUTE add_index(columns => ARRAY['name'])", Text.DEFINITION),
    DROP_INDEX("ALTER TABLE t EXECUTE drop_index(columns => ARRAY['name'])", Text.DEFINITION, Optional.empty(), "ALTER TABLE t EXECUTE add_index(columns => ARRAY['name'])"),
    OPTIMIZE("ALTER TABLE t EXECUTE optimize(row_group_size => '1MB')", Text.ROWS, Text.ROWS),
    OPTIMIZE_SORTED("ALTER TABLE t EXECUTE optimize(sorted_by => ARRAY['name DESC'])", Text.ROWS, Text.ROWS),
    REGROUP("ALTER TABLE t EXECUTE regroup(column_groups => ARRAY[ARRAY['name', 'id']])", Text.ROWS, Text.ROWS),
    EXPIRE_SNAPSHOTS("ALTER TABLE t EXECUTE expire_snapshots(retention_threshold => '0s')", Text.ROWS, Text.ROWS),
    REMOVE_ORPHAN_FILES("ALTER TABLE t EXECUTE remove_orphan_files(retention_threshold => '0s')", Text.ROWS, Text.ROWS),
    VACUUM("CALL system.vacuum('0s')", Text.ROWS, Text.ROWS, "CREATE TABLE dropped AS SELECT * FROM t", "DROP TABLE dropped"),
    UNREGISTER("CALL system.unregister_table('s', 't')", Text.ROWS),
    REGISTER("CALL system.register_table('s', 'registered', '%s')".formatted(Text.LOCATION), "SELECT * FROM registered", Optional.empty(), "CALL system.unregister_table('s', 't')"),
    CREATE_VIEW(Text.VIEW, "SELECT * FROM v", "SELECT id FROM t WHERE id < 10"),
    REPLACE_VIEW("CREATE OR REPLACE VIEW v AS SELECT name FROM t WHERE id < 20", "SELECT * FROM v", "SELECT name FROM t WHERE id < 20", Text.VIEW),
    RENAME_VIEW("ALTER VIEW v RENAME TO w", "SELECT * FROM w", "SELECT * FROM v", Text.VIEW),
    DROP_VIEW("DROP VIEW v", "SELECT * FROM v", Optional.empty(), Text.VIEW),
    CREATE_MATERIALIZED_VIEW("CREATE MATERIALIZED VIEW m AS SELECT id FROM t WHERE id < 10", "SELECT * FROM m", "SELECT id FROM t WHERE id < 10"),
    REFRESH_MATERIALIZED_VIEW("REFRESH MATERIALIZED VIEW m", "SELECT * FROM \"m$storage\"", "SELECT id FROM t WHERE id < 10", "CREATE MATERIALIZED VIEW m AS SELECT id FROM t WHERE id < 10"),
    CREATE_SCHEMA("CREATE SCHEMA other", Text.SCHEMAS, "VALUES 'other'"),
    DROP_SCHEMA("DROP SCHEMA other", Text.SCHEMAS, "SELECT 'other' WHERE false", "CREATE SCHEMA other"),
    /**/;

    private final String sql;
    private final String observed;
    private final Optional<String> observedAfter;
    private final List<String> setup;

    FaultyStatement(String sql, String observed)
    {
        this(sql, observed, Optional.empty());
    }

    FaultyStatement(String sql, String observed, String observedAfter, String... setup)
    {
        this(sql, observed, Optional.of(observedAfter), setup);
    }

    /**
     * @param observed a query whose rows show whether the statement has taken effect
     * @param observedAfter a query that returns before the statement what {@code observed} returns after it; empty if
     *         only the statement itself shows this
     * @param setup statements that run before it
     */
    FaultyStatement(String sql, String observed, Optional<String> observedAfter, String... setup)
    {
        this.sql = requireNonNull(sql, "sql is null");
        this.observed = requireNonNull(observed, "observed is null");
        this.observedAfter = requireNonNull(observedAfter, "observedAfter is null");
        this.setup = ImmutableList.copyOf(setup);
    }

    // An enum cannot refer to its own constants before it declares them

    private static final class Text
    {
        private static final String LOCATION = "the folder of t";
        private static final String ROWS = "SELECT * FROM t";
        private static final String DEFINITION = "SHOW CREATE TABLE t";
        private static final String COLUMNS = "SELECT column_name FROM information_schema.columns WHERE table_schema = 's' AND table_name = 't'";
        private static final String TAGS = "SELECT name, snapshot_id FROM \"t$refs\" WHERE type = 'TAG'";
        private static final String VIEW = "CREATE VIEW v AS SELECT id FROM t WHERE id < 10";
        private static final String SCHEMAS = "SELECT schema_name FROM information_schema.schemata WHERE schema_name = 'other'";
    }

    /**
     * @param location the folder of the table {@code t}
     */
    String sql(String location)
    {
        return sql.replace(Text.LOCATION, location);
    }

    String observed()
    {
        return observed;
    }

    Optional<String> observedAfter()
    {
        return observedAfter;
    }

    List<String> setup()
    {
        return setup;
    }

    /**
     * Returns whether the statement has the same result if it runs again, and rows that stay the same.
     */
    boolean keepsRows()
    {
        return observedAfter.filter(observed::equals).isPresent();
    }

    /**
     * Returns whether the statement removes all of its files if it fails.
     */
    boolean removesFiles()
    {
        return switch (this) {
            case INSERT, INSERT_INTO_PARTITIONS, REPLACE -> true;
            // The folder of a table that was not created stays, because a late DELETE could harm the next attempt. The
            // engine drops the writers of row-level changes if another task fails, and their files stay
            default -> false;
        };
    }
}
