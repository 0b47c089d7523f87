package io.albis.format.request;

import static java.util.Objects.requireNonNull;

/**
 * A range of a data file that is needed: one or more adjacent parts of one chunk.
 *
 * @param segment the segment of the chunk
 * @param chunk index of the chunk among those of its segment in the file
 * @param begin offset of the first byte
 * @param end offset after the last byte
 */
public record FileRange(DataFile file, int segment, int chunk, long begin, long end)
{
    public FileRange
    {
        requireNonNull(file, "file is null");
    }

    public long length()
    {
        return end - begin;
    }

    boolean isSameChunk(FileRange other)
    {
        return file == other.file && segment == other.segment && chunk == other.chunk;
    }

    /**
     * Returns the range from the first byte of this one to the last byte of a later one.
     */
    FileRange to(FileRange last)
    {
        return last == this ? this : new FileRange(file, segment, chunk, begin, last.end);
    }
}
