package io.albis.format.layout.block;

import io.airlift.slice.Slices;
import io.albis.format.run.Run;
import io.albis.format.run.RunBytes;
import io.albis.format.run.RunSource;
import io.albis.format.run.SegmentRows;
import io.trino.spi.block.VariableWidthBlock;
import jakarta.annotation.Nullable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import static io.airlift.slice.SizeOf.sizeOf;
import static io.albis.format.run.SegmentRows.inRun;
import static io.albis.format.run.SegmentRows.run;
import static java.util.Objects.requireNonNull;

/**
 * Decodes variable-width values. The block of a whole run refers to the bytes of the run. The block of selected rows is
 * a copy.
 */
final class BytesDecoder
{
    private static final int MAX_PAGE_BYTES = Integer.MAX_VALUE - Long.BYTES;

    private final RunSource runs;
    // offsets of the values of one run; null until rows are selected
    @Nullable
    private int[] runOffsets;

    BytesDecoder(RunSource runs)
    {
        this.runs = requireNonNull(runs, "runs is null");
    }

    VariableWidthBlock decode(SegmentRows rows)
            throws IOException
    {
        if (rows.rows() == null) {
            return decodeAll(runs.run(run(rows.begin()), true));
        }
        return decodeSome(rows);
    }

    /**
     * Returns the memory in bytes that this decoder retains between pages.
     */
    long retainedSize()
    {
        return runOffsets == null ? 0 : sizeOf(runOffsets);
    }

    /**
     * Decodes all values of a run into a block that refers to the bytes of the run.
     */
    static VariableWidthBlock decodeAll(RunBytes run)
    {
        int[] offsets = new int[run.rows() + 1];
        BytesOffsets values = new BytesOffsets(run);
        values.readAll(offsets);
        return new VariableWidthBlock(run.rows(), Slices.wrappedBuffer(run.bytes(), values.values(), offsets[run.rows()]), offsets, validity(run));
    }

    private static Optional<long[]> validity(RunBytes run)
    {
        ValidityDecoder validity = new ValidityDecoder(run.rows());
        validity.append(run);
        return validity.build();
    }

    // Computes the total size before copying any bytes, so that the array never has to grow.
    private VariableWidthBlock decodeSome(SegmentRows rows)
            throws IOException
    {
        if (runOffsets == null) {
            runOffsets = new int[Run.MAX_ROWS + 1];
        }
        ValidityDecoder validity = new ValidityDecoder(rows.count());
        int[] sources = new int[rows.count()];
        int[] offsets = new int[rows.count() + 1];
        List<byte[]> arrays = new ArrayList<>();
        int filled = 0;
        for (int begin = rows.begin(); begin < rows.end(); ) {
            int end = rows.runEnd(begin);
            RunBytes run = runs.run(run(rows.rows()[begin]), false);
            BytesOffsets values = new BytesOffsets(run);
            values.readSome(rows.rows(), begin, end, runOffsets);
            int source = values.values();
            validity.append(run, rows.rows(), begin, end);
            arrays.add(run.bytes());
            long size = offsets[filled];
            for (int i = begin; i < end; i++) {
                int row = inRun(rows.rows()[i]);
                sources[filled] = source + runOffsets[row];
                size += runOffsets[row + 1] - runOffsets[row];
                if (size > MAX_PAGE_BYTES) {
                    throw new IllegalArgumentException("the values of a page exceed 2 GB");
                }
                filled++;
                offsets[filled] = (int) size;
            }
            begin = end;
        }
        return new VariableWidthBlock(rows.count(), Slices.wrappedBuffer(copy(rows, arrays, sources, offsets)), offsets, validity.build());
    }

    /**
     * Copies values into one array.
     *
     * @param arrays one array for each sequence of rows of the same run
     * @param sources offset of each value in its array
     * @param offsets offset of each value in the result, followed by the end of the last value
     */
    private static byte[] copy(SegmentRows rows, List<byte[]> arrays, int[] sources, int[] offsets)
    {
        byte[] values = new byte[offsets[rows.count()]];
        int begin = rows.begin();
        for (byte[] source : arrays) {
            int end = rows.runEnd(begin);
            int position = begin - rows.begin();
            while (position < end - rows.begin()) {
                // values of consecutive rows are next to each other, and are copied together
                int first = position;
                int length = 0;
                do {
                    length += offsets[position + 1] - offsets[position];
                    position++;
                }
                while (position < end - rows.begin() && sources[position] == sources[first] + length);
                System.arraycopy(source, sources[first], values, offsets[first], length);
            }
            begin = end;
        }
        return values;
    }
}
