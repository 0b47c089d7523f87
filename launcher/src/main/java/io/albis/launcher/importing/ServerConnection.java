package io.albis.launcher.importing;

import java.net.URI;
import java.net.URISyntaxException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Properties;

import static java.util.Objects.requireNonNull;

/**
 * How to connect to a server, which may require encryption and a password.
 */
public record ServerConnection(String url, Optional<String> user, Optional<String> password)
{
    private static final String JDBC = "jdbc:trino:";

    public ServerConnection
    {
        requireNonNull(url, "url is null");
        requireNonNull(user, "user is null");
        requireNonNull(password, "password is null");
    }

    /**
     * @param server an address such as {@code https://coordinator:8443}, or the URL of Trino's JDBC driver
     * @param user ignored if the URL names a user
     * @throws IllegalArgumentException if the address is neither of them
     */
    public static ServerConnection of(String server, String user, Optional<String> password)
    {
        if (server.startsWith(JDBC)) {
            return new ServerConnection(server, server.matches(".*[?&]user=.*") ? Optional.empty() : Optional.of(user), password);
        }
        try {
            URI uri = new URI(server);
            boolean encrypted = "https".equals(uri.getScheme());
            if (uri.getHost() != null && (encrypted || "http".equals(uri.getScheme()))) {
                String address = uri.getPort() == -1 ? uri.getHost() : uri.getHost() + ":" + uri.getPort();
                return new ServerConnection(JDBC + "//" + address + (encrypted ? "?SSL=true" : ""), Optional.of(user), password);
            }
        }
        catch (URISyntaxException _) {
            // the message below has the address, too
        }
        throw new IllegalArgumentException("Not the address of a server: '%s'. It looks like http://127.0.0.1:8080, https://coordinator:8443, or jdbc:trino://coordinator:8443?SSL=true".formatted(server));
    }

    public Connection connect()
            throws SQLException
    {
        Properties properties = new Properties();
        properties.setProperty("source", "bin/albis");
        user.ifPresent(name -> properties.setProperty("user", name));
        password.ifPresent(text -> properties.setProperty("password", text));
        return DriverManager.getConnection(url, properties);
    }

    @Override
    public String toString()
    {
        // without the password
        return url;
    }
}
