package io.albis.format.run;

import io.albis.format.type.StorageType;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * How the values of a segment stand in its runs; see {@code docs/format.md}.
 */
public sealed interface ChunkEncoding
{
    /**
     * Whether values of a type can stand so.
     *
     * @throws IllegalArgumentException if not
     */
    default void check(StorageType storageType)
    {
        int slotSize = storageType.slotSize();
        boolean variable = storageType == StorageType.VARIABLE;
        switch (this) {
            case Rows _, Nulls _ -> {}
            case Constant(byte[] value) -> checkArgument(variable || value.length == slotSize, "a value of %s bytes for %s", value.length, storageType);
            case Fixed(int width, long base) -> {
                checkArgument(!variable && width <= slotSize && (slotSize <= Long.BYTES || width == slotSize), "values of %s bytes for %s", width, storageType);
                // what is as wide as in memory is its own value, and is not added to anything
                checkArgument(width < slotSize || base == 0, "values of %s with a base", storageType);
                checkArgument(isInRange(base, slotSize), "the base %s for %s", base, storageType);
            }
            case Bytes _, Dictionary _ -> checkArgument(variable, "values of a variable width for %s", storageType);
        }
    }

    private static boolean isInRange(long value, int bytes)
    {
        int unused = Math.max(0, Long.SIZE - bytes * Byte.SIZE);
        return value << unused >> unused == value;
    }

    /**
     * Row layout: one row after the other.
     */
    record Rows()
            implements ChunkEncoding {}

    /**
     * No value at all: nothing stands on storage.
     */
    record Nulls()
            implements ChunkEncoding {}

    /**
     * The same value in all rows: nothing stands in the data file.
     *
     * @param value as in a slot, or the bytes of a variable-width value; not to be changed
     */
    record Constant(byte[] value)
            implements ChunkEncoding
    {
        public static final int MAX_LENGTH = 0xFFFF;

        public Constant
        {
            requireNonNull(value, "value is null");
            checkArgument(value.length <= MAX_LENGTH, "a constant of %s bytes", value.length);
        }
    }

    /**
     * Values of the same width: as in the block if that is the width of the storage type, else as an unsigned difference.
     *
     * @param width bytes of a value on storage; 0 if all values are the base
     * @param base what is added to a value that is narrower than its storage type; else 0
     */
    record Fixed(int width, long base)
            implements ChunkEncoding
    {
        public Fixed
        {
            checkArgument(width >= 0 && width <= 16, "a value of %s bytes", width);
        }
    }

    /**
     * Lengths and then the bytes of variable-width values.
     *
     * @param lengthWidth bytes of a length on storage: 0, 1, 2 or 4
     * @param baseLength what is added to a length that takes less than 4 bytes
     */
    record Bytes(int lengthWidth, int baseLength)
            implements ChunkEncoding
    {
        public Bytes
        {
            checkArgument(lengthWidth >= 0 && lengthWidth <= Integer.BYTES && lengthWidth != 3, "a length of %s bytes", lengthWidth);
            checkArgument(baseLength >= 0, "a base of lengths is negative: %s", baseLength);
        }
    }

    /**
     * Variable-width values as numbers of entries of a dictionary, which stands before the first run. A null is the
     * number behind that of the last entry.
     *
     * @param idWidth bytes of a number on storage: 1 or 2
     * @param entries at least one
     * @param values how the entries stand in the dictionary
     * @param length bytes of the dictionary, without padding
     * @param checksum as of a run
     */
    record Dictionary(int idWidth, int entries, Bytes values, int length, int checksum)
            implements ChunkEncoding
    {
        public static final int MAX_ENTRIES = 0xFFFF;

        public Dictionary
        {
            checkArgument(idWidth == 1 || idWidth == 2, "an id of %s bytes", idWidth);
            checkArgument(entries > 0 && entries <= MAX_ENTRIES, "a dictionary of %s entries", entries);
            requireNonNull(values, "values is null");
            checkArgument(length >= 0 && length <= Integer.MAX_VALUE - Run.ALIGNMENT, "a dictionary of %s bytes", length);
        }
    }
}
