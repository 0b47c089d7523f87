package io.albis.benchmarks.chart;

import com.google.common.collect.ImmutableList;

import java.math.BigDecimal;
import java.util.List;

/**
 * The values that an axis shows: 1, 2, or 5 times powers of ten.
 */
final class Breaks
{
    private Breaks() {}

    /**
     * Returns values at equal distances, from 0 to at most the given one.
     */
    public static List<BigDecimal> linear(double most)
    {
        int exponent = (int) Math.floor(Math.log10(most / 4));
        double steps = most / 4 / Math.pow(10, exponent);
        BigDecimal distance = BigDecimal.valueOf(steps >= 5 ? 5 : steps >= 2 ? 2 : 1).scaleByPowerOfTen(exponent);
        ImmutableList.Builder<BigDecimal> breaks = ImmutableList.builder();
        for (BigDecimal value = BigDecimal.ZERO; value.doubleValue() <= most; value = value.add(distance)) {
            breaks.add(value);
        }
        return breaks.build();
    }

    /**
     * Returns values between the given ones; only powers of ten if there are many.
     */
    public static List<BigDecimal> logarithmic(double least, double most)
    {
        int[] digits = most / least > 1000 ? new int[] {1} : new int[] {1, 2, 5};
        ImmutableList.Builder<BigDecimal> breaks = ImmutableList.builder();
        for (int exponent = (int) Math.floor(Math.log10(least)); exponent <= Math.log10(most); exponent++) {
            for (int digit : digits) {
                BigDecimal value = BigDecimal.valueOf(digit).scaleByPowerOfTen(exponent);
                if (value.doubleValue() >= least && value.doubleValue() <= most) {
                    breaks.add(value);
                }
            }
        }
        return breaks.build();
    }
}
