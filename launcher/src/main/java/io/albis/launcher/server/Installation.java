package io.albis.launcher.server;

import com.google.common.collect.ImmutableList;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Path;

import static com.google.common.base.StandardSystemProperty.USER_DIR;
import static java.nio.file.Files.isDirectory;
import static java.nio.file.Files.newDirectoryStream;
import static java.util.Objects.requireNonNull;

/**
 * The directories that the launcher works with.
 *
 * @param repository the checkout, which contains etc/ and the built plugin
 * @param server the server that the launcher's build assembled: its class path and its other plugins
 * @param home everything that is kept between runs: data, logs, and the configuration of the running server
 */
public record Installation(Path repository, Path server, Path home)
{
    public Installation
    {
        requireNonNull(repository, "repository is null");
        requireNonNull(server, "server is null");
        requireNonNull(home, "home is null");
    }

    /**
     * Returns the directories given by the system properties that bin/albis sets.
     */
    public static Installation current()
    {
        Path repository = Path.of(System.getProperty("albis.repository", USER_DIR.value())).toAbsolutePath().normalize();
        return new Installation(
                repository,
                Path.of(System.getProperty("albis.server", repository.resolve("launcher/target/server").toString())).toAbsolutePath(),
                Path.of(System.getProperty("albis.home", repository.resolve(".albis").toString())).toAbsolutePath());
    }

    public Path configuration()
    {
        return repository.resolve("etc");
    }

    /**
     * Returns the directory that catalogs see as the root of the local file system.
     */
    public Path data()
    {
        return home.resolve("data");
    }

    /**
     * Returns the directory of the running server, with its configuration, plugins, and log. Only one server uses it at
     * a time.
     */
    public Path runtime()
    {
        return home.resolve("server");
    }

    public Path pluginZip()
    {
        Path target = repository.resolve("target");
        if (isDirectory(target)) {
            try (DirectoryStream<Path> zips = newDirectoryStream(target, "albis-trino-*.zip")) {
                ImmutableList<Path> found = ImmutableList.copyOf(zips);
                if (found.size() == 1) {
                    return found.getFirst();
                }
            }
            catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        throw new LauncherException("There is no plugin zip (or more than one) in %s: build it with bin/albis".formatted(target));
    }
}
