package io.albis.format.predicate;

import io.albis.format.index.DirectorySource;
import io.albis.format.index.FoundValues;

import java.io.IOException;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * How an index finds rows that do not match a filter, among them those with a null if nulls do not match.
 *
 * @param isExact whether it finds all of these rows, so that all others match
 * @param expectedRows an estimate of the rows that do not match; 0 if nothing is known
 * @param valueBytes an estimate of the bytes of the pages of values that it reads
 */
public record RowExclusion(boolean isExact, long expectedRows, long valueBytes, Search search)
{
    /**
     * Finds the values that do not match.
     */
    @FunctionalInterface
    public interface Search
    {
        /**
         * Finds the values. Thread safe.
         *
         * @param maxBytes the most bytes to read
         * @return empty if it is faster to read the column
         */
        Optional<FoundValues> find(DirectorySource directory, long maxBytes)
                throws IOException;
    }

    public RowExclusion
    {
        requireNonNull(search, "search is null");
    }
}
