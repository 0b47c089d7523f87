package io.albis.format.scan;

import io.albis.format.search.ReaderThresholds;

import static java.util.Objects.requireNonNull;

/**
 * Selects how a reader uses its predicates. A query returns the same rows with each option on and off.
 *
 * @param pruneSegments whether to skip segments in which no row can match
 * @param filterRows whether to return only rows that match the predicate
 * @param filterRowsDynamically whether to skip rows that do not match the dynamic predicate
 * @param readLazily whether to read a column when and where it is requested, instead of with its segment
 * @param useIndexes whether to find the rows that match with the indexes of columns
 * @param thresholds when to find or read single rows
 */
public record ReaderOptions(boolean pruneSegments, boolean filterRows, boolean filterRowsDynamically, boolean readLazily, boolean useIndexes, ReaderThresholds thresholds)
{
    public static final ReaderOptions DEFAULTS = new ReaderOptions(true, true, true, true, true, ReaderThresholds.DEFAULTS);

    public ReaderOptions
    {
        requireNonNull(thresholds, "thresholds is null");
    }
}
