package io.albis.trino.config;

import io.airlift.units.DataSize;
import io.trino.spi.ErrorCodeSupplier;
import io.trino.spi.TrinoException;

import static io.airlift.units.DataSize.Unit.KILOBYTE;

/**
 * Checks the bounds of the session properties of readers.
 */
final class ReaderLimits
{
    private static final DataSize MIN_READ_AHEAD = DataSize.valueOf(AlbisReadConfig.MIN_READ_AHEAD);
    private static final DataSize MAX_READ_AHEAD = DataSize.valueOf(AlbisReadConfig.MAX_READ_AHEAD);
    private static final DataSize MIN_SPLIT_SIZE = DataSize.of(1, KILOBYTE);

    private ReaderLimits() {}

    public static void checkReadAheadMaxSize(ErrorCodeSupplier errorCode, String name, DataSize value)
    {
        if (value.compareTo(MIN_READ_AHEAD) < 0 || value.compareTo(MAX_READ_AHEAD) > 0) {
            throw new TrinoException(errorCode, "%s must be between %s and %s: %s".formatted(name, MIN_READ_AHEAD, MAX_READ_AHEAD, value));
        }
    }

    public static void checkMaxSplitSize(ErrorCodeSupplier errorCode, String name, DataSize value)
    {
        if (value.compareTo(MIN_SPLIT_SIZE) < 0) {
            throw new TrinoException(errorCode, "%s must be at least %s: %s".formatted(name, MIN_SPLIT_SIZE, value));
        }
    }
}
