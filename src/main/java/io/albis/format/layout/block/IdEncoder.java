package io.albis.format.layout.block;

import io.albis.format.run.ChunkOutput;
import io.albis.format.run.Run;
import io.albis.format.run.RunEncoding;
import io.albis.format.vector.NarrowValues;

import java.io.IOException;

/**
 * Writes runs of ids of dictionary entries.
 */
final class IdEncoder
{
    private IdEncoder() {}

    /**
     * Writes a run.
     *
     * @param ids id of each row, or -1 for null, which is stored as the number of entries
     * @param nulls number of rows that are null
     */
    static Run writeRun(int[] ids, int offset, int count, int entries, int nulls, ChunkOutput output)
            throws IOException
    {
        int min = Integer.MAX_VALUE;
        int max = 0;
        for (int i = offset; i < offset + count; i++) {
            int id = ids[i] < 0 ? entries : ids[i];
            min = Math.min(min, id);
            max = Math.max(max, id);
        }
        int width = NarrowValues.width(min, max);
        byte[] buffer = output.buffer(width * count);
        for (int i = 0; i < count && width > 0; i++) {
            int id = ids[offset + i] < 0 ? entries : ids[offset + i];
            // each write also overwrites the excess bytes of the previous id
            NarrowValues.setInt(buffer, width * i, id - min);
        }
        return new Run(output.write(width * count), nulls, new RunEncoding.Ids(width, min));
    }
}
