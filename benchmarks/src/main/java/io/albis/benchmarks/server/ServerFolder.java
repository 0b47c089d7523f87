package io.albis.benchmarks.server;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.trino.AlbisPlugin;
import io.trino.plugin.hive.HivePlugin;
import io.trino.plugin.iceberg.IcebergPlugin;
import io.trino.plugin.tpcds.TpcdsPlugin;
import io.trino.plugin.tpch.TpchPlugin;
import io.trino.spi.Plugin;

import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.io.MoreFiles.deleteRecursively;
import static com.google.common.io.RecursiveDeleteOption.ALLOW_INSECURE;
import static java.util.Objects.requireNonNull;

/**
 * The files that a server in a separate process reads: its configuration, its catalogs, and its plugins.
 */
record ServerFolder(Path path)
{
    private static final Map<String, Class<? extends Plugin>> PLUGINS = ImmutableMap.of(
            "albis", AlbisPlugin.class,
            "hive", HivePlugin.class,
            "iceberg", IcebergPlugin.class,
            "tpcds", TpcdsPlugin.class,
            "tpch", TpchPlugin.class);

    public ServerFolder
    {
        requireNonNull(path, "path is null");
    }

    /**
     * Writes the files, in place of those of an earlier server.
     *
     * @param configuration properties besides the folders
     * @param classPath class path with absolute paths that contains all plugins
     */
    public static ServerFolder write(Path path, Map<String, String> configuration, List<ServerCatalog> catalogs, String classPath)
            throws IOException
    {
        if (Files.exists(path)) {
            deleteRecursively(path, ALLOW_INSECURE);
        }
        ServerFolder folder = new ServerFolder(path.toAbsolutePath());
        Path catalogFolder = Files.createDirectories(folder.path().resolve("catalog"));
        for (ServerCatalog catalog : catalogs) {
            write(catalogFolder.resolve(catalog.name() + ".properties"), ImmutableMap.<String, String>builder()
                    .put("connector.name", catalog.connector())
                    .putAll(catalog.properties())
                    .buildOrThrow());
        }
        folder.linkPlugins(classPath);
        write(folder.configuration(), ImmutableMap.<String, String>builder()
                .putAll(configuration)
                .put("plugin.dir", folder.plugins().toString())
                .put("catalog.config-dir", catalogFolder.toString())
                .buildOrThrow());
        return folder;
    }

    public Path configuration()
    {
        return path.resolve("config.properties");
    }

    public Path log()
    {
        return path.resolve("server.log");
    }

    /**
     * Deletes the links to the plugins, which are of no use after the end of the server.
     */
    public void deletePlugins()
            throws IOException
    {
        deleteRecursively(plugins(), ALLOW_INSECURE);
    }

    private Path plugins()
    {
        return path.resolve("plugin");
    }

    /**
     * Writes a folder for each plugin, with links to the class path and a file that names the plugin. Each plugin
     * therefore has a class loader of its own, as in any server. The jars of the plugins do not name them.
     */
    private void linkPlugins(String classPath)
            throws IOException
    {
        List<Path> entries = Splitter.on(File.pathSeparatorChar).splitToStream(classPath)
                .map(Path::of)
                .filter(Files::exists)
                .collect(toImmutableList());
        for (Map.Entry<String, Class<? extends Plugin>> plugin : PLUGINS.entrySet()) {
            Path folder = Files.createDirectories(plugins().resolve(plugin.getKey()));
            int number = 0;
            for (Path entry : entries) {
                // Folders of classes have the same name, and the server sorts the entries by their name
                Files.createSymbolicLink(folder.resolve("%05d-%s".formatted(number++, entry.getFileName())), entry);
            }
            Path services = Files.createDirectories(folder.resolve("services/META-INF/services"));
            Files.write(services.resolve(Plugin.class.getName()), ImmutableList.of(plugin.getValue().getName()));
        }
    }

    private static void write(Path file, Map<String, String> values)
            throws IOException
    {
        Properties properties = new Properties();
        properties.putAll(values);
        try (Writer writer = Files.newBufferedWriter(file)) {
            properties.store(writer, null);
        }
    }
}
