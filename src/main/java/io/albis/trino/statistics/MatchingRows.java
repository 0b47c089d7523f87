package io.albis.trino.statistics;

import com.google.common.collect.ImmutableList;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import static java.lang.Math.pow;
import static java.util.Objects.requireNonNull;

/**
 * Estimates of the rows in each part of a table that match the filters. They are made from the statistics of the
 * filtered columns only.
 *
 * @param rows number of matching rows, by part
 * @param nullsFractions fraction of the matching rows in which the filtered column is null, by filter and part
 */
record MatchingRows(List<RowsStatistics> parts, double[] rows, List<FilterEstimate> filters, double[][] nullsFractions)
{
    // Predicates on several columns are rarely independent of each other. This is the default of the optimizer
    // (OptimizerConfig), which compares these estimates with its own
    private static final double INDEPENDENCE = 0.75;

    MatchingRows
    {
        requireNonNull(parts, "parts is null");
        requireNonNull(rows, "rows is null");
        requireNonNull(filters, "filters is null");
        requireNonNull(nullsFractions, "nullsFractions is null");
    }

    /**
     * Returns all rows, for a scan without filters.
     */
    static MatchingRows all(List<RowsStatistics> parts)
    {
        return of(parts, ImmutableList.of()).orElseThrow();
    }

    /**
     * Estimates the matching rows.
     *
     * @return empty if the number of matching rows is unknown
     */
    static Optional<MatchingRows> of(List<RowsStatistics> parts, List<FilterEstimate> filters)
    {
        double[] rows = new double[parts.size()];
        double[][] nullsFractions = new double[filters.size()][rows.length];
        double[] shares = new double[filters.size()];
        for (int i = 0; i < rows.length; i++) {
            RowsStatistics part = parts.get(i);
            for (int filter = 0; filter < shares.length; filter++) {
                FilterEstimate.Share share = filters.get(filter).share(part);
                shares[filter] = share.rows();
                nullsFractions[filter][i] = share.nullsFraction();
            }
            rows[i] = part.liveRows() * conjunction(shares);
            if (Double.isNaN(rows[i])) {
                return Optional.empty();
            }
        }
        return Optional.of(new MatchingRows(parts, rows, filters, nullsFractions));
    }

    private static double conjunction(double[] shares)
    {
        Arrays.sort(shares);
        double share = 1;
        double exponent = 1;
        for (double next : shares) {
            share *= pow(next, exponent);
            exponent *= INDEPENDENCE;
        }
        return share;
    }

    double total()
    {
        double total = 0;
        for (double next : rows) {
            total += next;
        }
        return total;
    }
}
