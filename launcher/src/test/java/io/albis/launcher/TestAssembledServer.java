package io.albis.launcher;

import com.google.common.collect.ImmutableList;
import io.albis.launcher.server.LocalServer;
import io.albis.launcher.server.RunningServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * The plugin's zip in a server process, spoken to over JDBC.
 */
@Tag("server")
class TestAssembledServer
{
    @TempDir
    Path home;

    @Test
    void testTablesOutliveServer()
            throws IOException, InterruptedException, SQLException
    {
        Installation installation = new Installation(Installation.current().repository(), Installation.current().server(), home);
        URI uri;
        try (LocalServer server = LocalServer.start(installation, true).orElseThrow()) {
            uri = server.running().uri();
            assertThat(RunningServer.read(installation)).isEqualTo(Optional.of(server.running()));
            assertThat(LocalServer.start(installation, true)).as("a second server on the same data").isEmpty();

            assertThat(query(uri, "SHOW CATALOGS")).containsExactly("albis", "system", "tpcds", "tpch");
            execute(uri, "CREATE SCHEMA albis.test");
            execute(uri, "CREATE TABLE albis.test.nation AS SELECT * FROM tpch.tiny.nation");
            execute(uri, "CREATE TABLE albis.test.item AS SELECT * FROM tpcds.tiny.item");
            assertThat(query(uri, "SELECT name FROM albis.test.nation EXCEPT SELECT name FROM tpch.tiny.nation")).isEmpty();
            assertThat(query(uri, "SELECT count(*) FROM albis.test.nation")).containsExactly("25");
        }
        assertThat(RunningServer.read(installation)).isEmpty();
        assertThatThrownBy(() -> query(uri, "SELECT 1")).isInstanceOf(SQLException.class);

        try (LocalServer server = LocalServer.start(installation, false).orElseThrow()) {
            assertThat(server.running().uri()).isEqualTo(uri);
            assertThat(query(uri, "SELECT name FROM albis.test.nation WHERE nationkey = 3")).containsExactly("CANADA");
            assertThat(query(uri, "SELECT * FROM (SELECT * FROM albis.test.item EXCEPT SELECT * FROM tpcds.tiny.item)")).isEmpty();
            assertThat(query(uri, "SELECT count(*) FROM albis.test.item")).containsExactly("2000");
            execute(uri, "DROP TABLE albis.test.nation");
            assertThat(query(uri, "SHOW TABLES FROM albis.test")).containsExactly("item");
        }
    }

    /**
     * @return the first column
     */
    private static List<String> query(URI uri, String sql)
            throws SQLException
    {
        ImmutableList.Builder<String> values = ImmutableList.builder();
        try (Connection connection = connect(uri);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                values.add(rows.getString(1));
            }
        }
        return values.build();
    }

    private static void execute(URI uri, String sql)
            throws SQLException
    {
        try (Connection connection = connect(uri);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static Connection connect(URI uri)
            throws SQLException
    {
        return DriverManager.getConnection("jdbc:trino://%s:%s?user=test".formatted(uri.getHost(), uri.getPort()));
    }
}
