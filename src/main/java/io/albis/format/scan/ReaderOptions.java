package io.albis.format.scan;

/**
 * Which uses a reader makes of its predicates. All but the speed is the same with each of them on and off.
 *
 * @param pruneSegments segments in which no row can match are not read
 * @param filterRows only rows that match the predicate are returned
 * @param filterRowsDynamically rows that do not match the dynamic predicate are left out
 * @param readLazily a column is read where and when it is asked for, instead of with its segment
 */
public record ReaderOptions(boolean pruneSegments, boolean filterRows, boolean filterRowsDynamically, boolean readLazily)
{
    public static final ReaderOptions DEFAULTS = new ReaderOptions(true, true, true, true);
}
