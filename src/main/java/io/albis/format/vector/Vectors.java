package io.albis.format.vector;

import jdk.incubator.vector.VectorShape;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Decides whether values are decoded and compared with vector instructions. They need the module
 * {@code jdk.incubator.vector}, which Trino adds to its JVM. Programs that use the Java API need not add it.
 *
 * <p>Until the compiler has translated them, vector loops are a hundred times slower than plain loops. So the first use
 * starts a thread that runs them until they are faster. Until then, and on a machine on which they do not become
 * faster, the plain loops are used.
 */
public final class Vectors
{
    // With shorter vectors, plain loops are as fast. Trino has the same limit.
    private static final int MIN_BITS = 256;

    static final boolean SUPPORTED = ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent() && Preferred.areLong();

    private static final AtomicBoolean STARTED = new AtomicBoolean();
    private static volatile boolean ready;

    private Vectors() {}

    /**
     * Returns whether vector loops are faster than plain loops.
     */
    public static boolean areReady()
    {
        if (!ready && SUPPORTED && !STARTED.get() && STARTED.compareAndSet(false, true)) {
            Thread.ofPlatform().daemon().name("albis-vector-warm-up").start(() -> ready = VectorWarmUp.succeeds());
        }
        return ready;
    }

    // The JVM resolves the name of the other class when this class is used, which is only if the module is there.
    private static final class Preferred
    {
        static boolean areLong()
        {
            return VectorShape.preferredShape().vectorBitSize() >= MIN_BITS;
        }
    }
}
