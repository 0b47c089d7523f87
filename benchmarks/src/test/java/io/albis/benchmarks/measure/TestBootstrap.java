package io.albis.benchmarks.measure;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.Doubles;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.SplittableRandom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestBootstrap
{
    private static final List<Integer> ONE_TO_ELEVEN = ImmutableList.of(7, 1, 11, 3, 5, 9, 2, 10, 4, 8, 6);

    @Test
    void testSameValues()
    {
        assertThat(Bootstrap.medianInterval(ImmutableList.of(1.2))).isEqualTo(new Interval(1.2, 1.2));
        assertThat(Bootstrap.medianInterval(ImmutableList.of(3, 3, 3, 3))).isEqualTo(new Interval(3, 3));
    }

    @Test
    void testKnownDistribution()
    {
        // The median of eleven draws is at most k if at least six of the draws are at most k. The bounds of the
        // interval are the values of k at which this probability passes 2.5 % and 97.5 %.
        assertThat(probabilityOfMedianUpTo(2)).isLessThan(0.025);
        assertThat(probabilityOfMedianUpTo(3)).isGreaterThan(0.035);
        assertThat(probabilityOfMedianUpTo(8)).isLessThan(0.965);
        assertThat(probabilityOfMedianUpTo(9)).isGreaterThan(0.98);
        assertThat(Bootstrap.medianInterval(ONE_TO_ELEVEN)).isEqualTo(new Interval(3, 9));
    }

    private static double probabilityOfMedianUpTo(int k)
    {
        double one = k / 11.0;
        double probability = 0;
        for (int hits = 6; hits <= 11; hits++) {
            double ways = 1;
            for (int i = 0; i < hits; i++) {
                ways = ways * (11 - i) / (i + 1);
            }
            probability += ways * Math.pow(one, hits) * Math.pow(1 - one, 11 - hits);
        }
        return probability;
    }

    @Test
    void testHoldsTheMedianMostOfTheTime()
    {
        long seed = 20_261_121;
        SplittableRandom random = new SplittableRandom(seed);
        int held = 0;
        int samples = 200;
        for (int i = 0; i < samples; i++) {
            double[] sample = new double[21];
            for (int j = 0; j < sample.length; j++) {
                // Some values are outliers, as on a machine that occasionally runs other processes
                sample[j] = random.nextInt(10) == 0 ? 5 * random.nextDouble() : random.nextDouble(0.9, 1.1);
            }
            Interval interval = Bootstrap.medianInterval(Doubles.asList(sample));
            // The true median: half of all values are below it
            held += interval.low() <= 1.006 && interval.high() >= 1.006 ? 1 : 0;
        }
        assertThat((double) held / samples).as("seed %s", seed).isBetween(0.90, 0.995);
    }

    @Test
    void testVerdict()
    {
        assertThat(verdict(1.06, 1.3)).matches(Verdict::isSurelySlower).doesNotMatch(Verdict::isSurelyFaster);
        assertThat(verdict(1.04, 1.3)).doesNotMatch(Verdict::isSurelySlower).doesNotMatch(Verdict::isSurelyFaster);
        assertThat(verdict(0.7, 0.94)).matches(Verdict::isSurelyFaster).doesNotMatch(Verdict::isSurelySlower);
        assertThat(verdict(0.7, 0.96)).doesNotMatch(Verdict::isSurelyFaster);
    }

    private static Verdict verdict(double low, double high)
    {
        return new Verdict((low + high) / 2, new Interval(low, high));
    }

    @Test
    void testEmpty()
    {
        assertThatThrownBy(() -> Bootstrap.medianInterval(ImmutableList.of()))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
