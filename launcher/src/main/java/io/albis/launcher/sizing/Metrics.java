package io.albis.launcher.sizing;

import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Some of the metrics of a cluster.
 *
 * @param processNanos CPU time of the processes
 * @param heapBytes heap of the JVMs, with garbage that was not collected yet
 * @param bytesRead bytes that scans have read from the storage
 * @param reads reads of scans from the storage
 * @param requests requests to S3 for any purpose, or zero with another storage
 */
public record Metrics(long processNanos, long heapBytes, long bytesRead, long reads, long requests)
{
    static final Metrics NONE = new Metrics(0, 0, 0, 0, 0);

    private static final Pattern SAMPLE = Pattern.compile("(?m)^(\\w+)(?:\\{.*})? (\\S+)$");

    /**
     * Reads the answer of {@code /metrics} of a node. The names contain the catalog between the package and the bean.
     */
    static Metrics parse(String openMetrics)
    {
        return SAMPLE.matcher(openMetrics).results()
                .map(Metrics::ofSample)
                .reduce(NONE, Metrics::plus);
    }

    private static Metrics ofSample(MatchResult sample)
    {
        String name = sample.group(1);
        if (name.equals("JMX_java_lang_TYPE_OperatingSystem_ATTRIBUTE_ProcessCpuTime")) {
            return new Metrics(value(sample), 0, 0, 0, 0);
        }
        if (name.equals("JMX_java_lang_TYPE_Memory_ATTRIBUTE_HeapMemoryUsage_used")) {
            return new Metrics(0, value(sample), 0, 0, 0);
        }
        if (name.startsWith("JMX_albis_trino_") && name.endsWith("_TYPE_ScanStats_ATTRIBUTE_BytesRead_TotalCount")) {
            return new Metrics(0, 0, value(sample), 0, 0);
        }
        if (name.startsWith("JMX_albis_trino_") && name.endsWith("_TYPE_ScanStats_ATTRIBUTE_Reads_TotalCount")) {
            return new Metrics(0, 0, 0, value(sample), 0);
        }
        if (name.startsWith("JMX_io_trino_filesystem_s3_") && name.endsWith("S3FileSystemStats_ATTRIBUTE_Total_Calls_TotalCount")) {
            return new Metrics(0, 0, 0, 0, value(sample));
        }
        return NONE;
    }

    private static long value(MatchResult sample)
    {
        return (long) Double.parseDouble(sample.group(2));
    }

    Metrics plus(Metrics other)
    {
        return new Metrics(
                processNanos + other.processNanos,
                heapBytes + other.heapBytes,
                bytesRead + other.bytesRead,
                reads + other.reads,
                requests + other.requests);
    }

    /**
     * Returns what was counted since an earlier time. The heap is that of this time.
     */
    Metrics since(Metrics earlier)
    {
        return new Metrics(
                processNanos - earlier.processNanos,
                heapBytes,
                bytesRead - earlier.bytesRead,
                reads - earlier.reads,
                requests - earlier.requests);
    }
}
