package io.albis.benchmarks.server;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.airlift.units.Duration;
import io.trino.client.ClientSession;
import io.trino.client.Column;
import io.trino.client.QueryError;
import io.trino.client.QueryStatusInfo;
import io.trino.client.StatementClient;
import io.trino.spi.QueryId;
import io.trino.testing.MaterializedResult;
import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryFailedException;
import io.trino.testing.ResultWithQueryId;
import okhttp3.OkHttpClient;

import java.math.BigDecimal;
import java.net.URI;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.client.StatementClientFactory.newStatementClient;
import static io.trino.type.InternalTypeManager.TESTING_TYPE_MANAGER;
import static java.util.Locale.ENGLISH;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.MINUTES;

/**
 * Runs statements on a coordinator with Trino's client.
 */
final class StatementRunner
        implements AutoCloseable
{
    private static final Duration REQUEST_LIMIT = new Duration(2, MINUTES);

    private final URI coordinator;
    private final OkHttpClient httpClient = new OkHttpClient();

    public StatementRunner(URI coordinator)
    {
        this.coordinator = requireNonNull(coordinator, "coordinator is null");
    }

    /**
     * Runs a statement.
     *
     * @throws QueryFailedException if the statement fails
     */
    public ResultWithQueryId<MaterializedResult> execute(StatementSession session, String sql)
    {
        try (StatementClient client = newStatementClient(httpClient, clientSession(session), sql, Optional.empty())) {
            List<MaterializedRow> rows = new ArrayList<>();
            List<Column> columns = ImmutableList.of();
            while (client.isRunning()) {
                if (client.currentStatusInfo().getColumns() != null) {
                    columns = client.currentStatusInfo().getColumns();
                }
                for (List<Object> row : client.currentRows()) {
                    rows.add(row(columns, row));
                }
                client.advance();
            }
            QueryStatusInfo status = client.finalStatusInfo();
            QueryId queryId = new QueryId(status.getId());
            if (status.getError() != null) {
                throw failure(queryId, status.getError());
            }
            return new ResultWithQueryId<>(queryId, result(columns, rows, status));
        }
    }

    private ClientSession clientSession(StatementSession session)
    {
        return ClientSession.builder()
                .server(coordinator)
                .user(Optional.of("benchmarks"))
                .source("albis-benchmarks")
                .catalog(session.catalog())
                .schema(session.schema())
                .timeZone(ZoneOffset.UTC)
                .locale(ENGLISH)
                .properties(session.clientProperties())
                .clientRequestTimeout(REQUEST_LIMIT)
                // The network is the memory of this machine
                .compressionDisabled(true)
                .build();
    }

    private static MaterializedResult result(List<Column> columns, List<MaterializedRow> rows, QueryStatusInfo status)
    {
        return new MaterializedResult(
                Optional.empty(),
                rows,
                columns.stream().map(column -> TESTING_TYPE_MANAGER.fromSqlType(column.getType())).collect(toImmutableList()),
                columns.stream().map(Column::getName).collect(toImmutableList()),
                Optional.empty(),
                ImmutableMap.of(),
                ImmutableSet.of(),
                Optional.ofNullable(status.getUpdateType()),
                status.getUpdateCount(),
                status.getWarnings(),
                Optional.ofNullable(status.getStats()));
    }

    private static QueryFailedException failure(QueryId queryId, QueryError error)
    {
        if (error.getFailureInfo() == null) {
            return new QueryFailedException(queryId, error.getMessage());
        }
        return new QueryFailedException(queryId, error.getMessage(), error.getFailureInfo().toException());
    }

    private static MaterializedRow row(List<Column> columns, List<Object> values)
    {
        List<Object> converted = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            converted.add(convert(columns.get(i).getTypeSignature().getRawType(), values.get(i)));
        }
        return new MaterializedRow(converted);
    }

    /**
     * Converts values that the client represents as text. A server in this process gives the same classes.
     */
    private static Object convert(String type, Object value)
    {
        if (!(value instanceof String text)) {
            return value;
        }
        return switch (type) {
            case "decimal" -> new BigDecimal(text);
            case "date" -> LocalDate.parse(text);
            case "timestamp" -> LocalDateTime.parse(text.replace(' ', 'T'));
            default -> text;
        };
    }

    @Override
    public void close()
    {
        httpClient.dispatcher().executorService().shutdown();
        httpClient.connectionPool().evictAll();
    }
}
