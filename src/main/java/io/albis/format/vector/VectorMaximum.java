package io.albis.format.vector;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorSpecies;

import static jdk.incubator.vector.VectorOperators.MAX;

/**
 * Finds the greatest value with vector instructions. This class must only be used if {@link Vectors#SUPPORTED}, because
 * it needs the module {@code jdk.incubator.vector}.
 */
final class VectorMaximum
{
    private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;

    private VectorMaximum() {}

    /**
     * Returns the number of values that whole vectors hold, but at most {@code count}.
     */
    static int whole(int count)
    {
        return INTS.loopBound(count);
    }

    /**
     * Returns the greatest of the first values, or 0 if all are less than 0.
     *
     * @param count number of values, which whole vectors hold
     */
    static int of(int[] values, int count)
    {
        IntVector max = IntVector.zero(INTS);
        for (int i = 0; i < count; i += INTS.length()) {
            max = max.max(IntVector.fromArray(INTS, values, i));
        }
        return max.reduceLanes(MAX);
    }
}
