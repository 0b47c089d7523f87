package io.albis.benchmarks.server;

import com.google.common.collect.ImmutableList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;

import static io.albis.benchmarks.server.BenchmarkCatalog.ALBIS;
import static io.albis.benchmarks.server.BenchmarkCatalog.HIVE;
import static org.assertj.core.api.Assertions.assertThat;

class TestDiskUsage
{
    @TempDir
    private Path data;

    @Test
    void testDroppedTablesDoNotCount()
    {
        try (BenchmarkServer server = BenchmarkServer.start(ImmutableList.of(ALBIS, HIVE), data)) {
            for (BenchmarkCatalog catalog : ImmutableList.of(ALBIS, HIVE)) {
                String name = catalog.catalogName();
                assertThat(DiskUsage.bytes(catalog, data, "s")).isEqualTo(0);
                server.execute(name, "s", "CREATE SCHEMA s");
                server.execute(name, "s", "CREATE TABLE first AS SELECT * FROM tpcds.tiny.item");
                long one = DiskUsage.bytes(catalog, data, "s");
                assertThat(one).as(name).isGreaterThan(50_000);
                server.execute(name, "s", "CREATE TABLE second AS SELECT * FROM tpcds.tiny.item");
                assertThat(DiskUsage.bytes(catalog, data, "s")).as(name).isBetween(one * 3 / 2, one * 5 / 2);
                server.execute(name, "s", "DROP TABLE first");
                assertThat(DiskUsage.bytes(catalog, data, "s")).as(name).isBetween(one / 2, one * 3 / 2);

                DiskUsage.removeDropped(catalog, data, "s");
                assertThat(server.execute(name, "s", "SELECT count(*) FROM second").getOnlyValue()).as(name).isEqualTo(2000L);
                assertThat(data.resolve(name).resolve("s")).as(name).isDirectoryNotContaining(path -> Files.isDirectory(path) && path.getFileName().toString().startsWith("first"));
            }
        }
    }
}
