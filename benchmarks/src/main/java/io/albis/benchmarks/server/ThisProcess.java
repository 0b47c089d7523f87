package io.albis.benchmarks.server;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;

import java.lang.management.ManagementFactory;

/**
 * Measures what this process uses.
 */
class ThisProcess
{
    private final OperatingSystemMXBean process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final PeakHeap peakHeap = new PeakHeap();

    public ProcessUsage usage()
    {
        return new ProcessUsage(process.getProcessCpuTime(), threads.getTotalThreadAllocatedBytes(), peakHeap.bytes());
    }

    public void resetPeakHeap()
    {
        peakHeap.reset();
    }
}
