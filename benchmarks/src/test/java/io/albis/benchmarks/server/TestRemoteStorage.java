package io.albis.benchmarks.server;

import com.google.common.collect.ImmutableMap;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestRemoteStorage
{
    @Test
    void testHdfs()
    {
        RemoteStorage storage = RemoteStorage.parse("hdfs://127.0.0.1:8020/", Optional.empty());
        assertThat(storage.name()).isEqualTo("HDFS");
        BenchmarkCatalog catalog = BenchmarkCatalog.ALBIS.on(storage);
        assertThat(catalog.remoteFolder()).isEqualTo("hdfs://127.0.0.1:8020/albis");
        assertThat(catalog.properties(Path.of("data"))).isEqualTo(ImmutableMap.of(
                "albis.warehouse", "hdfs://127.0.0.1:8020/albis",
                "fs.hadoop.enabled", "true",
                "hive.dfs.replication", "1"));
        assertThat(catalog.hasLocalTables()).isFalse();
    }

    @Test
    void testS3()
    {
        assertThat(RemoteStorage.parse("s3://bucket/folder", Optional.empty())).isEqualTo(new RemoteStorage("S3", "s3://bucket/folder", ImmutableMap.of("fs.s3.enabled", "true")));
        RemoteStorage storage = RemoteStorage.parse("s3://bucket/folder/", Optional.of("http://127.0.0.1:9000"));
        assertThat(BenchmarkCatalog.HIVE.on(storage).properties(Path.of("data")))
                .containsEntry("hive.metastore.catalog.dir", "s3://bucket/folder/hive")
                .containsEntry("s3.endpoint", "http://127.0.0.1:9000")
                .containsEntry("s3.path-style-access", "true")
                .doesNotContainKeys("fs.local.enabled", "local.location");
        assertThat(BenchmarkCatalog.ALBIS.on(storage).sharing("scan").remoteFolder()).isEqualTo("s3://bucket/folder/albis");
    }

    @Test
    void testInvalid()
    {
        for (String uri : new String[] {"", "file:///data", "hdfs:///folder", "s3:bucket"}) {
            assertThatThrownBy(() -> RemoteStorage.parse(uri, Optional.empty()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("Not a storage such as hdfs://127.0.0.1:8020/albis or s3://bucket/albis: '%s'", uri);
        }
        assertThatThrownBy(() -> RemoteStorage.parse("hdfs://host/folder", Optional.of("http://127.0.0.1:9000"))).isInstanceOf(IllegalArgumentException.class);
    }
}
