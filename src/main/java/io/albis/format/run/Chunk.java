package io.albis.format.run;

import com.google.common.collect.ImmutableList;
import io.albis.format.io.FileFrame;

import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * The contiguous part of a segment in a data file: one column in the block layout, all columns in the row layout.
 *
 * @param encoding encoding of the values in the runs
 * @param offset offset in the data file of the dictionary, or of the first run if there is no dictionary
 * @param runs contiguous runs; empty if the data file contains nothing for the chunk
 */
public record Chunk(ChunkEncoding encoding, long offset, List<Run> runs)
{
    public Chunk
    {
        requireNonNull(encoding, "encoding is null");
        runs = ImmutableList.copyOf(runs);
        checkArgument(offset >= FileFrame.HEADER_SIZE && offset % Run.ALIGNMENT == 0, "invalid chunk offset: %s", offset);
    }

    /**
     * Returns the offset of a run in the data file.
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
     * Returns the length of the dictionary in bytes including padding, or 0 if there is no dictionary.
     */
    public int dictionaryLength()
    {
        return switch (encoding) {
            case ChunkEncoding.Dictionary dictionary -> Run.padded(dictionary.length());
            case ChunkEncoding.Rows _, ChunkEncoding.Nulls _, ChunkEncoding.Constant _, ChunkEncoding.Fixed _, ChunkEncoding.Bytes _ -> 0;
        };
    }

    /**
     * Returns the length of the chunk in bytes including padding.
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
     * Returns whether chunks with the encoding have runs in the data file.
     */
    static boolean hasRuns(ChunkEncoding encoding)
    {
        return switch (encoding) {
            case ChunkEncoding.Nulls _, ChunkEncoding.Constant _ -> false;
            case ChunkEncoding.Rows _, ChunkEncoding.Fixed _, ChunkEncoding.Bytes _, ChunkEncoding.Dictionary _ -> true;
        };
    }
}
