package io.albis.format;

import io.albis.format.search.ReaderThresholds;

import java.util.Random;

/**
 * Thresholds of readers that are low or high enough for small row groups.
 */
final class RandomThresholds
{
    private RandomThresholds() {}

    static ReaderThresholds next(Random random)
    {
        if (random.nextInt(3) == 0) {
            return ReaderThresholds.DEFAULTS;
        }
        return new ReaderThresholds(random.nextInt(3), random.nextBoolean() ? 1 : random.nextDouble(), random.nextBoolean() ? 1 : random.nextDouble(), random.nextBoolean() ? 1_000_000 : random.nextDouble() * 3, random.nextInt(1000));
    }
}
