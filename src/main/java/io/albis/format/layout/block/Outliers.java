package io.albis.format.layout.block;

import io.albis.format.run.RunBytes;
import io.albis.format.run.RunEncoding.Fixed;
import io.albis.format.type.StorageType;
import io.albis.format.vector.NarrowValues;
import io.trino.spi.block.Bitmap;

import java.util.Arrays;

import static com.google.common.base.Preconditions.checkState;

/**
 * The values of a run that are stored separately, because they would make all values of the run wider.
 */
final class Outliers
{
    private final byte[] bytes;
    private final int rows;
    private final int count;
    private final int slotSize;
    // offsets of the values and of their positions in the array of the run
    private final int values;
    private final int positions;

    /**
     * Finds the outliers in a run, and checks their positions.
     *
     * @throws IllegalArgumentException if the positions are not ascending, exceed the run, or are those of nulls
     */
    Outliers(RunBytes run, StorageType storageType)
    {
        Fixed encoding = (Fixed) run.encoding();
        this.bytes = run.bytes();
        this.rows = run.rows();
        this.count = encoding.outliers();
        this.slotSize = storageType.slotSize();
        this.values = run.offset() + run.validityLength() + encoding.width() * rows;
        this.positions = values + slotSize * count;
        int last = -1;
        for (int outlier = 0; outlier < count; outlier++) {
            int position = position(outlier);
            if (position <= last || position >= rows) {
                throw new IllegalArgumentException("invalid position %s of an outlier after position %s in a run of %s rows".formatted(position, last, rows));
            }
            if (!run.isValid(position)) {
                throw new IllegalArgumentException("the outlier at position %s is null".formatted(position));
            }
            last = position;
        }
    }

    /**
     * Returns the number of bytes of outliers in a run.
     */
    static int length(int count, StorageType storageType)
    {
        return count * (storageType.slotSize() + Short.BYTES);
    }

    /**
     * Writes the outliers of a run after its narrow values, and zeros in place of their narrow values.
     *
     * @param values values in which nulls have been replaced by the base
     * @param outputOffset offset of the first narrow value in the output
     */
    static void write(long[] values, int offset, int count, Fixed plan, StorageType storageType, byte[] output, int outputOffset)
    {
        int slotSize = storageType.slotSize();
        int width = plan.width();
        int next = outputOffset + width * count;
        int[] rows = new int[plan.outliers()];
        int found = 0;
        for (int row = 0; row < count; row++) {
            long value = values[offset + row];
            if (RunPlanner.isOutlier(plan, value)) {
                Arrays.fill(output, outputOffset + width * row, outputOffset + width * (row + 1), (byte) 0);
                // each write also overwrites the excess bytes of the previous value
                NarrowValues.setLong(output, next, value);
                next += slotSize;
                rows[found] = row;
                found++;
            }
        }
        checkState(found == rows.length, "found %s outliers instead of %s", found, rows.length);
        for (int row : rows) {
            NarrowValues.setInt(output, next, row);
            next += Short.BYTES;
        }
    }

    int count()
    {
        return count;
    }

    /**
     * Returns the row within the run of an outlier. The rows are ascending.
     */
    int position(int outlier)
    {
        return NarrowValues.getInt(bytes, positions + Short.BYTES * outlier) & 0xFFFF;
    }

    long value(int outlier)
    {
        int unused = Long.SIZE - slotSize * Byte.SIZE;
        return NarrowValues.getLong(bytes, values + slotSize * outlier) << unused >> unused;
    }

    /**
     * Returns the values as a run of their own, whose rows are the indexes of the outliers.
     */
    RunBytes asRun()
    {
        return new RunBytes(bytes, values, slotSize * count, count, 0, new Fixed(slotSize, 0, 0));
    }

    /**
     * Returns a bit for each row of the run that is an outlier.
     */
    long[] bitmap()
    {
        long[] words = new long[Bitmap.wordsForBits(rows)];
        for (int outlier = 0; outlier < count; outlier++) {
            int position = position(outlier);
            words[position / Long.SIZE] |= 1L << position;
        }
        return words;
    }

    /**
     * Returns the index of the first outlier at a row or after it.
     */
    int indexOf(int row)
    {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (position(middle) < row) {
                low = middle + 1;
            }
            else {
                high = middle;
            }
        }
        return low;
    }
}
