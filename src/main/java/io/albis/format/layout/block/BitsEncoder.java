package io.albis.format.layout.block;

import com.google.common.collect.ImmutableList;
import io.albis.format.run.Chunk;
import io.albis.format.run.ChunkEncoding.Bits;
import io.albis.format.run.ChunkOutput;
import io.albis.format.run.Run;
import io.albis.format.run.RunBytes;
import io.albis.format.run.RunEncoding;
import io.albis.format.run.Segment;
import io.albis.format.vector.NarrowValues;

import java.io.IOException;

/**
 * Writes a segment of values that are 0 or 1 as bits.
 */
final class BitsEncoder
{
    private BitsEncoder() {}

    /**
     * Returns an upper limit of the size of the bits of a segment in bytes, without validity.
     */
    static long size(int rows)
    {
        // only the last run may have rows that do not fill a word
        return RunBytes.validityLength(rows);
    }

    /**
     * Returns whether all values that are not null are 0 or 1.
     */
    static boolean areBits(long[] values, ValidityEncoder nulls)
    {
        for (int row = 0; row < nulls.rows(); row++) {
            if ((values[row] & ~1L) != 0 && !nulls.isNull(row)) {
                return false;
            }
        }
        return true;
    }

    static Chunk write(long[] values, ValidityEncoder nulls, ChunkOutput output)
            throws IOException
    {
        long offset = output.offset();
        ImmutableList.Builder<Run> runs = ImmutableList.builder();
        for (int run = 0; run < Segment.runs(nulls.rows()); run++) {
            runs.add(writeRun(run, values, nulls, output));
        }
        return new Chunk(new Bits(), offset, runs.build());
    }

    private static Run writeRun(int run, long[] values, ValidityEncoder nulls, ChunkOutput output)
            throws IOException
    {
        int first = run * Run.MAX_ROWS;
        int count = Segment.runRows(nulls.rows(), run);
        int runNulls = nulls.nulls(run);
        if (runNulls == count) {
            return new Run(output.write(0), runNulls, new RunEncoding.Plain());
        }
        int words = RunBytes.validityLength(count);
        int validity = runNulls > 0 ? words : 0;
        byte[] buffer = output.buffer(validity + words);
        if (runNulls > 0) {
            nulls.write(run, buffer);
            nulls.fillNulls(run, values, 0);
        }
        for (int begin = 0; begin < count; begin += Long.SIZE) {
            long word = 0;
            for (int row = begin; row < Math.min(count, begin + Long.SIZE); row++) {
                word |= values[first + row] << row;
            }
            NarrowValues.setLong(buffer, validity + begin / Byte.SIZE, word);
        }
        return new Run(output.write(validity + words), runNulls, new RunEncoding.Plain());
    }
}
