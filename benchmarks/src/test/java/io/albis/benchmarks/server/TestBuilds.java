package io.albis.benchmarks.server;

import com.google.common.collect.ImmutableList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;

class TestBuilds
{
    @TempDir
    private Path root;

    @Test
    void testHash()
            throws IOException
    {
        Path queries = Files.createDirectories(root.resolve("io/albis/benchmarks")).resolve("queries.sql");
        Files.writeString(queries, "SELECT 1");
        String hash = Builds.hash(root, ImmutableList.of("parquet-1.jar", "orc-1.jar"));
        assertThat(hash).matches("[0-9a-f]{16}");
        assertThat(Builds.hash(root, ImmutableList.of("parquet-2.jar", "orc-1.jar"))).isNotEqualTo(hash);
        // Files outside of the code, such as the time of the build, do not count
        Files.writeString(root.resolve("MANIFEST.MF"), "Build-Time: now");
        assertThat(Builds.hash(root, ImmutableList.of("parquet-1.jar", "orc-1.jar"))).isEqualTo(hash);
        Files.writeString(queries, "SELECT 2");
        assertThat(Builds.hash(root, ImmutableList.of("parquet-1.jar", "orc-1.jar"))).isNotEqualTo(hash);
    }

    @Test
    void testThisBuild()
    {
        assertThat(Builds.benchmarks()).matches("[0-9a-f]{16}");
        assertThat(Builds.albisClasses()).matches("[0-9a-f]{16}");
        assertThat(Builds.albis()).endsWith(", classes " + Builds.albisClasses());
    }
}
