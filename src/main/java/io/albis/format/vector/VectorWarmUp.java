package io.albis.format.vector;

import java.util.concurrent.locks.LockSupport;

import static io.trino.spi.block.Bitmap.wordsForBits;
import static java.util.concurrent.TimeUnit.MILLISECONDS;

/**
 * Runs each vector loop, in turns with the plain loop, until it is faster.
 */
final class VectorWarmUp
{
    private static final int VALUES = 2048;
    // The compiler translates a loop after some 100 calls, in a thread of its own. So the first rounds have many calls,
    // and the others wait for it. All calls together take about a second where there is no such compiler.
    private static final int EAGER_ROUNDS = 24;
    private static final int EAGER_CALLS = 64;
    private static final int MAX_ROUNDS = 256;
    private static final int CALLS = 8;

    private final byte[] bytes = new byte[VALUES * Long.BYTES + NarrowValues.SLACK];
    private final long[] longs = new long[VALUES];
    private final int[] ints = new int[VALUES];
    private final short[] shorts = new short[VALUES];
    private final byte[] unpacked = new byte[VALUES + PackedBits.OUTPUT_SLACK];
    // keeps the compiler from leaving out the loop
    private int greatest;
    private final long[] bits = new long[wordsForBits(VALUES)];

    private VectorWarmUp() {}

    /**
     * Returns whether all vector loops have become faster than the plain loops. Widths that share a loop are run once.
     */
    static boolean succeeds()
    {
        VectorWarmUp warmUp = new VectorWarmUp();
        return warmUp.longs(1) && warmUp.longs(2) && warmUp.longs(3) &&
                warmUp.ints(1) && warmUp.ints(2) && warmUp.ints(3) &&
                warmUp.shorts(1) &&
                warmUp.bits() && warmUp.maximum() &&
                warmUp.ranges(1) && warmUp.ranges(2) && warmUp.ranges(3) && warmUp.ranges(4) && warmUp.ranges(5);
    }

    private boolean longs(int width)
    {
        return isFaster(vectors -> NarrowValues.widen(vectors, bytes, 0, width, 1L, VALUES, longs, 0));
    }

    private boolean ints(int width)
    {
        return isFaster(vectors -> NarrowValues.widen(vectors, bytes, 0, width, 1, VALUES, ints, 0));
    }

    private boolean shorts(int width)
    {
        return isFaster(vectors -> NarrowValues.widen(vectors, bytes, 0, width, (short) 1, VALUES, shorts, 0));
    }

    private boolean bits()
    {
        return isFaster(vectors -> PackedBits.unpack(vectors, bytes, 0, VALUES, unpacked, 0));
    }

    private boolean maximum()
    {
        return isFaster(vectors -> greatest += Maximum.of(vectors, ints, VALUES));
    }

    private boolean ranges(int width)
    {
        return isFaster(vectors -> NarrowSelection.inRange(vectors, bytes, 0, width, 1, 10, VALUES, bits));
    }

    private static boolean isFaster(Loop loop)
    {
        for (int round = 0; round < MAX_ROUNDS; round++) {
            int calls = round < EAGER_ROUNDS ? EAGER_CALLS : CALLS;
            int faster = 0;
            for (int call = 0; call < calls; call++) {
                long start = System.nanoTime();
                loop.run(false);
                long middle = System.nanoTime();
                loop.run(true);
                faster += System.nanoTime() - middle < middle - start ? 1 : 0;
            }
            // other processes disturb single measurements
            if (4 * faster >= 3 * calls) {
                return true;
            }
            if (round >= EAGER_ROUNDS) {
                LockSupport.parkNanos(MILLISECONDS.toNanos(50));
            }
        }
        return false;
    }

    @FunctionalInterface
    private interface Loop
    {
        void run(boolean vectors);
    }
}
