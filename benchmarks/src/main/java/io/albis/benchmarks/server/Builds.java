package io.albis.benchmarks.server;

import com.google.common.base.Splitter;
import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import io.albis.trino.handle.PluginBuild;
import io.trino.spi.Plugin;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import static com.google.common.base.Preconditions.checkState;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The builds that the figures depend on. Two builds are the same if their files are the same, whatever their commits.
 */
public final class Builds
{
    private static final String CODE = "io/albis";
    private static final int ID_LENGTH = 16;
    private static final String BENCHMARKS = find();

    private Builds() {}

    /**
     * Returns the version of Trino, of which the connectors of the peers are a part.
     */
    public static String trino()
    {
        String version = Plugin.class.getPackage().getImplementationVersion();
        return version == null ? "unknown" : version;
    }

    /**
     * Returns the commit of the plugin on the class path, and the hash of its classes, which also tells builds with
     * uncommitted changes apart.
     */
    public static String albis()
    {
        String commit = PluginBuild.CURRENT.commit();
        return "%s, classes %s".formatted(commit.isEmpty() ? "no commit" : "commit " + commit, albisClasses());
    }

    /**
     * Returns the hash of the classes of the plugin.
     */
    public static String albisClasses()
    {
        String id = PluginBuild.CURRENT.id();
        checkState(!id.equals("unknown"), "The classes of the plugin cannot be read, so tables and figures of this build look like those of others");
        return id;
    }

    /**
     * Returns the hash of the benchmarks: of their classes and statements, and of the names of the libraries, which
     * contain their versions.
     */
    public static String benchmarks()
    {
        return BENCHMARKS;
    }

    private static String find()
    {
        List<String> libraries = Splitter.on(File.pathSeparatorChar).omitEmptyStrings().splitToList(System.getProperty("java.class.path")).stream()
                .map(library -> String.valueOf(Path.of(library).getFileName()))
                .collect(toImmutableList());
        try {
            Path code = Path.of(Builds.class.getProtectionDomain().getCodeSource().getLocation().toURI());
            if (Files.isDirectory(code)) {
                return hash(code, libraries);
            }
            try (FileSystem jar = FileSystems.newFileSystem(code)) {
                return hash(jar.getPath("/"), libraries);
            }
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Computes the hash of the code and the resources in a folder.
     */
    static String hash(Path root, List<String> libraries)
            throws IOException
    {
        Path folder = root.resolve(CODE);
        List<Path> files;
        try (Stream<Path> paths = Files.walk(folder)) {
            files = paths.filter(Files::isRegularFile)
                    .sorted()
                    .collect(toImmutableList());
        }
        Hasher hasher = Hashing.sha256().newHasher();
        for (Path file : files) {
            byte[] bytes = Files.readAllBytes(file);
            putText(hasher, folder.relativize(file).toString());
            hasher.putInt(bytes.length).putBytes(bytes);
        }
        libraries.forEach(library -> putText(hasher, library));
        return hasher.hash().toString().substring(0, ID_LENGTH);
    }

    /**
     * Adds a text and its length, which separates it from the next one.
     */
    public static void putText(Hasher hasher, String text)
    {
        hasher.putInt(text.length()).putString(text, UTF_8);
    }
}
