package io.albis.format.request;

import static java.util.Objects.requireNonNull;

/**
 * A request for a range of a data file.
 *
 * @param begin offset of the first byte
 * @param end offset after the last byte
 * @param firstSegment the first segment that needs a part of the range
 * @param lastSegment the last segment that needs a part of the range
 * @param severalChunks whether the range has parts of more than one chunk
 */
record Request(DataFile file, long begin, long end, int firstSegment, int lastSegment, boolean severalChunks)
{
    Request
    {
        requireNonNull(file, "file is null");
    }
}
