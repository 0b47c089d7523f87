package io.albis.format.layout.block;

import io.albis.format.run.NarrowValues;
import io.albis.format.run.RunBytes;
import io.albis.format.run.RunSource;
import io.albis.format.run.SegmentRows;
import io.trino.spi.block.ByteArrayBlock;

import java.io.IOException;

import static io.albis.format.run.SegmentRows.inRun;
import static io.albis.format.run.SegmentRows.run;

/**
 * Decodes values of one byte that are 0 or 1 and are stored as bits.
 */
final class BitsDecoder
{
    private static final long LOW_SEVEN_BITS = 0x7F;
    // moves bit i of a number of seven bits to bit 8i of the product, and to bits that are removed afterwards
    private static final long SPREAD = 0x02_0408_1020_4081L;
    private static final long LOW_BIT_OF_EACH_BYTE = 0x0101_0101_0101_0101L;

    private BitsDecoder() {}

    static ByteArrayBlock decode(SegmentRows rows, RunSource runs)
            throws IOException
    {
        ValidityDecoder validity = new ValidityDecoder(rows.count());
        // the last word is written as a whole
        byte[] values = new byte[rows.count() + Long.SIZE];
        if (rows.rows() == null) {
            RunBytes run = load(run(rows.begin()), runs);
            validity.append(run);
            decodeAll(run, values);
            return new ByteArrayBlock(rows.count(), validity.build(), values);
        }
        for (int begin = rows.begin(); begin < rows.end(); ) {
            int end = rows.runEnd(begin);
            RunBytes run = load(run(rows.rows()[begin]), runs);
            validity.append(run, rows.rows(), begin, end);
            if (run.nulls() < run.rows()) {
                int offset = run.offset() + run.validityLength();
                for (int i = begin; i < end; i++) {
                    values[i - rows.begin()] = (byte) get(run.bytes(), offset, inRun(rows.rows()[i]));
                }
            }
            begin = end;
        }
        return new ByteArrayBlock(rows.count(), validity.build(), values);
    }

    private static void decodeAll(RunBytes run, byte[] values)
    {
        if (run.nulls() == run.rows()) {
            return;
        }
        int offset = run.offset() + run.validityLength();
        for (int row = 0; row < run.rows(); row += Byte.SIZE) {
            long bits = run.bytes()[offset + row / Byte.SIZE] & 0xFF;
            long spread = (((bits & LOW_SEVEN_BITS) * SPREAD) & LOW_BIT_OF_EACH_BYTE) | ((bits >>> 7) << 56);
            NarrowValues.setLong(values, row, spread);
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
