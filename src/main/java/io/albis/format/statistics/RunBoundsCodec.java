package io.albis.format.statistics;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.SliceInput;
import io.airlift.slice.SliceOutput;
import io.albis.format.io.TooNewException;

import java.util.List;

/**
 * Encodes and decodes the bounds of the runs of a column; see {@code docs/format.md}.
 */
public final class RunBoundsCodec
{
    private static final int NO_BOUNDS = 0;
    private static final int BOUNDS = 1;

    private RunBoundsCodec() {}

    /**
     * Writes the statistics of the runs of a segment.
     *
     * @param runs statistics of each run, or an empty list if they are not stored
     */
    public static void write(List<ColumnStatistics> runs, SliceOutput output)
    {
        output.writeByte(runs.isEmpty() ? NO_BOUNDS : BOUNDS);
        for (ColumnStatistics run : runs) {
            output.writeShort((int) run.nullCount());
            StatisticsCodec.writeBounds(run, output);
        }
    }

    /**
     * Reads the statistics of the runs of a segment.
     *
     * @param runs number of runs
     * @return statistics of each run, or an empty list if they are not stored
     * @throws TooNewException if their kind or their flags are not known to this reader
     * @throws IllegalArgumentException or IndexOutOfBoundsException if the input does not contain valid bounds
     */
    public static List<ColumnStatistics> read(SliceInput input, int columnId, int runs)
    {
        int kind = input.readUnsignedByte();
        if (kind != NO_BOUNDS && kind != BOUNDS) {
            throw new TooNewException("unknown kind of bounds %s", kind);
        }
        ImmutableList.Builder<ColumnStatistics> statistics = ImmutableList.builder();
        for (int run = 0; run < runs && kind == BOUNDS; run++) {
            statistics.add(StatisticsCodec.readBounds(columnId, input.readUnsignedShort(), ValueOrder.UNORDERED, input));
        }
        return statistics.build();
    }
}
