package io.albis.launcher;

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
 * Where things are.
 *
 * @param repository the checkout, with etc/ and the built plugin in it
 * @param server what the launcher's build assembled: the class path of the server and its other plugins
 * @param home everything that is kept between runs: data, logs, the configuration of the running server
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
     * As bin/albis says.
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
     * The local file system's root as catalogs see it.
     */
    public Path data()
    {
        return home.resolve("data");
    }

    /**
     * The folder of the running server: its configuration, plugins and log. One server at a time uses it.
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
