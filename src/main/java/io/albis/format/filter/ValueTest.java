package io.albis.format.filter;

import jakarta.annotation.Nullable;

/**
 * Decides which values of a column a scan must return, for a predicate that its caller evaluates again. Thread safe.
 */
@FunctionalInterface
public interface ValueTest
{
    /**
     * Returns whether a row with a value may match. It is false only if it is certain that no such row matches. A test
     * that cannot decide, or that fails, returns true.
     *
     * @param value Trino's native value; null for a null
     */
    boolean mayMatch(@Nullable Object value);
}
