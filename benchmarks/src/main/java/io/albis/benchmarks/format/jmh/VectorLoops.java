package io.albis.benchmarks.format.jmh;

import io.albis.format.vector.Vectors;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits until the reader uses vector loops. A server has used them since its first minute. A process that measures one
 * format lives for only a few seconds, of which a large part would be measured with plain loops.
 */
public final class VectorLoops
{
    // for machines whose vectors are too short to be faster, and processes that compile no vectors
    private static final Duration MAX_WAIT = Duration.ofSeconds(30);
    // the warm-up happens once in a process
    private static final long START = System.nanoTime();

    private VectorLoops() {}

    /**
     * Waits until the vector loops are used, or for half a minute after the first call.
     */
    public static void await()
    {
        boolean supported = ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();
        while (supported && !Vectors.areReady() && System.nanoTime() - START < MAX_WAIT.toNanos()) {
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
        }
    }
}
