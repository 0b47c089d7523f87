package io.albis.launcher.server;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the daily script of docs/maintenance.md on a server, with Trino's command line client.
 */
@Tag("server")
@Tag("slow")
@RequiredCommand(value = "date -d '7 days ago'", reason = "date does not know -d")
@Timeout(300)
final class TestMaintenanceScript
{
    @TempDir
    Path home;

    @Test
    void testDaily()
            throws Exception
    {
        Installation installation = TestingNode.install(Installation.current().repository(), home);
        String path = TestingCommandLineClient.path(home.resolve("commands"));
        try (TestingNode server = TestingNode.launchWithoutCatalogs(installation, "server").awaitReady()) {
            server.client().createCatalog("albis", TestingNode.localCatalog(home));
            server.client().execute("CREATE SCHEMA albis.shop");
            server.client().execute("CREATE TABLE albis.shop.sales AS SELECT current_date AS day");
            server.client().execute("INSERT INTO albis.shop.sales VALUES current_date");
            TestingCommand script = DocumentedBlocks.commands("docs/maintenance.md", "script: daily", "http://coordinator:8080", server.client().uri().toString());
            // a conflict does not keep versions from expiring
            Path failing = home.resolve("failing");
            assertThat(script.withFailing("trino", "*optimize*", failing).with("PATH", failing + ":" + path).run().exitCode()).isEqualTo(1);
            assertThat(server.client().query("SELECT count(*) FROM albis.shop.\"sales$files\"")).containsExactly("2");
            assertThat(server.client().query("SELECT state FROM system.runtime.queries WHERE query LIKE 'ALTER TABLE shop.sales%'")).containsExactly("FINISHED");

            script.with("PATH", path)
                    .run()
                    .checkSucceeded();
            assertThat(server.client().query("SELECT count(*) FROM albis.shop.\"sales$files\"")).containsExactly("1");
            assertThat(server.client().query("SELECT count(*) FROM albis.shop.sales")).containsExactly("2");
        }
    }
}
