package io.albis.format.layout.block;

import io.albis.format.run.RunBytes;
import io.albis.format.run.RunEncoding.Fixed;
import io.albis.format.type.StorageType;
import io.albis.format.vector.NarrowValues;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * A filter selects the same rows of a run with outliers as of its values.
 */
final class TestOutlierSelection
{
    @Test
    void testRandomRuns()
    {
        Random seeds = new Random();
        for (int round = 0; round < 3000; round++) {
            long seed = seeds.nextLong();
            Random random = new Random(seed);
            long[] values = new long[1 + random.nextInt(300)];
            Fixed plan = new Fixed(random.nextInt(3), 100, 0);
            int outliers = 0;
            for (int i = 0; i < values.length; i++) {
                boolean outlier = random.nextInt(20) == 0;
                values[i] = outlier ? random.nextLong(1000) - 500 : 100 + random.nextLong(NarrowValues.mask(plan.width()) + 1);
                outliers += RunPlanner.isOutlier(plan, values[i]) ? 1 : 0;
            }
            plan = new Fixed(plan.width(), 100, outliers);
            RunBytes run = run(values, plan);
            int[] rows = random.ints(0, values.length).limit(values.length).distinct().sorted().toArray();
            int[] all = rows.clone();
            long min = random.nextLong(700) - 300;
            long max = min + random.nextLong(300);
            int selected = OutlierSelection.select(run, StorageType.LONG, (integers, candidates, count) -> selectRange(integers, min, max, candidates, count), rows, rows.length);
            assertThat(Arrays.copyOf(rows, selected)).as("seed %s", seed)
                    .isEqualTo(Arrays.stream(all).filter(row -> values[row] >= min && values[row] <= max).toArray());
        }
    }

    private static int selectRange(IntegerRun integers, long min, long max, int[] rows, int count)
    {
        long[] values = new long[count];
        integers.read(rows, count, values);
        int selected = 0;
        for (int i = 0; i < count; i++) {
            rows[selected] = rows[i];
            selected += values[i] >= min && values[i] <= max ? 1 : 0;
        }
        return selected;
    }

    @Test
    void testDamagedPositions()
    {
        long[] values = new long[100];
        values[3] = 1000;
        values[50] = -1000;
        Fixed plan = new Fixed(0, 0, 2);
        int positions = 2 * Long.BYTES;
        for (int[] damaged : new int[][] {{50, 3}, {3, 3}, {3, 100}, {0xFFFF, 50}, {3, 0xFFFF}}) {
            RunBytes run = run(values, plan);
            NarrowValues.setInt(run.bytes(), positions, damaged[0] | damaged[1] << Short.SIZE);
            assertThatThrownBy(() -> new Outliers(run, StorageType.LONG)).as(Arrays.toString(damaged)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("outlier");
        }
        RunBytes run = run(values, plan);
        // two words of validity before the values, in which row 3 is null
        byte[] nullable = new byte[2 * Long.BYTES + run.bytes().length];
        NarrowValues.setLong(nullable, 0, ~(1L << 3));
        NarrowValues.setLong(nullable, Long.BYTES, -1);
        System.arraycopy(run.bytes(), 0, nullable, 2 * Long.BYTES, run.bytes().length);
        assertThatThrownBy(() -> new Outliers(new RunBytes(nullable, 0, 2 * Long.BYTES + run.length(), values.length, 1, plan), StorageType.LONG))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the outlier at position 3 is null");
        Outliers outliers = new Outliers(run, StorageType.LONG);
        assertThat(outliers.position(0)).isEqualTo(3);
        assertThat(outliers.position(1)).isEqualTo(50);
        assertThat(outliers.value(1)).isEqualTo(-1000);
    }

    private static RunBytes run(long[] values, Fixed plan)
    {
        int narrow = plan.width() * values.length;
        int length = narrow + Outliers.length(plan.outliers(), StorageType.LONG);
        byte[] bytes = new byte[length + NarrowValues.SLACK];
        NarrowValues.narrow(values, 0, values.length, plan.base(), plan.width(), bytes, 0);
        Outliers.write(values, 0, values.length, plan, StorageType.LONG, bytes, 0);
        return new RunBytes(bytes, 0, length, values.length, 0, plan);
    }
}
