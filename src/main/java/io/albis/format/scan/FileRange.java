package io.albis.format.scan;

/**
 * A part of a data file that is wanted.
 *
 * @param reader who wants it
 * @param begin its first byte
 * @param end behind its last byte
 */
record FileRange(ChunkReader reader, DataFile file, long begin, long end, int segment)
{
    long length()
    {
        return end - begin;
    }
}
