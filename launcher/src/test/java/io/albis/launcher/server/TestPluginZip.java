package io.albis.launcher.server;

import com.google.common.collect.ImmutableList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;

import static java.nio.file.Files.size;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the contents of the default zip.
 */
@Tag("server")
final class TestPluginZip
{
    private static final long LIMIT = 100_000_000;
    // The packages that Trino's PluginManager always loads from the server, even if a plugin contains them
    private static final List<String> PROVIDED = ImmutableList.of(
            "io/trino/spi/",
            "com/fasterxml/jackson/annotation/",
            "io/airlift/slice/",
            "io/opentelemetry/api/",
            "io/opentelemetry/context/");
    private static final Pattern FOREIGN = Pattern.compile(".*(azure|google-cloud|gcs|rocksdb|alluxio|grpc|okhttp|okio|kotlin|fastutil-8).*");

    private final Path zip = Installation.current().pluginZip();

    @Test
    void testNothingThatTheServerProvides()
            throws IOException
    {
        List<String> provided = new ArrayList<>();
        int classes = 0;
        try (ZipFile file = new ZipFile(zip.toFile())) {
            for (ZipEntry jar : file.stream().filter(entry -> entry.getName().endsWith(".jar")).toList()) {
                try (InputStream input = file.getInputStream(jar);
                        ZipInputStream entries = new ZipInputStream(input)) {
                    for (ZipEntry entry = entries.getNextEntry(); entry != null; entry = entries.getNextEntry()) {
                        String name = entry.getName();
                        if (name.endsWith(".class")) {
                            classes++;
                            if (PROVIDED.stream().anyMatch(name::startsWith)) {
                                provided.add(jar.getName() + ": " + name);
                            }
                        }
                    }
                }
            }
        }
        assertThat(provided).isEmpty();
        assertThat(classes).isGreaterThan(10_000);
    }

    /**
     * Tests that a library that comes or goes with a new version of another one is noticed.
     */
    @Test
    void testContents()
            throws IOException
    {
        assertThat(PluginZip.DEFAULT.files()).containsExactlyInAnyOrderElementsOf(PluginZip.DEFAULT.listedFiles());
    }

    @Test
    void testFolderOfHdfs()
            throws IOException
    {
        List<String> names = PluginZip.DEFAULT.files();
        assertThat(names.stream().filter(name -> name.startsWith("hdfs/")))
                .allMatch(name -> name.endsWith(".jar"))
                .anyMatch(name -> name.contains("trino-hdfs-"))
                .anyMatch(name -> name.contains("hadoop-apache-"));
        // Otherwise Trino would refuse to start a catalog
        assertThat(names.stream().filter(name -> !name.startsWith("hdfs/")))
                .noneMatch(name -> name.contains("trino-hdfs") || name.contains("hadoop-apache"))
                .anyMatch(name -> name.contains("trino-filesystem-manager-"))
                .anyMatch(name -> name.contains("trino-filesystem-s3-"));
    }

    @Test
    void testSmall()
            throws IOException
    {
        assertThat(PluginZip.DEFAULT.files()).noneMatch(name -> FOREIGN.matcher(name).matches());
        assertThat(size(zip)).isLessThan(LIMIT);
    }
}
