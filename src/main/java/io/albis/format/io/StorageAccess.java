package io.albis.format.io;

import io.trino.filesystem.Location;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Parameters of requests to storage.
 *
 * @param maxGap maximum number of bytes between two requested ranges that are coalesced into one request
 * @param maxRequest maximum number of bytes of a request that reads several ranges
 * @param maxPlanned maximum number of bytes of one reader that are in flight or buffered for later
 * @param readAhead whether other threads read data that will be needed
 */
public record StorageAccess(int maxGap, int maxRequest, long maxPlanned, boolean readAhead)
{
    /**
     * Local disks. A request takes about a microsecond, and its data should still be in the processor cache when it is
     * decoded.
     */
    public static final StorageAccess LOCAL = new StorageAccess(0, 1 << 16, 1 << 22, false);
    /**
     * Remote storage. The latency of a request equals the transfer time of a few hundred kilobytes.
     */
    public static final StorageAccess REMOTE = new StorageAccess(1 << 18, 1 << 23, 1 << 24, false);

    public StorageAccess
    {
        checkArgument(maxGap >= 0, "maxGap is negative: %s", maxGap);
        checkArgument(maxRequest > 0, "maxRequest is not positive: %s", maxRequest);
        checkArgument(maxPlanned >= 0, "maxPlanned is negative: %s", maxPlanned);
    }

    /**
     * Returns the parameters for the file system of a location, without read-ahead.
     */
    public static StorageAccess of(Location location)
    {
        return isLocal(location) ? LOCAL : REMOTE;
    }

    /**
     * Returns whether a location is on a local disk.
     */
    public static boolean isLocal(Location location)
    {
        String scheme = location.scheme().orElse("");
        return scheme.equals("local") || scheme.equals("file");
    }

    /**
     * Returns these parameters with read-ahead.
     *
     * @param maxPlanned maximum number of bytes of one reader that are in flight or buffered for later
     */
    public StorageAccess ahead(long maxPlanned)
    {
        return new StorageAccess(maxGap, maxRequest, maxPlanned, true);
    }
}
