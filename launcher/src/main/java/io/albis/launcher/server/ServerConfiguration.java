package io.albis.launcher.server;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.io.MoreFiles.deleteRecursively;
import static com.google.common.io.RecursiveDeleteOption.ALLOW_INSECURE;
import static java.nio.file.Files.createDirectories;
import static java.nio.file.Files.exists;
import static java.nio.file.Files.newDirectoryStream;
import static java.nio.file.Files.readString;
import static java.nio.file.Files.writeString;
import static java.util.Objects.requireNonNull;

/**
 * The configuration of one server process: the repository's etc/, with the port, the directories, and the node ID
 * filled in.
 *
 * @param directory the configuration directory that the server reads
 * @param jvmOptions the contents of jvm.config
 * @param nodeProperties the contents of node.properties, passed as system properties as Trino's launcher does
 */
public record ServerConfiguration(Path directory, List<String> jvmOptions, Map<String, String> nodeProperties)
{
    public ServerConfiguration
    {
        requireNonNull(directory, "directory is null");
        jvmOptions = ImmutableList.copyOf(jvmOptions);
        nodeProperties = ImmutableMap.copyOf(nodeProperties);
    }

    public static ServerConfiguration write(Installation installation, int port)
            throws IOException
    {
        Path source = installation.configuration();
        Path target = installation.runtime().resolve("etc");
        if (exists(target)) {
            // Otherwise a catalog that was removed from etc/ would remain
            deleteRecursively(target, ALLOW_INSECURE);
        }
        Path catalogs = createDirectories(target.resolve("catalog"));

        copy(source.resolve("config.properties"), target, ImmutableMap.of(
                "http-server.http.port", Integer.toString(port),
                "discovery.uri", "http://127.0.0.1:" + port,
                "plugin.dir", installation.runtime().resolve("plugin").toString(),
                "catalog.config-dir", catalogs.toString()));
        copy(source.resolve("log.properties"), target, ImmutableMap.of());
        PropertiesText node = copy(source.resolve("node.properties"), target, ImmutableMap.of(
                "node.id", UUID.randomUUID().toString(),
                "node.data-dir", installation.runtime().resolve("var").toString()));
        try (DirectoryStream<Path> files = newDirectoryStream(source.resolve("catalog"), "*.properties")) {
            for (Path file : files) {
                boolean local = new PropertiesText(readString(file)).properties().containsKey("local.location");
                copy(file, catalogs, local ? ImmutableMap.of("local.location", installation.data().toString()) : ImmutableMap.of());
            }
        }
        return new ServerConfiguration(target, jvmOptions(readString(source.resolve("jvm.config"))), node.properties());
    }

    static List<String> jvmOptions(String text)
    {
        return text.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .collect(toImmutableList());
    }

    private static PropertiesText copy(Path file, Path directory, Map<String, String> values)
            throws IOException
    {
        PropertiesText text = new PropertiesText(readString(file)).with(values);
        writeString(directory.resolve(file.getFileName()), text.text());
        return text;
    }
}
