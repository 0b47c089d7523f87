package io.albis.format.run;

/**
 * Runs each vector loop, in turns with the plain loop, until it is faster.
 */
final class VectorWarmUp
{
    // those that have a vector loop
    private static final int[] WIDTHS = {1, 2, 3, 5, 6, 7};
    private static final int VALUES = 2048;
    // other processes disturb single measurements
    private static final int CALLS = 64;
    private static final int FASTER_CALLS = 48;
    // ten times as many as it takes
    private static final int MAX_ROUNDS = 200;

    private final byte[] bytes = new byte[VALUES * Long.BYTES + NarrowValues.SLACK];
    private final long[] longs = new long[VALUES];
    private final int[] ints = new int[VALUES];
    private final short[] shorts = new short[VALUES];

    private VectorWarmUp() {}

    /**
     * Returns whether all vector loops have become faster than the plain loops.
     */
    static boolean succeeds()
    {
        VectorWarmUp warmUp = new VectorWarmUp();
        for (int width : WIDTHS) {
            if (!warmUp.succeeds(width)) {
                return false;
            }
        }
        return true;
    }

    private boolean succeeds(int width)
    {
        return isFaster(vectors -> NarrowValues.widen(vectors, bytes, 0, width, 1L, VALUES, longs, 0)) &&
                (width >= Integer.BYTES || isFaster(vectors -> NarrowValues.widen(vectors, bytes, 0, width, 1, VALUES, ints, 0))) &&
                (width >= Short.BYTES || isFaster(vectors -> NarrowValues.widen(vectors, bytes, 0, width, (short) 1, VALUES, shorts, 0)));
    }

    private static boolean isFaster(Loop loop)
    {
        for (int round = 0; round < MAX_ROUNDS; round++) {
            int faster = 0;
            for (int call = 0; call < CALLS; call++) {
                long start = System.nanoTime();
                loop.run(false);
                long middle = System.nanoTime();
                loop.run(true);
                faster += System.nanoTime() - middle < middle - start ? 1 : 0;
            }
            if (faster >= FASTER_CALLS) {
                return true;
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
