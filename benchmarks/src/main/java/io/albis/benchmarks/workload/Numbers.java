package io.albis.benchmarks.workload;

/**
 * Numbers from which generators make their rows.
 */
public final class Numbers
{
    // The most elements that the engine allows in one sequence
    private static final int SEQUENCE = 10_000;

    private Numbers() {}

    /**
     * Returns a relation with the column i of type bigint, which has each number from 0 to below the limit.
     */
    public static String below(long limit)
    {
        return "(SELECT a * %1$s + b AS i FROM UNNEST(sequence(0, %2$s)) t (a) CROSS JOIN UNNEST(sequence(0, %1$s - 1)) u (b) WHERE a * %1$s + b < %3$s)"
                .formatted(SEQUENCE, (limit - 1) / SEQUENCE, limit);
    }
}
