package io.albis.trino.config;

import io.airlift.units.DataSize;
import io.trino.spi.ErrorCodeSupplier;
import io.trino.spi.TrinoException;

/**
 * The bounds of the catalog and session properties of readers.
 */
final class ReaderLimits
{
    // Annotations of the catalog properties need strings
    static final String MIN_READ_AHEAD = "64kB";
    static final String MAX_READ_AHEAD = "1GB";
    static final String MIN_SPLIT_SIZE = "1kB";

    private ReaderLimits() {}

    public static void checkReadAheadMaxSize(ErrorCodeSupplier errorCode, String name, DataSize value)
    {
        if (value.compareTo(DataSize.valueOf(MIN_READ_AHEAD)) < 0 || value.compareTo(DataSize.valueOf(MAX_READ_AHEAD)) > 0) {
            throw new TrinoException(errorCode, "%s must be between %s and %s: %s".formatted(name, MIN_READ_AHEAD, MAX_READ_AHEAD, value));
        }
    }

    public static void checkMaxSplitSize(ErrorCodeSupplier errorCode, String name, DataSize value)
    {
        if (value.compareTo(DataSize.valueOf(MIN_SPLIT_SIZE)) < 0) {
            throw new TrinoException(errorCode, "%s must be at least %s: %s".formatted(name, MIN_SPLIT_SIZE, value));
        }
    }
}
