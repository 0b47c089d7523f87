package io.albis.benchmarks.format.jmh;

import com.sun.management.OperatingSystemMXBean;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * Measures the CPU time of a benchmark's thread or of its process, including the time in the kernel. Unlike elapsed
 * time, CPU time does not depend on other processes on the machine.
 */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.EVENTS)
public class CpuCounter
{
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final OperatingSystemMXBean PROCESS = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    // JMH reads these fields and resets them before each iteration
    public long cpuNanos;
    public long operations;

    private boolean allThreads;
    private long start;

    public void start()
    {
        start(false);
    }

    /**
     * Starts to count.
     *
     * @param allThreads whether to count all threads of the process, because a library decodes on its own ones. The
     *         clock of a process ticks only every 10 ms, which averages out over many operations
     */
    public void start(boolean allThreads)
    {
        this.allThreads = allThreads;
        start = now();
    }

    public void stop()
    {
        cpuNanos += now() - start;
        operations++;
    }

    private long now()
    {
        return allThreads ? PROCESS.getProcessCpuTime() : THREADS.getCurrentThreadCpuTime();
    }
}
