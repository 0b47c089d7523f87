package io.albis.benchmarks.server;

import com.google.common.collect.ImmutableMap;

import java.util.Map;
import java.util.Optional;

import static com.google.common.base.CharMatcher.is;
import static java.util.Objects.requireNonNull;

/**
 * A file system other than the local one, on which the catalogs of a benchmark have their tables.
 *
 * @param name name for a reader, such as HDFS
 * @param folder URI of the folder of all catalogs, without a slash at its end
 * @param properties catalog properties of the file system
 */
public record RemoteStorage(String name, String folder, Map<String, String> properties)
{
    public RemoteStorage
    {
        requireNonNull(name, "name is null");
        requireNonNull(folder, "folder is null");
        folder = is('/').trimTrailingFrom(folder);
        properties = ImmutableMap.copyOf(properties);
    }

    /**
     * Parses the URI of a folder.
     *
     * @param uri such as {@code hdfs://127.0.0.1:8020/albis} or {@code s3://bucket/albis}
     * @param endpoint address of a server that is compatible with S3; empty for Amazon S3. The environment of the
     *         process has the credentials.
     * @throws IllegalArgumentException if this is neither HDFS nor S3, or if HDFS is given an endpoint
     */
    public static RemoteStorage parse(String uri, Optional<String> endpoint)
    {
        if (uri.matches("hdfs://[^/].*") && endpoint.isEmpty()) {
            return new RemoteStorage("HDFS", uri, ImmutableMap.of("fs.hadoop.enabled", "true", "hive.dfs.replication", "1"));
        }
        if (uri.matches("s3://[^/].*")) {
            ImmutableMap.Builder<String, String> properties = ImmutableMap.<String, String>builder().put("fs.s3.enabled", "true");
            endpoint.ifPresent(address -> properties
                    .put("s3.endpoint", address)
                    // The client insists on a region, and names of hosts with buckets need a DNS server
                    .put("s3.region", "us-east-1")
                    .put("s3.path-style-access", "true"));
            return new RemoteStorage("S3", uri, properties.buildOrThrow());
        }
        throw new IllegalArgumentException("Not a storage such as hdfs://127.0.0.1:8020/albis or s3://bucket/albis: '%s'. Only S3 has an endpoint".formatted(uri));
    }
}
