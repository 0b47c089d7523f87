package io.albis.benchmarks;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.report.CommandLines;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.SessionProperty;
import io.albis.benchmarks.workload.TpcdsScale;
import picocli.CommandLine.Option;

import java.nio.file.Path;
import java.util.List;

/**
 * The options that all benchmarks have in common.
 */
class BenchmarkOptions
{
    @Option(names = "--scale", defaultValue = "sf1", paramLabel = "SCALE", description = "tiny, sf1, sf10, ...; ${DEFAULT-VALUE} if not given")
    TpcdsScale scale;

    @Option(names = "--catalogs", split = ",", defaultValue = "albis,iceberg,hive", paramLabel = "LIST", description = "of albis, albis_columns, albis_row, albis_zstd, iceberg, hive and hive_orc, each as it is or with settings of its connector as in albis+lazy-reading=false; ${DEFAULT-VALUE} if not given")
    List<BenchmarkCatalog> catalogs;

    @Option(names = "--session", split = ",", paramLabel = "LIST", description = "session properties of the measured statements, those of the engine as in task_concurrency=1 and those of a catalog as in albis.index_enabled=false")
    List<SessionProperty> sessionProperties = ImmutableList.of();

    @Option(names = "--warm-up", defaultValue = "1", paramLabel = "N", description = "rounds before those that count; ${DEFAULT-VALUE} if not given")
    int warmUps;

    @Option(names = "--runs", defaultValue = "5", paramLabel = "N", description = "rounds that count; ${DEFAULT-VALUE} if not given")
    int runs;

    @Option(names = CommandLines.RESUME, description = "keep the completed rounds of a run of the same command with the same builds that was interrupted, and run the others")
    boolean resume;

    @Option(names = "--data", required = true, paramLabel = "DIR", description = "folder of the tables; missing ones are created, and all are kept for the next benchmark")
    Path data;

    @Option(names = "--output", required = true, paramLabel = "FILE.md", description = "what to write; the raw figures get the same name with .csv")
    Path output;
}
