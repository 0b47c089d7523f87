package io.albis.benchmarks.format.jmh;

import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * Measures the CPU time of a benchmark's thread, including the time in the kernel. Unlike elapsed time, CPU time does
 * not depend on other processes on the machine.
 */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.EVENTS)
public class CpuCounter
{
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    // JMH reads these fields and resets them before each iteration
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
