package io.albis.launcher.docker;

import com.google.common.collect.ImmutableList;

import java.math.BigDecimal;
import java.math.MathContext;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

import static java.util.Objects.requireNonNull;

/**
 * Runs queries on a server with a separate connection for each query.
 */
record Queries(URI server)
{
    Queries
    {
        requireNonNull(server, "server is null");
    }

    /**
     * Runs a query and returns each row as text.
     */
    List<String> rows(String sql)
            throws SQLException
    {
        ImmutableList.Builder<String> rows = ImmutableList.builder();
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet results = statement.executeQuery(sql)) {
            int columns = results.getMetaData().getColumnCount();
            while (results.next()) {
                List<String> values = new ArrayList<>();
                for (int column = 1; column <= columns; column++) {
                    values.add(text(results.getObject(column)));
                }
                rows.add(String.join(" | ", values));
            }
        }
        return rows.build();
    }

    void execute(String sql)
            throws SQLException
    {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    // Rounds floating-point numbers, because their sums depend on the order of rows. Formats byte arrays, which have no
    // text representation, as hexadecimal numbers.
    private static String text(Object value)
    {
        return switch (value) {
            case null -> "NULL";
            case Double number when Double.isFinite(number) -> new BigDecimal(number).round(new MathContext(9)).stripTrailingZeros().toString();
            case byte[] bytes -> HexFormat.of().formatHex(bytes);
            default -> value.toString();
        };
    }

    private Connection connect()
            throws SQLException
    {
        return DriverManager.getConnection("jdbc:trino://%s:%s/albis?user=test".formatted(server.getHost(), server.getPort()));
    }
}
