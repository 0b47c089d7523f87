package io.albis.launcher;

import io.albis.launcher.server.Installation;
import io.albis.launcher.server.LocalServer;
import io.albis.launcher.server.RunningServer;
import io.albis.launcher.server.TestingClient;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests the plugin's zip in a server process over JDBC.
 */
@Tag("server")
@Tag("slow")
class TestAssembledServer
{
    @TempDir
    Path home;

    @Test
    void testTablesOutliveServer()
            throws IOException, InterruptedException, SQLException
    {
        Installation installation = new Installation(Installation.current().repository(), Installation.current().server(), home);
        TestingClient client;
        try (LocalServer server = LocalServer.start(installation, true).orElseThrow()) {
            client = new TestingClient(server.running().uri());
            assertThat(RunningServer.read(installation)).isEqualTo(Optional.of(server.running()));
            assertThat(LocalServer.start(installation, true)).as("a second server on the same data").isEmpty();

            assertThat(client.query("SHOW CATALOGS")).containsExactly("albis", "system", "tpcds", "tpch");
            client.execute("CREATE SCHEMA albis.test");
            client.execute("CREATE TABLE albis.test.nation AS SELECT * FROM tpch.tiny.nation");
            client.execute("CREATE TABLE albis.test.item AS SELECT * FROM tpcds.tiny.item");
            assertThat(client.query("SELECT name FROM albis.test.nation EXCEPT SELECT name FROM tpch.tiny.nation")).isEmpty();
            assertThat(client.query("SELECT count(*) FROM albis.test.nation")).containsExactly("25");
        }
        assertThat(RunningServer.read(installation)).isEmpty();
        assertThatThrownBy(() -> client.query("SELECT 1")).isInstanceOf(SQLException.class);

        try (LocalServer server = LocalServer.start(installation, false).orElseThrow()) {
            assertThat(server.running().uri()).isEqualTo(client.uri());
            assertThat(client.query("SELECT name FROM albis.test.nation WHERE nationkey = 3")).containsExactly("CANADA");
            assertThat(client.query("SELECT * FROM (SELECT * FROM albis.test.item EXCEPT SELECT * FROM tpcds.tiny.item)")).isEmpty();
            assertThat(client.query("SELECT count(*) FROM albis.test.item")).containsExactly("2000");
            client.execute("DROP TABLE albis.test.nation");
            assertThat(client.query("SHOW TABLES FROM albis.test")).containsExactly("item");
        }
    }
}
