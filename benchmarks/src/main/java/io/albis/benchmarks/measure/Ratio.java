package io.albis.benchmarks.measure;

import com.google.common.collect.ImmutableList;

import java.util.Collections;
import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Locale.ENGLISH;

/**
 * How many times one figure is another, round by round.
 *
 * @param median of the rounds
 * @param least of the rounds
 * @param most of the rounds
 */
public record Ratio(double median, double least, double most)
{
    /**
     * @param numerators of each round
     * @param denominators of the same rounds
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
            builder.add(numerators.get(i) / denominators.get(i));
        }
        return builder.build();
    }

    @Override
    public String toString()
    {
        return String.format(ENGLISH, "%.2f [%.2f, %.2f]", median, least, most);
    }
}
