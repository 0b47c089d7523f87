package io.albis.trino.handle;

import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import io.airlift.log.Logger;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

/**
 * The build of the plugin that runs in this process. Two builds are the same if their classes are the same, byte by
 * byte. The id of a Git commit cannot replace this comparison: builds with different uncommitted changes have the same
 * commit, and a build from a source archive has none.
 *
 * @param id hash of the classes, without spaces
 * @param commit id of the Git commit, for information only; empty if unknown
 * @param host name of this machine
 */
public record PluginBuild(String id, String commit, String host)
{
    private static final Logger log = Logger.get(PluginBuild.class);
    /**
     * The id of a node that cannot read its own classes.
     */
    static final String UNKNOWN = "unknown";

    private static final String CLASSES = "io/albis";
    private static final int ID_LENGTH = 16;

    public static final PluginBuild CURRENT = find();

    public PluginBuild
    {
        requireNonNull(id, "id is null");
        requireNonNull(commit, "commit is null");
        requireNonNull(host, "host is null");
    }

    private static PluginBuild find()
    {
        String host = hostName();
        try {
            Path code = Path.of(PluginBuild.class.getProtectionDomain().getCodeSource().getLocation().toURI());
            return Files.isDirectory(code) ? new PluginBuild(hash(code), "", host) : ofJar(code, host);
        }
        catch (IOException | URISyntaxException | RuntimeException e) {
            log.warn(e, "Cannot read the classes of the Albis plugin, so its build is unknown. Queries that use both this node and a node with a known build will fail");
            return new PluginBuild(UNKNOWN, "", host);
        }
    }

    static PluginBuild ofJar(Path jar, String host)
            throws IOException
    {
        try (FileSystem fileSystem = FileSystems.newFileSystem(jar, Map.of())) {
            return new PluginBuild(hash(fileSystem.getPath("/")), commit(jar), host);
        }
    }

    static String hash(Path root)
            throws IOException
    {
        Path folder = root.resolve(CLASSES);
        List<Path> classes;
        try (Stream<Path> files = Files.walk(folder)) {
            classes = files
                    .filter(file -> file.toString().endsWith(".class"))
                    .sorted()
                    .collect(toImmutableList());
        }
        Hasher hasher = Hashing.sha256().newHasher();
        for (Path file : classes) {
            byte[] bytes = Files.readAllBytes(file);
            hasher.putString(folder.relativize(file).toString(), UTF_8).putInt(bytes.length).putBytes(bytes);
        }
        return hasher.hash().toString().substring(0, ID_LENGTH);
    }

    private static String commit(Path jar)
            throws IOException
    {
        try (JarFile file = new JarFile(jar.toFile())) {
            Manifest manifest = file.getManifest();
            String commit = manifest == null ? null : manifest.getMainAttributes().getValue("Git-Commit-Id");
            // a build from a source archive does not replace the placeholder
            return commit == null || commit.startsWith("$") ? "" : commit;
        }
    }

    private static String hostName()
    {
        try {
            return InetAddress.getLocalHost().getHostName();
        }
        catch (UnknownHostException e) {
            return "unknown host";
        }
    }

    @Override
    public String toString()
    {
        return "%s%s on %s".formatted(id, commit.isEmpty() ? "" : " (commit %s)".formatted(commit), host);
    }
}
