package io.albis.format.request;

import io.albis.format.io.ReadBuffers;
import io.albis.format.run.Segment;
import io.albis.format.vector.NarrowValues;
import jakarta.annotation.Nullable;

import java.io.IOException;

import static java.util.Objects.requireNonNull;

/**
 * The runs of one chunk that have been decompressed into the buffers of the reader. Each of them stays until it is no
 * longer needed, so that no run is decompressed twice.
 */
final class DecompressedRuns
{
    private final ReadBuffers buffers;
    private final byte[][] runs = new byte[Segment.MAX_RUNS][];

    @FunctionalInterface
    interface Decompression
    {
        /**
         * Decompresses a run into an array and returns the array.
         */
        byte[] into(byte[] output)
                throws IOException;
    }

    DecompressedRuns(ReadBuffers buffers)
    {
        this.buffers = requireNonNull(buffers, "buffers is null");
    }

    /**
     * Returns the bytes of a run, or null if it has not been decompressed.
     */
    @Nullable
    byte[] find(int run)
    {
        return runs[run];
    }

    /**
     * Decompresses a run, and returns its bytes with slack after them.
     */
    byte[] add(int run, int length, Decompression decompression)
            throws IOException
    {
        byte[] buffer = buffers.take(length + NarrowValues.SLACK);
        boolean done = false;
        try {
            runs[run] = decompression.into(buffer);
            done = true;
        }
        finally {
            if (!done) {
                buffers.giveBack(buffer);
            }
        }
        return buffer;
    }

    /**
     * Releases the runs that are not needed any more.
     *
     * @param needed a bit for each run
     */
    void retain(int needed)
    {
        for (int run = 0; run < runs.length; run++) {
            if ((needed & (1 << run)) == 0 && runs[run] != null) {
                buffers.giveBack(runs[run]);
                runs[run] = null;
            }
        }
    }
}
