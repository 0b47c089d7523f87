package io.albis.launcher.server;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.Files.createDirectories;
import static java.nio.file.Files.exists;
import static java.nio.file.Files.newOutputStream;
import static java.nio.file.Files.readString;
import static java.nio.file.Files.writeString;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestPluginDirectory
{
    @TempDir
    Path directory;

    private Installation installation;
    private Path plugin;

    @BeforeEach
    void setUp()
            throws IOException
    {
        installation = new Installation(directory, directory.resolve("assembled"), directory.resolve("home"));
        plugin = installation.runtime().resolve("plugin");
        createDirectories(installation.runtime());
        createDirectories(directory.resolve("target"));
        writeString(createDirectories(installation.server().resolve("plugin/tpch")).resolve("tpch.jar"), "tpch");
    }

    @Test
    void testWrite()
            throws IOException
    {
        zip("albis-trino-1/plugin.jar", "first");
        PluginDirectory.write(installation);
        assertThat(readString(plugin.resolve("albis/plugin.jar"))).isEqualTo("first");
        assertThat(readString(plugin.resolve("tpch/tpch.jar"))).isEqualTo("tpch");
    }

    @Test
    void testUnpacksOnlyWhatIsNew()
            throws IOException
    {
        zip("albis-trino-1/plugin.jar", "first");
        PluginDirectory.write(installation);
        Path mark = plugin.resolve("albis/mark");
        writeString(mark, "");
        PluginDirectory.write(installation);
        assertThat(exists(mark)).isTrue();

        zip("albis-trino-1/plugin.jar", "other");
        PluginDirectory.write(installation);
        assertThat(exists(mark)).isFalse();
        assertThat(readString(plugin.resolve("albis/plugin.jar"))).isEqualTo("other");
    }

    @Test
    void testMissingZip()
    {
        assertThatThrownBy(() -> PluginDirectory.write(installation))
                .isInstanceOf(LauncherException.class)
                .hasMessageContaining("There is no plugin zip");
    }

    @Test
    void testEntryOutsideOfFolder()
            throws IOException
    {
        zip("albis-trino-1/../../plugin.jar", "first");
        assertThatThrownBy(() -> PluginDirectory.write(installation))
                .isInstanceOf(LauncherException.class)
                .hasMessageContaining("leaves its folder");
    }

    private void zip(String name, String content)
            throws IOException
    {
        // Changes must be detected without the time and size of the zip, because builds write the same time into every
        // zip
        try (ZipOutputStream output = new ZipOutputStream(newOutputStream(directory.resolve("target/albis-trino-1.zip")))) {
            output.putNextEntry(new ZipEntry(name));
            output.write(content.getBytes(UTF_8));
            output.closeEntry();
        }
        assertThat(directory.resolve("target/albis-trino-1.zip").toFile().setLastModified(1_000_000)).isTrue();
    }
}
