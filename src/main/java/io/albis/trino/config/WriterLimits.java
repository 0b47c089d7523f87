package io.albis.trino.config;

import io.airlift.units.DataSize;
import io.trino.spi.ErrorCodeSupplier;
import io.trino.spi.TrinoException;

/**
 * The bounds of the catalog, session, and table properties of writers.
 */
final class WriterLimits
{
    // Annotations of the catalog properties need strings. A test checks that they match WriterOptions
    static final String MIN_ROW_GROUP_SIZE = "4kB";
    static final String MAX_ROW_GROUP_SIZE = "1TB";
    static final String MIN_SEGMENT_SIZE = "1kB";
    static final String MAX_SEGMENT_SIZE = "256MB";
    static final long MIN_ROW_GROUP_ROWS = 1;
    // The new values of a run must fit into an array with the old ones
    static final String MAX_UPDATE_BUFFER_SIZE = "512MB";
    // Each full buffer becomes a temporary row group
    static final String MIN_SORT_BUFFER_SIZE = "1kB";
    // Rows are sorted by an index of the engine for at most 2 billion, and a row counts at least 8 bytes
    static final String MAX_SORT_BUFFER_SIZE = "8GB";

    static final String MAX_PARTITION_BUFFER_SIZE = "8GB";

    private WriterLimits() {}

    public static void checkRowGroupSize(ErrorCodeSupplier errorCode, String name, DataSize value)
    {
        checkSize(errorCode, name, value, MIN_ROW_GROUP_SIZE, MAX_ROW_GROUP_SIZE);
    }

    public static void checkSegmentSize(ErrorCodeSupplier errorCode, String name, DataSize value)
    {
        checkSize(errorCode, name, value, MIN_SEGMENT_SIZE, MAX_SEGMENT_SIZE);
    }

    public static void checkRowGroupRows(ErrorCodeSupplier errorCode, String name, long value)
    {
        if (value < MIN_ROW_GROUP_ROWS) {
            throw new TrinoException(errorCode, "%s must be at least %s: %s".formatted(name, MIN_ROW_GROUP_ROWS, value));
        }
    }

    public static void checkUpdateRewriteThreshold(ErrorCodeSupplier errorCode, String name, double value)
    {
        if (!(value >= 0 && value <= 1)) {
            throw new TrinoException(errorCode, "%s must be between 0 and 1: %s".formatted(name, value));
        }
    }

    public static void checkUpdateBufferSize(ErrorCodeSupplier errorCode, String name, DataSize value)
    {
        checkSize(errorCode, name, value, "0B", MAX_UPDATE_BUFFER_SIZE);
    }

    public static void checkSortBufferSize(ErrorCodeSupplier errorCode, String name, DataSize value)
    {
        checkSize(errorCode, name, value, MIN_SORT_BUFFER_SIZE, MAX_SORT_BUFFER_SIZE);
    }

    public static void checkPartitionBufferSize(ErrorCodeSupplier errorCode, String name, DataSize value)
    {
        checkSize(errorCode, name, value, "0B", MAX_PARTITION_BUFFER_SIZE);
    }

    private static void checkSize(ErrorCodeSupplier errorCode, String name, DataSize value, String min, String max)
    {
        if (value.compareTo(DataSize.valueOf(min)) < 0 || value.compareTo(DataSize.valueOf(max)) > 0) {
            throw new TrinoException(errorCode, "%s must be between %s and %s: %s".formatted(name, min, max, value));
        }
    }
}
