package io.albis.format.io;

import io.trino.filesystem.Location;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * How requests to storage are made.
 *
 * @param maxGap two ranges that are wanted become one request if no more bytes are between them
 * @param maxRequest the most bytes of a request that reads several ranges
 * @param maxPlanned the most bytes of one reader that may be on their way, or in memory for later
 * @param readAhead whether other threads read what is going to be needed
 */
public record StorageAccess(int maxGap, int maxRequest, long maxPlanned, boolean readAhead)
{
    /**
     * A request costs about a microsecond, and what it brings should still be in the cache of the processor when it is decoded.
     */
    public static final StorageAccess LOCAL = new StorageAccess(0, 1 << 16, 1 << 22, false);
    /**
     * A request takes as long as some hundred kilobytes.
     */
    public static final StorageAccess REMOTE = new StorageAccess(1 << 18, 1 << 23, 1 << 24, false);

    public StorageAccess
    {
        checkArgument(maxGap >= 0, "maxGap is negative: %s", maxGap);
        checkArgument(maxRequest > 0, "maxRequest is not positive: %s", maxRequest);
        checkArgument(maxPlanned >= 0, "maxPlanned is negative: %s", maxPlanned);
    }

    /**
     * What suits the file system of a location, without reading ahead.
     */
    public static StorageAccess of(Location location)
    {
        return isLocal(location) ? LOCAL : REMOTE;
    }

    public static boolean isLocal(Location location)
    {
        String scheme = location.scheme().orElse("");
        return scheme.equals("local") || scheme.equals("file");
    }

    /**
     * The same with other threads that read what is going to be needed.
     */
    public StorageAccess ahead(long maxPlanned)
    {
        return new StorageAccess(maxGap, maxRequest, maxPlanned, true);
    }
}
