package io.albis.format.reader;

/**
 * Which uses a reader makes of its predicate.
 *
 * @param pruneSegments segments in which no row can match are not read
 * @param filterRows only rows that match are returned
 */
public record ReaderOptions(boolean pruneSegments, boolean filterRows)
{
    public static final ReaderOptions DEFAULTS = new ReaderOptions(true, true);
}
