package io.albis.benchmarks.format.jmh;

import com.google.common.base.Splitter;

import java.io.IOException;
import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Hardware counters of the processor, which perf of Linux reads. Most virtual machines have none.
 */
final class PerfCounters
{
    static final String INSTRUCTIONS = "instructions";
    static final String CACHE_MISSES = "cache-misses";
    static final String EVENTS = INSTRUCTIONS + "," + CACHE_MISSES;
    /**
     * Whether both counters can be read. Determined once, by counting those of a short command.
     */
    static final boolean AVAILABLE = canCount();

    private PerfCounters() {}

    private static boolean canCount()
    {
        try {
            Process process = new ProcessBuilder("perf", "stat", "-x", ",", "-e", EVENTS, "true")
                    .redirectErrorStream(true)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), UTF_8);
            return process.waitFor() == 0 && areCounted(output);
        }
        catch (IOException e) {
            // There is no such command
            return false;
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /**
     * Returns whether the output of {@code perf stat -x ,} has a number for each of the counters.
     */
    static boolean areCounted(String output)
    {
        List<String> counted = output.lines()
                .map(line -> Splitter.on(',').splitToList(line))
                .filter(cells -> cells.size() > 2 && cells.getFirst().matches("\\d+"))
                .map(cells -> cells.get(2))
                .collect(toImmutableList());
        return counted.stream().anyMatch(event -> event.startsWith(INSTRUCTIONS)) && counted.stream().anyMatch(event -> event.startsWith(CACHE_MISSES));
    }
}
