package io.albis.benchmarks.format.slice;

import com.google.common.collect.ImmutableList;
import io.albis.format.layout.block.IntegerRun;
import io.albis.format.run.Run;
import io.albis.format.run.RunBytes;
import io.albis.format.run.RunEncoding.Fixed;
import io.albis.format.type.StorageType;
import io.albis.format.vector.NarrowValues;

import java.util.List;

/**
 * What Albis does for a column without an index: it compares the values of each run as they are stored, in as few bytes
 * as the run needs, with vector instructions.
 */
final class ColumnScan
        implements RangeSearch
{
    private final List<IntegerRun> runs;
    private final int rows;
    private final long bytes;
    private final int[] selected = new int[Run.MAX_ROWS];

    ColumnScan(long[] values)
    {
        ImmutableList.Builder<IntegerRun> builder = ImmutableList.builder();
        long size = 0;
        for (int begin = 0; begin < values.length; begin += Run.MAX_ROWS) {
            RunBytes run = encode(values, begin, Math.min(Run.MAX_ROWS, values.length - begin));
            size += run.length();
            builder.add(new IntegerRun(run, StorageType.LONG));
        }
        this.runs = builder.build();
        this.rows = values.length;
        this.bytes = size;
    }

    private static RunBytes encode(long[] values, int begin, int count)
    {
        long min = Long.MAX_VALUE;
        long max = Long.MIN_VALUE;
        for (int row = begin; row < begin + count; row++) {
            min = Math.min(min, values[row]);
            max = Math.max(max, values[row]);
        }
        int width = NarrowValues.width(min, max);
        byte[] bytes = new byte[width * count + NarrowValues.SLACK];
        NarrowValues.narrow(values, begin, count, min, width, bytes, 0);
        return new RunBytes(bytes, 0, width * count, count, 0, new Fixed(width, min, 0));
    }

    @Override
    public int search(ValueRange range, int[] positions)
    {
        int size = 0;
        int begin = 0;
        for (IntegerRun run : runs) {
            int count = Math.min(Run.MAX_ROWS, rows - begin);
            for (int row = 0; row < count; row++) {
                selected[row] = row;
            }
            int found = run.selectRange(range.low(), range.high(), selected, count);
            for (int i = 0; i < found; i++) {
                positions[size + i] = begin + selected[i];
            }
            size += found;
            begin += count;
        }
        return size;
    }

    /**
     * Returns the number of bytes of the values, which a search reads.
     */
    long bytes()
    {
        return bytes;
    }
}
