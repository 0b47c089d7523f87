package io.albis.benchmarks;

import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.RemoteStorage;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.util.List;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static picocli.CommandLine.Spec.Target.MIXEE;

/**
 * The options for where the tables are.
 */
class StorageOptions
{
    @Option(names = "--storage", paramLabel = "URI", description = "folder for the tables on HDFS or S3, such as hdfs://127.0.0.1:8020/albis or s3://bucket/albis; the local disk if not given")
    private String uri;

    @Option(names = "--s3-endpoint", paramLabel = "URI", description = "address of a server that is compatible with S3, such as http://127.0.0.1:9000; the environment has the credentials")
    private String endpoint;

    @Spec(MIXEE)
    private CommandSpec spec;

    public Optional<RemoteStorage> storage()
    {
        if (uri == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(RemoteStorage.parse(uri, Optional.ofNullable(endpoint)));
        }
        catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage());
        }
    }

    public List<BenchmarkCatalog> place(List<BenchmarkCatalog> catalogs)
    {
        Optional<RemoteStorage> storage = storage();
        if (storage.isEmpty()) {
            return catalogs;
        }
        return catalogs.stream()
                .map(catalog -> catalog.on(storage.get()))
                .collect(toImmutableList());
    }
}
