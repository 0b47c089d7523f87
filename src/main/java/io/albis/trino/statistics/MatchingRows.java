package io.albis.trino.statistics;

import com.google.common.collect.ImmutableList;
import io.albis.format.metadata.RowGroup;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import static java.lang.Math.pow;
import static java.util.Objects.requireNonNull;

/**
 * Estimates of the rows in each row group that match the filters. They are made from the statistics of the filtered
 * columns only.
 *
 * @param rows number of matching rows, by row group
 * @param nullsFractions fraction of the matching rows in which the filtered column is null, by filter and row group
 */
record MatchingRows(List<RowGroup> rowGroups, double[] rows, List<FilterEstimate> filters, double[][] nullsFractions)
{
    // Predicates on several columns are rarely independent of each other. This is the default of the optimizer
    // (OptimizerConfig), which compares these estimates with its own
    private static final double INDEPENDENCE = 0.75;

    MatchingRows
    {
        requireNonNull(rowGroups, "rowGroups is null");
        requireNonNull(rows, "rows is null");
        requireNonNull(filters, "filters is null");
        requireNonNull(nullsFractions, "nullsFractions is null");
    }

    /**
     * Returns all rows, for a scan without filters.
     */
    static MatchingRows all(List<RowGroup> rowGroups)
    {
        return of(rowGroups, ImmutableList.of()).orElseThrow();
    }

    /**
     * Estimates the matching rows.
     *
     * @return empty if the number of matching rows is unknown
     */
    static Optional<MatchingRows> of(List<RowGroup> rowGroups, List<FilterEstimate> filters)
    {
        double[] rows = new double[rowGroups.size()];
        double[][] nullsFractions = new double[filters.size()][rows.length];
        double[] shares = new double[filters.size()];
        for (int i = 0; i < rows.length; i++) {
            RowGroup rowGroup = rowGroups.get(i);
            for (int filter = 0; filter < shares.length; filter++) {
                FilterEstimate.Share share = filters.get(filter).share(rowGroup);
                shares[filter] = share.rows();
                nullsFractions[filter][i] = share.nullsFraction();
            }
            rows[i] = rowGroup.liveRows() * conjunction(shares);
            if (Double.isNaN(rows[i])) {
                return Optional.empty();
            }
        }
        return Optional.of(new MatchingRows(rowGroups, rows, filters, nullsFractions));
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
