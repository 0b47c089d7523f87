package io.albis.format.layout.block;

import io.albis.format.run.NarrowValues;
import io.albis.format.run.Run;
import io.albis.format.run.RunEncoding.Fixed;
import org.junit.jupiter.api.Test;

import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The parameters of a run represent all of its values, and outliers make it smaller.
 */
final class TestRunPlanner
{
    @Test
    void testRandomRuns()
    {
        long seed = new Random().nextLong();
        for (int round = 0; round < 3000; round++) {
            Random random = new Random(seed + round);
            int slotSize = 1 << random.nextInt(4);
            long[] values = randomValues(random, slotSize);
            int nulls = random.nextInt(10);
            for (boolean outliers : new boolean[] {true, false}) {
                String description = "seed %s, outliers %s".formatted(seed + round, outliers);
                RunPlanner planner = new RunPlanner(slotSize, true, outliers);
                Fixed plan = planner.plan(values, 0, values.length, values.length + nulls);
                checkPlan(description, plan, values, slotSize);
                assertThat(plan.outliers()).as(description).isLessThanOrEqualTo(outliers ? (values.length + nulls) / 64 : 0);
                Fixed plain = new RunPlanner(slotSize, true, false).plan(values, 0, values.length, values.length + nulls);
                int rows = values.length + nulls;
                assertThat(planner.size(plan, rows)).as(description).isLessThanOrEqualTo(planner.size(plain, rows));
            }
        }
    }

    private static void checkPlan(String description, Fixed plan, long[] values, int slotSize)
    {
        if (plan.width() == slotSize) {
            assertThat(plan).as(description).isEqualTo(new Fixed(slotSize, 0, 0));
            return;
        }
        int unused = Long.SIZE - slotSize * Byte.SIZE;
        assertThat(plan.base() << unused >> unused).as(description).isEqualTo(plan.base());
        int outliers = 0;
        for (long value : values) {
            long difference = value - plan.base();
            boolean fits = (difference & ~NarrowValues.mask(plan.width())) == 0;
            assertThat(RunPlanner.isOutlier(plan, value)).as(description).isEqualTo(!fits);
            outliers += fits ? 0 : 1;
        }
        assertThat(plan.outliers()).as(description).isEqualTo(outliers);
    }

    /**
     * Returns values that are close to each other, with a few exceptions.
     */
    private static long[] randomValues(Random random, int slotSize)
    {
        int unused = Long.SIZE - slotSize * Byte.SIZE;
        long[] values = new long[1 + random.nextInt(random.nextBoolean() ? 10 : Run.MAX_ROWS - 1)];
        long center = random.nextBoolean() ? random.nextLong() : random.nextInt(3) - 1;
        long range = 1L << random.nextInt(63);
        int exceptions = 1 << random.nextInt(14);
        for (int i = 0; i < values.length; i++) {
            long value = random.nextInt(exceptions) == 0 ? exception(random) : center + random.nextLong(range);
            values[i] = value << unused >> unused;
        }
        return values;
    }

    private static long exception(Random random)
    {
        return switch (random.nextInt(4)) {
            case 0 -> Long.MIN_VALUE;
            case 1 -> Long.MAX_VALUE;
            default -> random.nextLong();
        };
    }

    @Test
    void testExceptionsOnBothSides()
    {
        long[] values = new long[Run.MAX_ROWS];
        for (int i = 0; i < values.length; i++) {
            values[i] = 1_000_000 + i % 200;
        }
        values[17] = -1;
        values[4000] = Long.MAX_VALUE;
        values[8191] = Long.MIN_VALUE;
        assertThat(new RunPlanner(Long.BYTES, true, true).plan(values, 0, values.length, values.length)).satisfies(plan -> {
            assertThat(plan.width()).isEqualTo(1);
            assertThat(plan.outliers()).isEqualTo(3);
        });
        // a run whose values are the same with a few exceptions
        for (int i = 0; i < values.length; i++) {
            values[i] = i % 1000 == 999 ? i : 5;
        }
        assertThat(new RunPlanner(Long.BYTES, true, true).plan(values, 0, values.length, values.length)).isEqualTo(new Fixed(0, 5, 8));
        assertThat(new RunPlanner(Long.BYTES, true, false).plan(values, 0, values.length, values.length)).isEqualTo(new Fixed(2, 5, 0));
        assertThat(new RunPlanner(Long.BYTES, false, true).plan(values, 0, values.length, values.length)).isEqualTo(new Fixed(8, 0, 0));
    }
}
