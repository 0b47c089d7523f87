package io.albis.benchmarks.format.jmh;

import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * What the thread of a benchmark was really at work, also for the system on its behalf: the same if others are at work beside it.
 */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.EVENTS)
public class CpuCounter
{
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    // JMH reads them and sets them to zero before each iteration
    public long cpuNanos;
    public long operations;

    private long start;

    public void start()
    {
        start = THREADS.getCurrentThreadCpuTime();
    }

    public void stop()
    {
        cpuNanos += THREADS.getCurrentThreadCpuTime() - start;
        operations++;
    }
}
