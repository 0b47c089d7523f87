package io.albis.benchmarks;

import com.google.common.collect.ImmutableList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs benchmarks on servers in separate processes.
 */
@Tag("slow")
final class TestServerProcesses
        extends AbstractTestBenchmarks
{
    @Test
    void testCoordinatorAndWorker()
            throws IOException
    {
        String[] arguments = {"--queries", "3,96", "--server-processes", "--workers", "1", "--catalogs", "albis,iceberg,hive,hive_orc", "--session", "task_concurrency=2"};
        assertThat(run("tpcds", arguments))
                .contains("- servers: a coordinator and a worker that runs tasks, each in a process of its own with a heap of ")
                .contains("- rows: compared by value between the catalogs before the rounds")
                .contains("| q03 | ", "| q96 | 1 | ", "- All catalogs gave the same number of rows.", "- Nothing failed.");
        for (String figure : new String[] {"elapsed_nanos", "planning_nanos", "cpu_nanos", "scan_cpu_nanos", "process_cpu_nanos", "allocated", "rows_read", "bytes_read", "peak_memory"}) {
            assertThat(figures(figure)).as(figure).hasSize(4 * 2).allMatch(value -> value > 0);
        }
        // Only the worker runs tasks, so its results reach the coordinator through an exchange
        assertThat(figures("exchanged")).hasSize(4 * 2).allMatch(bytes -> bytes > 0);
        assertThat(folder.resolve("data/servers/coordinator/server.log")).content().contains("SERVER STARTED");
        assertThat(folder.resolve("data/servers/worker-1/server.log")).content().contains("SERVER STARTED");
        assertNoProcesses();
    }

    @Test
    void testCoordinatorAlone()
            throws IOException
    {
        // the tables that a server in this process has created
        run("concurrency", "--clients", "1", "--queries", "96", "--repeats", "1", "--catalogs", "albis,iceberg,hive");
        assertThat(run("concurrency", "--clients", "2", "--queries", "3,96", "--repeats", "1", "--catalogs", "albis,iceberg,hive", "--server-processes"))
                .contains("- servers: a coordinator that also runs tasks, in a process of its own with a heap of ")
                .contains("- All catalogs gave the same number of rows.", "- Nothing failed.");
        assertThat(figures("process_cpu_nanos")).hasSize(3).allMatch(nanos -> nanos > 0);
        assertNoProcesses();
    }

    @Test
    void testKilledBenchmark()
            throws IOException, InterruptedException, ExecutionException, TimeoutException
    {
        RuntimeMXBean runtime = ManagementFactory.getRuntimeMXBean();
        Process benchmark = new ProcessBuilder(ImmutableList.<String>builder()
                .add(Path.of(System.getProperty("java.home"), "bin", "java").toString())
                .addAll(runtime.getInputArguments().stream()
                        .filter(argument -> !argument.startsWith("-Xm"))
                        .toList())
                .add("-Xmx1g", "-cp", relative(runtime.getClassPath()), Benchmarks.class.getName())
                .add("tpcds", "--scale", "tiny", "--server-processes", "--data", folder.resolve("data").toString(), "--output", folder.resolve("report.md").toString())
                .build())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile())
                .start();
        List<ProcessHandle> servers = ImmutableList.of();
        try {
            while (servers.isEmpty()) {
                assertThat(benchmark.isAlive()).as("the benchmark is alive").isTrue();
                Thread.sleep(50);
                servers = benchmark.descendants().toList();
            }
        }
        finally {
            benchmark.destroyForcibly();
        }
        for (ProcessHandle server : servers) {
            // A server reads the end of its input after it has started
            server.onExit().get(5, MINUTES);
        }
        assertThat(servers).hasSize(1).noneMatch(ProcessHandle::isAlive);
    }

    /**
     * Returns a class path as in the documented commands. The servers run in other folders.
     */
    private static String relative(String classPath)
    {
        Path current = Path.of("").toAbsolutePath();
        return Stream.of(classPath.split(File.pathSeparator))
                .map(entry -> current.relativize(Path.of(entry).toAbsolutePath()).toString())
                .collect(joining(File.pathSeparator));
    }

    private static void assertNoProcesses()
    {
        assertThat(ProcessHandle.current().descendants().filter(process -> process.info().commandLine().orElse("").contains("ServerMain"))).isEmpty();
    }
}
