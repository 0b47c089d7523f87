package io.albis.benchmarks.server;

import com.google.common.collect.ImmutableList;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static io.albis.benchmarks.server.BenchmarkCatalog.ALBIS;
import static io.albis.benchmarks.server.BenchmarkCatalog.HIVE;
import static org.assertj.core.api.Assertions.assertThat;

class TestDiskUsage
{
    @TempDir
    private Path data;

    static List<BenchmarkCatalog> catalogs()
    {
        return ImmutableList.of(ALBIS, HIVE);
    }

    @ParameterizedTest
    @MethodSource("catalogs")
    void testDroppedTablesDoNotCount(BenchmarkCatalog catalog)
    {
        try (BenchmarkServer server = BenchmarkServer.start(ImmutableList.of(catalog), data)) {
            String name = catalog.catalogName();
            assertThat(DiskUsage.bytes(catalog, data, "s")).isEqualTo(0);
            server.execute(name, "s", "CREATE SCHEMA s");
            server.execute(name, "s", "CREATE TABLE first AS SELECT * FROM tpcds.tiny.item");
            long one = DiskUsage.bytes(catalog, data, "s");
            assertThat(one).isGreaterThan(50_000);
            server.execute(name, "s", "CREATE TABLE second AS SELECT * FROM tpcds.tiny.item");
            assertThat(DiskUsage.bytes(catalog, data, "s")).isBetween(one * 3 / 2, one * 5 / 2);
            server.execute(name, "s", "DROP TABLE first");
            assertThat(DiskUsage.bytes(catalog, data, "s")).isBetween(one / 2, one * 3 / 2);

            DiskUsage.removeDropped(catalog, data, "s");
            assertThat(server.execute(name, "s", "SELECT count(*) FROM second").getOnlyValue()).isEqualTo(2000L);
            assertThat(data.resolve(name).resolve("s")).isDirectoryNotContaining(path -> Files.isDirectory(path) && path.getFileName().toString().startsWith("first"));
        }
    }
}
