package io.albis.trino.system;

import jakarta.annotation.Nullable;

import java.io.IOException;

/**
 * A value that is made when a query needs it.
 */
@FunctionalInterface
interface DeferredValue
{
    /**
     * Returns a native value, or null.
     *
     * @throws IOException if a file is damaged or cannot be read
     */
    @Nullable
    Object get()
            throws IOException;
}
