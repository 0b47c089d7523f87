package io.albis.format.run;

import io.albis.format.type.StorageType;
import io.albis.format.vector.NarrowValues;

import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Limits the lengths before compression that metadata may state. A reader allocates memory of this length before it
 * knows whether the compressed bytes are valid. The lengths of other parts need no limit, because their bytes are read.
 */
public final class DecodedLengths
{
    // The maximum ratio of LZ4. Zstandard could exceed it.
    private static final int MAX_RATIO = 255;
    // Below this length, any ratio is allowed.
    private static final int MAX_LENGTH_OF_ANY_RATIO = 1 << 24;

    private DecodedLengths() {}

    /**
     * Returns whether bytes may be stored in compressed form.
     */
    static boolean isAllowed(int decodedLength, int length)
    {
        return decodedLength <= NarrowValues.MAX_LENGTH && decodedLength <= Math.max(MAX_LENGTH_OF_ANY_RATIO, (long) MAX_RATIO * length);
    }

    /**
     * Checks a run or a dictionary of the block layout.
     *
     * @throws IllegalArgumentException if it cannot have this length
     */
    static void check(StoredBytes stored, int rows, int nulls, RunEncoding encoding, StorageType storageType)
    {
        if (stored.compression() == Compression.NONE) {
            return;
        }
        checkCompressed(stored);
        long words = RunBytes.validityLength(rows);
        long validity = nulls > 0 && nulls < rows ? words : 0;
        long max = switch (encoding) {
            case RunEncoding.Ids(int width, _) -> (long) width * rows;
            // the other encodings have no bytes for a run of nulls
            case RunEncoding.Plain _, RunEncoding.Fixed _, RunEncoding.Bytes _ when nulls == rows -> 0;
            case RunEncoding.Plain _ -> validity + words;
            case RunEncoding.Fixed(int width, _, int outliers) -> validity + (long) width * rows + (long) outliers * (storageType.slotSize() + Short.BYTES);
            case RunEncoding.Bytes bytes -> validity + bytes.anchorsLength(rows) + (bytes.lengthWidth() + bytes.baseLength() + NarrowValues.mask(bytes.lengthWidth())) * rows;
        };
        checkArgument(stored.decodedLength() <= max, "%s rows with %s nulls cannot take %s bytes before compression", rows, nulls, stored.decodedLength());
    }

    /**
     * Checks a run of the row layout.
     *
     * @param columns storage types of the columns
     * @throws IllegalArgumentException if it cannot have this length
     */
    public static void checkRows(StoredBytes stored, int rows, List<StorageType> columns)
    {
        if (stored.compression() == Compression.NONE) {
            return;
        }
        checkCompressed(stored);
        long rowSize = (columns.size() + Byte.SIZE - 1) / Byte.SIZE;
        boolean variable = false;
        for (StorageType column : columns) {
            rowSize += column.slotSize();
            variable |= column.isVariableWidth();
        }
        checkArgument(variable || stored.decodedLength() <= rowSize * rows, "%s rows of %s bytes cannot take %s bytes before compression", rows, rowSize, stored.decodedLength());
    }

    private static void checkCompressed(StoredBytes stored)
    {
        checkArgument(stored.length() > 0 && stored.length() < stored.decodedLength(), "%s bytes cannot be compressed to %s bytes", stored.decodedLength(), stored.length());
        checkArgument(isAllowed(stored.decodedLength(), stored.length()), "%s bytes are too many for %s bytes in compressed form", stored.decodedLength(), stored.length());
    }
}
