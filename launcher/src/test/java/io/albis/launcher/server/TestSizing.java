package io.albis.launcher.server;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.launcher.sizing.ConcurrentQueries;
import io.albis.launcher.sizing.SizingReport;
import io.albis.launcher.tpcds.Progress;
import io.albis.launcher.tpcds.QueryList;
import io.albis.launcher.tpcds.Scale;
import io.albis.launcher.tpcds.TpcdsBenchmark;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.net.URI;
import java.nio.file.Path;

import static java.nio.file.Files.readString;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the measurement of bin/albis sizing on a server with tables on S3.
 */
@Tag("server")
@Tag("slow")
@Timeout(900)
final class TestSizing
{
    private static final String METRICS = "metrics.jmx-object-names";

    @TempDir
    Path home;

    @Test
    void testMeasurement()
            throws Exception
    {
        Installation installation = TestingNode.install(Installation.current().repository(), home);
        String metrics = new PropertiesText(readString(installation.configuration().resolve("config.properties"))).properties().get(METRICS);
        try (TestingS3 s3 = TestingS3.start(home.resolve("s3"));
                TestingNode server = TestingNode.launch(
                                installation,
                                "server",
                                TestingNode.freeAddress(),
                                ImmutableMap.of("coordinator", "true", "node-scheduler.include-coordinator", "true", METRICS, metrics),
                                ImmutableMap.of("albis", s3.catalog(), "tpcds", ImmutableMap.of("connector.name", "tpcds")))
                        .awaitReady()) {
            URI uri = server.client().uri();
            new TpcdsBenchmark(uri, Scale.TINY, Progress.console()).load(false);
            SizingReport report = new ConcurrentQueries(uri, Scale.TINY, QueryList.parse("3,12,96")).measure(ImmutableList.of(1, 3));
            assertThat(report.hasFailures()).isFalse();
            assertThat(report.measurements()).hasSize(2);
            for (int clients : new int[] {1, 3}) {
                // Query 12 divides by zero at this scale
                assertThat(report.json()).contains("\"clients\": %s, \"queries\": %s, \"failed\": 0,".formatted(clients, 2 * clients));
            }
            assertThat(report.json())
                    .doesNotContain("\"cpuNanos\": 0,", "\"heapBytes\": 0,", "\"largestQueryBytes\": 0,", "\"bytesRead\": 0,", "\"reads\": 0,", "\"s3Requests\": 0,");
        }
    }
}
