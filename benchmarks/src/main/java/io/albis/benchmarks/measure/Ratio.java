package io.albis.benchmarks.measure;

import com.google.common.collect.ImmutableList;

import java.util.Collections;
import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Locale.ENGLISH;

/**
 * The ratio of two figures, computed for each round.
 *
 * @param median median of all rounds
 * @param least minimum of all rounds
 * @param most maximum of all rounds
 */
public record Ratio(double median, double least, double most)
{
    /**
     * Computes the ratio from the figures of each round.
     *
     * @param numerators figures of each round
     * @param denominators figures of the same rounds
     */
    public static Ratio of(List<Double> numerators, List<Double> denominators)
    {
        List<Double> ratios = rounds(numerators, denominators);
        return new Ratio(Median.median(ratios), Collections.min(ratios), Collections.max(ratios));
    }

    static List<Double> rounds(List<Double> numerators, List<Double> denominators)
    {
        checkArgument(numerators.size() == denominators.size(), "not the same number of rounds: %s, %s", numerators.size(), denominators.size());
        ImmutableList.Builder<Double> builder = ImmutableList.builder();
        for (int i = 0; i < numerators.size(); i++) {
            double numerator = numerators.get(i);
            double denominator = denominators.get(i);
            // Two CPU times below the resolution of the clock are both 0, and are the same
            builder.add(numerator == denominator ? 1 : numerator / denominator);
        }
        return builder.build();
    }

    @Override
    public String toString()
    {
        return String.format(ENGLISH, "%.2f [%.2f, %.2f]", median, least, most);
    }
}
