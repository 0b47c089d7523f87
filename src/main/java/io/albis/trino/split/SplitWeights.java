package io.albis.trino.split;

import io.airlift.units.DataSize;

import static com.google.common.primitives.Doubles.constrainToRange;
import static io.airlift.units.DataSize.Unit.MEGABYTE;

/**
 * Weighs splits by their sizes, so that the scheduler of the engine gives a worker more small splits than large ones.
 */
final class SplitWeights
{
    private static final double STANDARD_SPLIT_BYTES = DataSize.of(128, MEGABYTE).toBytes();
    private static final double MIN_WEIGHT = 0.05;

    private SplitWeights() {}

    /**
     * Returns the weight of a split, which is at most 1.
     *
     * @param bytes size of the split on storage, in bytes
     */
    static double weight(double bytes)
    {
        return constrainToRange(bytes / STANDARD_SPLIT_BYTES, MIN_WEIGHT, 1);
    }
}
