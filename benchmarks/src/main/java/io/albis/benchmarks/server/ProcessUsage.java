package io.albis.benchmarks.server;

import com.google.common.base.Splitter;

import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * What processes have used since they started.
 *
 * @param peakHeapBytes largest heap size of one process after a garbage collection
 */
record ProcessUsage(long cpuNanos, long allocatedBytes, long peakHeapBytes)
{
    /**
     * Returns the usage of two processes together.
     */
    public ProcessUsage plus(ProcessUsage other)
    {
        return new ProcessUsage(
                cpuNanos + other.cpuNanos,
                allocatedBytes + other.allocatedBytes,
                Math.max(peakHeapBytes, other.peakHeapBytes));
    }

    public String text()
    {
        return "%s %s %s".formatted(cpuNanos, allocatedBytes, peakHeapBytes);
    }

    public static ProcessUsage parse(String text)
    {
        List<String> numbers = Splitter.on(' ').splitToList(text);
        checkArgument(numbers.size() == 3, "not the usage of a process: '%s'", text);
        return new ProcessUsage(Long.parseLong(numbers.get(0)), Long.parseLong(numbers.get(1)), Long.parseLong(numbers.get(2)));
    }
}
