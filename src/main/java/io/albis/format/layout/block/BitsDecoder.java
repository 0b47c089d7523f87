package io.albis.format.layout.block;

import io.albis.format.run.RowRanges;
import io.albis.format.run.RunBytes;
import io.albis.format.run.RunRows;
import io.albis.format.run.RunSource;
import io.albis.format.run.SegmentRows;
import io.albis.format.vector.PackedBits;
import io.trino.spi.block.ByteArrayBlock;

import java.io.IOException;

import static io.albis.format.run.SegmentRows.inRun;

/**
 * Decodes values of one byte that are 0 or 1 and are stored as bits.
 */
final class BitsDecoder
{
    private BitsDecoder() {}

    static ByteArrayBlock decode(SegmentRows rows, RunSource runs)
            throws IOException
    {
        ValidityDecoder validity = new ValidityDecoder(rows.count());
        byte[] values = new byte[rows.capacity() + PackedBits.OUTPUT_SLACK];
        if (rows.isRun()) {
            RunBytes run = load(rows.firstRun(), runs);
            validity.append(run);
            decode(run, 0, run.rows(), values, 0);
            return new ByteArrayBlock(rows.count(), validity.build(), values);
        }
        for (RunRows part : rows.byRun()) {
            RunBytes run = load(part.run(), runs);
            if (part.ranges().isPresent()) {
                RowRanges ranges = part.ranges().get();
                validity.append(run, ranges);
                decode(run, ranges.first(), ranges.span(), values, part.begin());
                ranges.compact(values, part.begin());
            }
            else {
                validity.append(run, rows.list(), part.begin(), part.end());
                decodeSome(run, rows.list(), part, values);
            }
        }
        return new ByteArrayBlock(rows.count(), validity.build(), values);
    }

    private static void decode(RunBytes run, int first, int count, byte[] values, int output)
    {
        if (run.nulls() == run.rows()) {
            return;
        }
        int offset = run.offset() + run.validityLength();
        // the first bits are in the middle of a byte
        int row = first;
        for (; row % Byte.SIZE != 0 && row < first + count; row++) {
            values[output + row - first] = (byte) get(run.bytes(), offset, row);
        }
        if (row < first + count) {
            PackedBits.unpack(run.bytes(), offset + row / Byte.SIZE, first + count - row, values, output + row - first);
        }
    }

    private static void decodeSome(RunBytes run, int[] rows, RunRows part, byte[] values)
    {
        if (run.nulls() == run.rows()) {
            return;
        }
        int offset = run.offset() + run.validityLength();
        for (int i = part.begin(); i < part.end(); i++) {
            values[i] = (byte) get(run.bytes(), offset, inRun(rows[i]));
        }
    }

    private static int get(byte[] bytes, int offset, int row)
    {
        return (bytes[offset + row / Byte.SIZE] >>> (row % Byte.SIZE)) & 1;
    }

    /**
     * Selects the rows of a run whose values match.
     *
     * @param matches whether 0, 1, and null match; null is missing if the chunk has none
     * @param rows rows within the run; matching rows are moved to the front
     * @return number of matching rows
     */
    static int select(RunBytes run, boolean[] matches, int[] rows, int count)
    {
        check(run);
        int offset = run.offset() + run.validityLength();
        int size = 0;
        for (int i = 0; i < count; i++) {
            int row = rows[i];
            int value = run.isValid(row) ? get(run.bytes(), offset, row) : 2;
            rows[size] = row;
            size += matches[value] ? 1 : 0;
        }
        return size;
    }

    private static RunBytes load(int index, RunSource runs)
            throws IOException
    {
        RunBytes run = runs.run(index, false);
        check(run);
        return run;
    }

    private static void check(RunBytes run)
    {
        int words = RunBytes.validityLength(run.rows());
        int length = run.nulls() == run.rows() ? 0 : run.validityLength() + words;
        if (run.length() != length) {
            throw new IllegalArgumentException("%s bits require %s bytes, but the run has %s".formatted(run.rows(), length, run.length()));
        }
    }
}
