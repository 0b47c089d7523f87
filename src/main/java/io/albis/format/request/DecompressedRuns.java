package io.albis.format.request;

import io.albis.format.io.ReadBuffers;
import io.albis.format.run.Segment;
import io.albis.format.vector.NarrowValues;
import jakarta.annotation.Nullable;

import static java.util.Objects.requireNonNull;

/**
 * The runs of one chunk that have been decompressed into the buffers of the reader. Each of them stays until it is no
 * longer needed, so that no run is decompressed twice.
 */
final class DecompressedRuns
{
    private final ReadBuffers buffers;
    private final byte[][] runs = new byte[Segment.MAX_RUNS][];

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
     * Returns an array for the bytes of a run and the slack after them. The caller fills it.
     */
    byte[] add(int run, int length)
    {
        runs[run] = buffers.take(length + NarrowValues.SLACK);
        return runs[run];
    }

    void release(int run)
    {
        if (runs[run] != null) {
            buffers.giveBack(runs[run]);
            runs[run] = null;
        }
    }

    /**
     * Releases the runs that are not needed any more.
     *
     * @param needed a bit for each run
     */
    void retain(int needed)
    {
        for (int run = 0; run < runs.length; run++) {
            if ((needed & (1 << run)) == 0) {
                release(run);
            }
        }
    }
}
