package io.albis.launcher.server;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

import static com.google.common.io.MoreFiles.deleteRecursively;
import static com.google.common.io.RecursiveDeleteOption.ALLOW_INSECURE;
import static java.nio.file.Files.copy;
import static java.nio.file.Files.createDirectories;
import static java.nio.file.Files.createSymbolicLink;
import static java.nio.file.Files.deleteIfExists;
import static java.nio.file.Files.exists;
import static java.nio.file.Files.newDirectoryStream;
import static java.nio.file.Files.readString;
import static java.nio.file.Files.writeString;
import static java.util.stream.Collectors.joining;

/**
 * The server's plugin directory: the unpacked plugin zip and the other connectors of the assembled server. The
 * directory is a copy, so that a build can replace the zip while a server is running.
 */
final class PluginDirectory
{
    private PluginDirectory() {}

    static void write(Installation installation)
            throws IOException
    {
        Path zip = installation.pluginZip();
        Path directory = installation.runtime().resolve("plugin");
        Path unpacked = installation.runtime().resolve("plugin.unpacked");
        String state = state(installation, zip);
        if (exists(unpacked) && exists(directory) && readString(unpacked).equals(state)) {
            return;
        }
        // The state of a folder that is only a part of the plugin is unknown
        deleteIfExists(unpacked);
        if (exists(directory)) {
            deleteRecursively(directory, ALLOW_INSECURE);
        }
        unzip(zip, createDirectories(directory.resolve("albis")));
        try (DirectoryStream<Path> others = newDirectoryStream(installation.server().resolve("plugin"))) {
            for (Path other : others) {
                createSymbolicLink(directory.resolve(other.getFileName()), other);
            }
        }
        writeString(unpacked, state);
    }

    /**
     * Describes the contents of the zip, so that changes can be detected. The modification times in a zip do not
     * change, because builds are reproducible and write the same time into every zip.
     */
    private static String state(Installation installation, Path zip)
            throws IOException
    {
        try (ZipFile file = new ZipFile(zip.toFile())) {
            return file.stream()
                    .map(entry -> "%s %08x\n".formatted(entry.getName(), entry.getCrc()))
                    .collect(joining("", installation.server() + "\n", ""));
        }
    }

    /**
     * Unpacks a plugin zip without its single root directory.
     */
    static void unzip(Path zip, Path directory)
            throws IOException
    {
        try (ZipFile file = new ZipFile(zip.toFile())) {
            for (ZipEntry entry : file.stream().filter(entry -> !entry.isDirectory()).toList()) {
                Path name = Path.of(entry.getName());
                Path target = directory.resolve(name.subpath(1, name.getNameCount())).normalize();
                if (!target.startsWith(directory)) {
                    throw new LauncherException("An entry of %s leaves its folder: %s".formatted(zip, entry.getName()));
                }
                createDirectories(target.getParent());
                try (InputStream input = file.getInputStream(entry)) {
                    copy(input, target);
                }
            }
        }
    }
}
