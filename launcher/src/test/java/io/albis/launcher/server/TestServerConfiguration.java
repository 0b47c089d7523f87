package io.albis.launcher.server;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

import static java.nio.file.Files.exists;
import static java.nio.file.Files.readString;
import static java.nio.file.Files.writeString;
import static org.assertj.core.api.Assertions.assertThat;

class TestServerConfiguration
{
    @TempDir
    Path home;

    @Test
    void testFillsInOnlyWhatIsOfThisRun()
            throws IOException
    {
        Installation installation = new Installation(Installation.current().repository(), home, home);
        ServerConfiguration configuration = ServerConfiguration.write(installation, 1234);

        Map<String, String> properties = read(configuration.directory().resolve("config.properties"));
        assertThat(properties)
                .containsEntry("http-server.http.port", "1234")
                .containsEntry("discovery.uri", "http://127.0.0.1:1234")
                .containsEntry("plugin.dir", home.resolve("server/plugin").toString())
                .containsEntry("catalog.config-dir", home.resolve("server/etc/catalog").toString());
        assertThat(properties.keySet())
                .isEqualTo(read(installation.configuration().resolve("config.properties")).keySet());

        assertThat(configuration.nodeProperties())
                .containsEntry("node.bind-ip", "127.0.0.1")
                .containsEntry("node.internal-address", "127.0.0.1")
                .containsEntry("node.data-dir", home.resolve("server/var").toString());

        Path catalogs = configuration.directory().resolve("catalog");
        assertThat(read(catalogs.resolve("albis.properties"))).isEqualTo(Map.of(
                "connector.name", "albis",
                "albis.warehouse", "local:///warehouse",
                "fs.local.enabled", "true",
                "local.location", home.resolve("data").toString()));
        assertThat(read(catalogs.resolve("tpcds.properties"))).isEqualTo(Map.of("connector.name", "tpcds"));
        assertThat(read(catalogs.resolve("tpch.properties"))).isEqualTo(Map.of("connector.name", "tpch"));
    }

    @Test
    void testForgetsOldCatalogs()
            throws IOException
    {
        Installation installation = new Installation(Installation.current().repository(), home, home);
        Path old = ServerConfiguration.write(installation, 1234).directory().resolve("catalog/old.properties");
        writeString(old, "connector.name=old");
        ServerConfiguration.write(installation, 1234);
        assertThat(exists(old)).isFalse();
    }

    @Test
    void testJvmOptions()
    {
        assertThat(ServerConfiguration.jvmOptions(
                """
                # memory
                -Xmx1g

                  -Dx=a b
                """)).containsExactly("-Xmx1g", "-Dx=a b");
    }

    private static Map<String, String> read(Path file)
            throws IOException
    {
        return new PropertiesText(readString(file)).properties();
    }
}
