package io.albis.launcher.tpcds;

import com.google.common.collect.ImmutableList;
import io.albis.launcher.server.LauncherException;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.OptionalLong;

import static java.util.Objects.requireNonNull;

/**
 * Loads the tables of one scale from the tpcds catalog into the albis catalog.
 */
final class TpcdsTables
{
    // This table describes the generator and is not part of the benchmark
    private static final String GENERATOR_TABLE = "dbgen_version";

    private final Connection connection;
    private final Scale scale;

    TpcdsTables(Connection connection, Scale scale)
    {
        this.connection = requireNonNull(connection, "connection is null");
        this.scale = requireNonNull(scale, "scale is null");
    }

    List<String> names()
            throws SQLException
    {
        ImmutableList.Builder<String> names = ImmutableList.builder();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SHOW TABLES FROM tpcds.%s".formatted(scale.schema()))) {
            while (rows.next()) {
                if (!rows.getString(1).equals(GENERATOR_TABLE)) {
                    names.add(rows.getString(1));
                }
            }
        }
        return names.build();
    }

    void createSchema()
            throws SQLException
    {
        execute("CREATE SCHEMA IF NOT EXISTS albis.%s".formatted(scale.target()));
    }

    boolean isLoaded(String table)
            throws SQLException
    {
        OptionalLong loaded = number("SELECT count(*) FROM information_schema.tables WHERE table_schema = '%s' AND table_name = '%s'".formatted(scale.target(), table));
        return loaded.orElse(0) > 0 && number("SELECT count(*) FROM %s".formatted(target(table))).equals(OptionalLong.of(expectedRows(table)));
    }

    private long expectedRows(String table)
            throws SQLException
    {
        // The catalog stores the row counts for some scales. For other scales it would generate the data to count the
        // rows.
        OptionalLong known = OptionalLong.empty();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SHOW STATS FOR %s".formatted(source(table)))) {
            while (rows.next()) {
                double rowCount = rows.getDouble("row_count");
                if (!rows.wasNull()) {
                    known = OptionalLong.of((long) rowCount);
                }
            }
        }
        return known.isPresent() ? known.getAsLong() : number("SELECT count(*) FROM %s".formatted(source(table))).orElseThrow();
    }

    /**
     * Loads a table.
     *
     * @return the number of rows in the table
     */
    long load(String table)
            throws SQLException
    {
        execute("DROP TABLE IF EXISTS %s".formatted(target(table)));
        return execute("CREATE TABLE %s AS SELECT * FROM %s".formatted(target(table), source(table)));
    }

    /**
     * Deletes the files of all dropped tables of the catalog, if its warehouse is in the folder of this server. Other
     * clusters may share any other warehouse, and their statements that read or load tables meanwhile would fail,
     * because the retention is zero.
     */
    void freeDroppedTables()
            throws SQLException
    {
        if (!location(names().getFirst()).startsWith("local:")) {
            return;
        }
        execute("SET SESSION albis.vacuum_min_retention = '0s'");
        execute("CALL albis.system.vacuum(retention_threshold => '0s')");
        execute("RESET SESSION albis.vacuum_min_retention");
    }

    private String location(String table)
            throws SQLException
    {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT \"$path\" FROM %s LIMIT 1".formatted(target(table)))) {
            return rows.next() ? rows.getString(1) : "";
        }
    }

    private String source(String table)
    {
        return "tpcds.%s.%s".formatted(scale.schema(), table);
    }

    private String target(String table)
    {
        return "albis.%s.%s".formatted(scale.target(), table);
    }

    private long execute(String sql)
            throws SQLException
    {
        try (Statement statement = connection.createStatement()) {
            if (statement.execute(sql)) {
                throw new LauncherException("Statement returned rows instead of an update count: " + sql);
            }
            return Math.max(0, statement.getLargeUpdateCount());
        }
    }

    private OptionalLong number(String sql)
            throws SQLException
    {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() ? OptionalLong.of(rows.getLong(1)) : OptionalLong.empty();
        }
    }
}
