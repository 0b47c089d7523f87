package io.albis.launcher.server;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;

import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Properties;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/**
 * Runs statements on a server over JDBC, with a separate connection for each statement.
 */
public record TestingClient(URI uri, Map<String, String> sessionProperties)
{
    public TestingClient
    {
        requireNonNull(uri, "uri is null");
        sessionProperties = ImmutableMap.copyOf(sessionProperties);
    }

    public TestingClient(URI uri)
    {
        this(uri, ImmutableMap.of());
    }

    TestingClient with(String sessionProperty, String value)
    {
        return new TestingClient(uri, ImmutableMap.<String, String>builder().putAll(sessionProperties).put(sessionProperty, value).buildKeepingLast());
    }

    /**
     * Runs a query.
     *
     * @return the first column
     */
    public List<String> query(String sql)
            throws SQLException
    {
        ImmutableList.Builder<String> values = ImmutableList.builder();
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                values.add(rows.getString(1));
            }
        }
        return values.build();
    }

    public void execute(String sql)
            throws SQLException
    {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /**
     * Creates a catalog.
     *
     * @param properties properties as in a file of etc/catalog
     */
    void createCatalog(String name, Map<String, String> properties)
            throws SQLException
    {
        execute(properties.entrySet().stream()
                .filter(property -> !property.getKey().equals("connector.name"))
                .map(property -> "\"%s\" = '%s'".formatted(property.getKey(), property.getValue()))
                .collect(joining(", ", "CREATE CATALOG %s USING %s WITH (".formatted(name, properties.get("connector.name")), ")")));
    }

    Connection connect()
            throws SQLException
    {
        Properties properties = new Properties();
        properties.setProperty("user", "test");
        if (!sessionProperties.isEmpty()) {
            properties.setProperty("sessionProperties", Joiner.on(';').withKeyValueSeparator(':').join(sessionProperties));
        }
        return DriverManager.getConnection("jdbc:trino://%s:%s".formatted(uri.getHost(), uri.getPort()), properties);
    }
}
