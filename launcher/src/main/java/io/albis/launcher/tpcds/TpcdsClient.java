package io.albis.launcher.tpcds;

import com.google.common.base.Stopwatch;
import com.google.common.collect.ImmutableList;
import io.trino.jdbc.TrinoStatement;

import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

import static java.util.Objects.requireNonNull;

/**
 * A connection to a server that runs the TPC-DS queries one after the other.
 */
public final class TpcdsClient
        implements AutoCloseable
{
    static final String CATALOG = "albis";

    private final Connection connection;
    private final Scale scale;
    private final AtomicLong largestMemory = new AtomicLong();

    private TpcdsClient(Connection connection, Scale scale)
    {
        this.connection = requireNonNull(connection, "connection is null");
        this.scale = requireNonNull(scale, "scale is null");
    }

    public static TpcdsClient connect(URI server, Scale scale)
            throws SQLException
    {
        return new TpcdsClient(
                DriverManager.getConnection("jdbc:trino://%s:%s/%s?user=albis&source=bin/albis".formatted(server.getHost(), server.getPort(), CATALOG)),
                scale);
    }

    Connection connection()
    {
        return connection;
    }

    /**
     * Returns the addresses of all nodes, as they know each other.
     */
    public List<URI> nodes()
            throws SQLException
    {
        ImmutableList.Builder<URI> nodes = ImmutableList.builder();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT http_uri FROM system.runtime.nodes")) {
            while (rows.next()) {
                nodes.add(URI.create(rows.getString(1)));
            }
        }
        return nodes.build();
    }

    public QueryResult run(int number)
    {
        String sql = QueryText.load(number, CATALOG, scale.target());
        Stopwatch stopwatch = Stopwatch.createStarted();
        long count = 0;
        Optional<QueryFailure> failure = Optional.empty();
        try (Statement statement = connection.createStatement()) {
            statement.unwrap(TrinoStatement.class).setProgressMonitor(statistics -> largestMemory.accumulateAndGet(statistics.getPeakMemoryBytes(), Math::max));
            try (ResultSet rows = statement.executeQuery(sql)) {
                while (rows.next()) {
                    count++;
                }
            }
        }
        catch (SQLException e) {
            failure = Optional.of(QueryFailure.of(e, number, scale));
        }
        return new QueryResult(number, count, stopwatch.elapsed(), failure);
    }

    /**
     * Returns the memory, together on all nodes, of the query that has needed most.
     */
    public long largestMemory()
    {
        return largestMemory.get();
    }

    @Override
    public void close()
            throws SQLException
    {
        connection.close();
    }
}
