package io.albis.format.run;

import io.albis.format.type.StorageType;

import java.util.OptionalLong;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * The parameters with which the values of one run, or of a dictionary, are encoded; see {@code docs/format.md}.
 */
public sealed interface RunEncoding
{
    /**
     * Checks that values of a storage type can be encoded in this way.
     *
     * @throws IllegalArgumentException if they cannot
     */
    default void check(StorageType storageType)
    {
        switch (this) {
            case Plain _, Ids _ -> {}
            case Bytes _ -> checkArgument(storageType.isVariableWidth(), "a variable-width encoding is not valid for storage type %s", storageType);
            case Fixed(int width, long base, int outliers) -> {
                int slotSize = storageType.slotSize();
                boolean wide = slotSize > Long.BYTES;
                checkArgument(!storageType.isVariableWidth() && width <= slotSize && (!wide || width == slotSize || width == 0), "a width of %s bytes is not valid for storage type %s", width, storageType);
                // values with the full width of the storage type are stored as they are, without a base
                checkArgument((width < slotSize && !wide) || (base == 0 && outliers == 0), "values with the full width of storage type %s cannot have a base or outliers", storageType);
                checkArgument(isInRange(base, slotSize), "base %s is out of range for storage type %s", base, storageType);
            }
        }
    }

    /**
     * Returns the value of all rows that are not null, if it is one integer, which takes no bytes of the run.
     */
    default OptionalLong onlyValue()
    {
        return switch (this) {
            case Fixed(int width, long base, int outliers) -> width == 0 && outliers == 0 ? OptionalLong.of(base) : OptionalLong.empty();
            case Plain _, Ids _, Bytes _ -> OptionalLong.empty();
        };
    }

    private static boolean isInRange(long value, int bytes)
    {
        int unused = Math.max(0, Long.SIZE - bytes * Byte.SIZE);
        return value << unused >> unused == value;
    }

    /**
     * Values that need no parameters: rows, and bits.
     */
    record Plain()
            implements RunEncoding {}

    /**
     * Values of a fixed width. Values with the full width of the storage type are stored as in the block. Narrower
     * values are stored as unsigned offsets from a base value, so decoding one takes a single addition. A few values
     * that would need a greater width can be stored separately, after the others.
     *
     * @param width bytes of a value on storage; 0 if all values that are not outliers equal the base
     * @param base value that is added to narrower values; 0 for values of the full width
     * @param outliers number of values that are stored separately
     */
    record Fixed(int width, long base, int outliers)
            implements RunEncoding
    {
        /**
         * The parameters of a run that has only nulls.
         */
        public static final Fixed EMPTY = new Fixed(0, 0, 0);

        public Fixed
        {
            checkArgument(width >= 0 && width <= 16, "invalid width of a value: %s", width);
            checkArgument(outliers >= 0 && outliers <= Run.MAX_ROWS, "invalid number of outliers: %s", outliers);
        }
    }

    /**
     * Variable-width values: the lengths, anchors, and the bytes.
     *
     * @param lengthWidth bytes of a length on storage: 0, 1, 2, or 4
     * @param baseLength length that is added to each stored length; 0 for lengths of 4 bytes
     */
    record Bytes(int lengthWidth, int baseLength)
            implements RunEncoding
    {
        /**
         * The parameters of a run that has only nulls.
         */
        public static final Bytes EMPTY = new Bytes(0, 0);

        /**
         * Number of rows for which there is one anchor. The first rows need none.
         */
        public static final int ANCHOR_ROWS = 1024;

        public Bytes
        {
            checkArgument(lengthWidth >= 0 && lengthWidth <= Integer.BYTES && lengthWidth != 3, "invalid width of a length: %s", lengthWidth);
            checkArgument(baseLength >= 0, "baseLength is negative: %s", baseLength);
        }

        /**
         * Returns the number of bytes of the anchors of a run or of a dictionary. Values of the same length need none.
         */
        public int anchorsLength(int rows)
        {
            return lengthWidth == 0 || rows == 0 ? 0 : (rows - 1) / ANCHOR_ROWS * Integer.BYTES;
        }
    }

    /**
     * Ids of dictionary entries, as unsigned offsets from a base.
     *
     * @param width bytes of an id on storage: 0 if all ids equal the base, 1, or 2
     * @param base id that is added to each stored id
     */
    record Ids(int width, int base)
            implements RunEncoding
    {
        public Ids
        {
            checkArgument(width >= 0 && width <= Short.BYTES, "invalid width of an id: %s", width);
            checkArgument(base >= 0 && base <= ChunkEncoding.Dictionary.MAX_ENTRIES, "invalid base of ids: %s", base);
        }
    }
}
