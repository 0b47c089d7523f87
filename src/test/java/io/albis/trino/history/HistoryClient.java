package io.albis.trino.history;

import io.albis.trino.error.AlbisErrorCode;
import io.trino.jdbc.TrinoStatement;
import io.trino.spi.ErrorCodeSupplier;
import io.trino.spi.StandardErrorCode;

import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static com.google.common.util.concurrent.Uninterruptibles.sleepUninterruptibly;
import static java.util.concurrent.TimeUnit.MILLISECONDS;

/**
 * Runs statements on a server that may die at any time.
 */
final class HistoryClient
{
    private static final String QUEUED = "QUEUED";
    private static final Pattern QUERY_FAILED = Pattern.compile("Query failed \\(#(?<id>[^)]+)\\).*", Pattern.DOTALL);
    // Requests to a server that has died are repeated for this time
    private static final int TIMEOUT_MILLIS = 2000;

    private static final Map<Integer, String> ERRORS = Stream.<ErrorCodeSupplier>concat(Arrays.stream(StandardErrorCode.values()), Arrays.stream(AlbisErrorCode.values()))
            .map(ErrorCodeSupplier::toErrorCode)
            .collect(Collectors.toMap(code -> code.getCode(), code -> code.getName()));

    private HistoryClient() {}

    /**
     * @param pauseMillis time for which the client asks for nothing once the server runs the statement. A server that
     *         is killed in this time may have committed what the client does not know
     */
    static Outcome execute(URI server, String schema, String sql, int pauseMillis)
    {
        AtomicBoolean paused = new AtomicBoolean();
        AtomicReference<String> queryId = new AtomicReference<>();
        Properties properties = new Properties();
        properties.setProperty("user", "history");
        // The tables are too small for parallel joins and aggregations
        properties.setProperty("sessionProperties", "task_concurrency:1");
        try (Connection connection = DriverManager.getConnection("jdbc:trino://%s:%s/albis/%s".formatted(server.getHost(), server.getPort(), schema), properties);
                TrinoStatement statement = connection.createStatement().unwrap(TrinoStatement.class)) {
            connection.setNetworkTimeout(Runnable::run, TIMEOUT_MILLIS);
            // The server runs a statement only after the client knows its id
            statement.setProgressMonitor(stats -> {
                queryId.set(stats.getQueryId());
                if (!stats.getState().equals(QUEUED) && paused.compareAndSet(false, true)) {
                    sleepUninterruptibly(pauseMillis, MILLISECONDS);
                }
            });
            List<String> columns = List.of();
            List<List<String>> rows = List.of();
            OptionalLong count = OptionalLong.empty();
            if (statement.execute(sql)) {
                columns = columns(statement.getResultSet().getMetaData());
                rows = rows(statement.getResultSet(), columns.size());
            }
            else if (statement.getLargeUpdateCount() >= 0) {
                count = OptionalLong.of(statement.getLargeUpdateCount());
            }
            return Outcome.done(Optional.ofNullable(queryId.get()), columns, rows, count);
        }
        catch (SQLException e) {
            String message = String.valueOf(e.getMessage());
            Matcher failed = QUERY_FAILED.matcher(message);
            if (!failed.matches()) {
                // The connection broke
                return Outcome.unknown(Optional.ofNullable(queryId.get()), "", message);
            }
            Optional<String> id = Optional.of(failed.group("id"));
            String error = ERRORS.getOrDefault(e.getErrorCode(), String.valueOf(e.getErrorCode()));
            return error.equals(AlbisErrorCode.ALBIS_COMMIT_ERROR.name()) ? Outcome.unknown(id, error, message) : Outcome.failed(id, error, message);
        }
    }

    private static List<String> columns(ResultSetMetaData metadata)
            throws SQLException
    {
        List<String> columns = new ArrayList<>();
        for (int column = 1; column <= metadata.getColumnCount(); column++) {
            columns.add(metadata.getColumnLabel(column));
        }
        return columns;
    }

    private static List<List<String>> rows(ResultSet result, int columns)
            throws SQLException
    {
        List<List<String>> rows = new ArrayList<>();
        while (result.next()) {
            List<String> row = new ArrayList<>();
            for (int column = 1; column <= columns; column++) {
                row.add(result.getString(column));
            }
            rows.add(row);
        }
        return rows;
    }
}
