package io.albis.format.update;

import java.util.UUID;

/**
 * Thrown when a segment would have too many bytes with new values of some rows. Its rows are fixed, so it cannot be
 * divided.
 */
public class SegmentTooLargeException
        extends RuntimeException
{
    SegmentTooLargeException(UUID rowGroup)
    {
        super("A segment of row group %s is too large with its new values".formatted(rowGroup));
    }
}
