package io.albis.format.run;

import com.google.common.collect.ImmutableList;
import io.albis.format.io.FileFrame;
import io.albis.format.type.StorageType;

import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * The contiguous part of a segment in a data file: one column in the block layout, all scalar columns in the row
 * layout.
 *
 * @param encoding encoding of the values in the runs
 * @param offset offset in the data file of the dictionary, or of the first run if there is no dictionary. That of a
 *         chunk without bytes has no meaning
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
     * Checks that the chunk can represent values of a storage type.
     *
     * @param rows number of rows of the segment
     * @throws IllegalArgumentException if it cannot
     */
    public void check(StorageType storageType, int rows)
    {
        encoding.check(storageType);
        switch (encoding) {
            case ChunkEncoding.Dictionary dictionary -> DecodedLengths.check(dictionary.stored(), dictionary.entries(), 0, dictionary.values(), storageType);
            case ChunkEncoding.Rows _, ChunkEncoding.Nulls _, ChunkEncoding.Constant _, ChunkEncoding.Fixed _, ChunkEncoding.Bytes _, ChunkEncoding.Bits _ -> {}
        }
        for (int run = 0; run < runs.size(); run++) {
            int runRows = Segment.runRows(rows, run);
            int nulls = runs.get(run).nulls();
            checkArgument(nulls <= runRows, "run %s with %s rows has %s nulls", run, runRows, nulls);
            int length = runs.get(run).length();
            RunEncoding parameters = runs.get(run).encoding();
            parameters.check(storageType);
            DecodedLengths.check(runs.get(run).stored(), runRows, nulls, parameters, storageType);
            switch (parameters) {
                case RunEncoding.Fixed(int width, _, int outliers) -> {
                    checkArgument(width > 0 || nulls > 0 || outliers > 0 || length == 0, "run %s has one value and %s bytes", run, length);
                    checkArgument(outliers <= runRows - nulls, "run %s with %s rows and %s nulls has %s outliers", run, runRows, nulls, outliers);
                    checkArgument(width > 0 || storageType.slotSize() <= Long.BYTES || nulls == runRows, "run %s of storage type %s has no values", run, storageType);
                }
                case RunEncoding.Ids(int width, int base) -> {
                    checkArgument(width > 0 || length == 0, "all rows of run %s have the same id, but it has %s bytes", run, length);
                    int entries = ((ChunkEncoding.Dictionary) encoding).entries();
                    checkArgument(base < entries || (base == entries && nulls == runRows), "id %s exceeds the dictionary of %s entries", base, entries);
                }
                case RunEncoding.Bytes(_, int baseLength) -> checkArgument(baseLength == 0 || nulls == 0, "run %s has %s nulls, but no value of less than %s bytes", run, nulls, baseLength);
                case RunEncoding.Plain _ -> {}
            }
        }
    }

    /**
     * Returns the length of the dictionary in bytes including padding, or 0 if there is no dictionary.
     */
    public int dictionaryLength()
    {
        return switch (encoding) {
            case ChunkEncoding.Dictionary dictionary -> dictionary.stored().paddedLength();
            case ChunkEncoding.Rows _, ChunkEncoding.Nulls _, ChunkEncoding.Constant _, ChunkEncoding.Fixed _, ChunkEncoding.Bytes _, ChunkEncoding.Bits _ -> 0;
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
}
