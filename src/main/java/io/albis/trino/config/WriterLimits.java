package io.albis.trino.config;

import io.airlift.units.DataSize;
import io.albis.format.write.WriterOptions;
import io.trino.spi.ErrorCodeSupplier;
import io.trino.spi.TrinoException;

import static io.airlift.units.DataSize.Unit.TERABYTE;

/**
 * Checks the bounds of the session and table properties of writers.
 */
final class WriterLimits
{
    private static final DataSize MIN_ROW_GROUP_SIZE = DataSize.succinctBytes(WriterOptions.MIN_ROW_GROUP_BYTES);
    private static final DataSize MAX_ROW_GROUP_SIZE = DataSize.of(1, TERABYTE);
    private static final DataSize MIN_SEGMENT_SIZE = DataSize.succinctBytes(WriterOptions.MIN_SEGMENT_BYTES);
    private static final DataSize MAX_SEGMENT_SIZE = DataSize.succinctBytes(WriterOptions.MAX_SEGMENT_BYTES);

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
        if (value < 1) {
            throw new TrinoException(errorCode, "%s must be at least 1: %s".formatted(name, value));
        }
    }

    private static void checkSize(ErrorCodeSupplier errorCode, String name, DataSize value, DataSize min, DataSize max)
    {
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw new TrinoException(errorCode, "%s must be between %s and %s: %s".formatted(name, min, max, value));
        }
    }
}
