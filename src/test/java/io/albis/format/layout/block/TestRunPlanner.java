package io.albis.format.layout.block;

import io.albis.format.run.Run;
import io.albis.format.run.RunEncoding.Fixed;
import io.albis.format.vector.NarrowValues;
import io.trino.spi.block.BlockBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Random;

import static io.trino.spi.type.BigintType.BIGINT;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The parameters of a run represent all of its values, and outliers make it smaller.
 */
final class TestRunPlanner
{
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void testRandomRuns(boolean outliers)
    {
        Random seeds = new Random();
        for (int round = 0; round < 3000; round++) {
            long seed = seeds.nextLong();
            Random random = new Random(seed);
            int slotSize = 1 << random.nextInt(4);
            long[] values = randomValues(random, slotSize);
            ValidityEncoder nulls = null;
            if (random.nextBoolean()) {
                nulls = randomNulls(random, values);
                addGarbage(random, values, nulls);
            }
            String description = "seed %s".formatted(seed);
            RunPlanner planner = new RunPlanner(slotSize, true, outliers);
            long[] planned = values.clone();
            Fixed plan = planner.plan(planned, 0, values.length, nulls);
            for (int row = 0; row < values.length && nulls != null; row++) {
                assertThat(nulls.isNull(row) || planned[row] == values[row]).as(description).isTrue();
            }
            // the value of a null is never an outlier
            checkPlan(description, plan, planned, slotSize);
            assertThat(plan.outliers()).as(description).isLessThanOrEqualTo(outliers ? values.length / 64 : 0);
            Fixed plain = new RunPlanner(slotSize, true, false).plan(values.clone(), 0, values.length, nulls);
            assertThat(planner.size(plan, values.length)).as(description).isLessThanOrEqualTo(planner.size(plain, values.length));
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
            // a filter compares the bounds of the window as signed values
            boolean fits = value >= plan.base() && (difference & ~NarrowValues.mask(plan.width())) == 0;
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

    private static ValidityEncoder randomNulls(Random random, long[] values)
    {
        BlockBuilder builder = BIGINT.createBlockBuilder(null, values.length);
        int valid = random.nextInt(values.length);
        for (int row = 0; row < values.length; row++) {
            if (row != valid && random.nextInt(4) > 0) {
                builder.appendNull();
            }
            else {
                BIGINT.writeLong(builder, values[row]);
            }
        }
        ValidityEncoder nulls = new ValidityEncoder();
        nulls.append(builder.buildValueBlock(), 0, values.length);
        return nulls;
    }

    private static void addGarbage(Random random, long[] values, ValidityEncoder nulls)
    {
        for (int row = 0; row < values.length; row++) {
            if (nulls.isNull(row)) {
                values[row] = random.nextLong();
            }
        }
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
    void testWindowAtTheEndOfTheRange()
    {
        long[] values = new long[Run.MAX_ROWS];
        for (int i = 0; i < values.length; i++) {
            values[i] = Long.MAX_VALUE - 5 - i % 6;
        }
        values[17] = Long.MIN_VALUE;
        Fixed plan = new RunPlanner(Long.BYTES, true, true).plan(values, 0, values.length, null);
        assertThat(plan).isEqualTo(new Fixed(1, Long.MAX_VALUE - 255, 1));
        checkPlan("end of the range", plan, values, Long.BYTES);
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
        assertThat(new RunPlanner(Long.BYTES, true, true).plan(values, 0, values.length, null)).satisfies(plan -> {
            assertThat(plan.width()).isEqualTo(1);
            assertThat(plan.outliers()).isEqualTo(3);
        });
        // a run whose values are the same with a few exceptions
        for (int i = 0; i < values.length; i++) {
            values[i] = i % 1000 == 999 ? i : 5;
        }
        assertThat(new RunPlanner(Long.BYTES, true, true).plan(values, 0, values.length, null)).isEqualTo(new Fixed(0, 5, 8));
        assertThat(new RunPlanner(Long.BYTES, true, false).plan(values, 0, values.length, null)).isEqualTo(new Fixed(2, 5, 0));
        assertThat(new RunPlanner(Long.BYTES, false, true).plan(values, 0, values.length, null)).isEqualTo(new Fixed(8, 0, 0));
    }
}
