package io.albis.format.run;

import com.google.common.collect.ImmutableList;
import io.albis.format.io.FileFrame;

import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * What of a segment stands together in a data file: a column in the block layout, all columns in the row layout.
 *
 * @param encoding how the values stand in the runs
 * @param offset in the data file, of the dictionary if there is one, else of the first run
 * @param runs back to back; none if nothing stands in the data file
 */
public record Chunk(ChunkEncoding encoding, long offset, List<Run> runs)
{
    public Chunk
    {
        requireNonNull(encoding, "encoding is null");
        runs = ImmutableList.copyOf(runs);
        checkArgument(offset >= FileFrame.HEADER_SIZE && offset % Run.ALIGNMENT == 0, "a chunk begins at %s", offset);
    }

    /**
     * Where a run is in the data file.
     */
    public long runOffset(int run)
    {
        long runOffset = offset + dictionaryLength();
        for (int i = 0; i < run; i++) {
            runOffset += runs.get(i).paddedLength();
        }
        return runOffset;
    }

    /**
     * Bytes of the dictionary with its padding; 0 without one.
     */
    public int dictionaryLength()
    {
        return encoding instanceof ChunkEncoding.Dictionary dictionary ? Run.padded(dictionary.length()) : 0;
    }

    /**
     * Bytes with padding.
     */
    public long length()
    {
        long length = dictionaryLength();
        for (Run run : runs) {
            length += run.paddedLength();
        }
        return length;
    }

    public boolean hasNulls()
    {
        for (Run run : runs) {
            if (run.nulls() > 0) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether rows stand in the data file at all.
     */
    static boolean hasRuns(ChunkEncoding encoding)
    {
        return !(encoding instanceof ChunkEncoding.Nulls || encoding instanceof ChunkEncoding.Constant);
    }
}
