package io.albis.trino.statistics;

import com.google.common.collect.ImmutableList;
import io.albis.format.metadata.RowGroup;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import static java.lang.Math.pow;
import static java.util.Objects.requireNonNull;

/**
 * How many rows of each row group match the filters. It looks at the statistics of the filtered columns and of no others.
 *
 * @param rows that match, by row group
 * @param nullsFractions of the rows that match, by filter and row group
 */
record MatchingRows(List<RowGroup> rowGroups, double[] rows, List<FilterEstimate> filters, double[][] nullsFractions)
{
    // Conditions on several columns are seldom independent of each other. The default of the optimizer
    // (OptimizerConfig), for estimates that it compares with these
    private static final double INDEPENDENCE = 0.75;

    MatchingRows
    {
        requireNonNull(rowGroups, "rowGroups is null");
        requireNonNull(rows, "rows is null");
        requireNonNull(filters, "filters is null");
        requireNonNull(nullsFractions, "nullsFractions is null");
    }

    static MatchingRows all(List<RowGroup> rowGroups)
    {
        return of(rowGroups, ImmutableList.of()).orElseThrow();
    }

    /**
     * @return empty if nobody knows how many rows match
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
            rows[i] = rowGroup.rows() * conjunction(shares);
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
