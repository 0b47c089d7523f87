package io.albis.format.run;

import io.albis.format.schema.AlbisLayout;
import io.albis.format.type.StorageType;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * The encoding of the values of a segment in its runs; see {@code docs/format.md}.
 */
public sealed interface ChunkEncoding
{
    /**
     * Returns the layout of column groups that have this encoding.
     */
    default AlbisLayout layout()
    {
        return switch (this) {
            case Rows _ -> AlbisLayout.ROW;
            case Nulls _, Constant _, Fixed _, Bytes _, Dictionary _ -> AlbisLayout.BLOCK;
        };
    }

    /**
     * Checks that the encoding can represent values of a storage type.
     *
     * @throws IllegalArgumentException if it cannot
     */
    default void check(StorageType storageType)
    {
        int slotSize = storageType.slotSize();
        boolean variable = storageType == StorageType.VARIABLE;
        switch (this) {
            case Rows _, Nulls _ -> {}
            case Constant(byte[] value) -> checkArgument(variable || value.length == slotSize, "a constant of %s bytes is not valid for storage type %s", value.length, storageType);
            case Fixed(int width, long base) -> {
                checkArgument(!variable && width <= slotSize && (slotSize <= Long.BYTES || width == slotSize), "a width of %s bytes is not valid for storage type %s", width, storageType);
                // values with the full width of the storage type are stored as they are, without a base
                checkArgument(width < slotSize || base == 0, "values with the full width of storage type %s cannot have a base", storageType);
                checkArgument(isInRange(base, slotSize), "base %s is out of range for storage type %s", base, storageType);
            }
            case Bytes _, Dictionary _ -> checkArgument(variable, "a variable-width encoding is not valid for storage type %s", storageType);
        }
    }

    private static boolean isInRange(long value, int bytes)
    {
        int unused = Math.max(0, Long.SIZE - bytes * Byte.SIZE);
        return value << unused >> unused == value;
    }

    /**
     * The row layout: values are stored row by row.
     */
    record Rows()
            implements ChunkEncoding {}

    /**
     * All values are null. The data file contains nothing for the chunk.
     */
    record Nulls()
            implements ChunkEncoding {}

    /**
     * All rows have the same value. The data file contains nothing for the chunk.
     *
     * @param value value as in a slot, or the bytes of a variable-width value; callers must not modify it
     */
    record Constant(byte[] value)
            implements ChunkEncoding
    {
        public static final int MAX_LENGTH = 0xFFFF;

        public Constant
        {
            requireNonNull(value, "value is null");
            checkArgument(value.length <= MAX_LENGTH, "a constant of %s bytes exceeds the maximum of %s bytes", value.length, MAX_LENGTH);
        }
    }

    /**
     * Values of a fixed width. Values with the full width of the storage type are stored as in the block. Narrower
     * values are stored as unsigned offsets from a base value, so decoding one takes a single addition.
     *
     * @param width bytes of a value on storage; 0 if all values equal the base
     * @param base value that is added to narrower values; 0 for values of the full width
     */
    record Fixed(int width, long base)
            implements ChunkEncoding
    {
        public Fixed
        {
            checkArgument(width >= 0 && width <= 16, "invalid width of a value: %s", width);
        }
    }

    /**
     * Variable-width values: the lengths, followed by the bytes.
     *
     * @param lengthWidth bytes of a length on storage: 0, 1, 2, or 4
     * @param baseLength length that is added to each stored length; 0 for lengths of 4 bytes
     */
    record Bytes(int lengthWidth, int baseLength)
            implements ChunkEncoding
    {
        public Bytes
        {
            checkArgument(lengthWidth >= 0 && lengthWidth <= Integer.BYTES && lengthWidth != 3, "invalid width of a length: %s", lengthWidth);
            checkArgument(baseLength >= 0, "baseLength is negative: %s", baseLength);
        }
    }

    /**
     * Variable-width values as ids of entries of a dictionary, which precedes the first run. The id of null is the
     * number of entries.
     *
     * @param idWidth bytes of an id on storage: 1 or 2
     * @param entries number of entries; at least one
     * @param values encoding of the entries in the dictionary
     * @param length length of the dictionary in bytes, without padding
     * @param checksum checksum of the dictionary, computed like that of a run
     */
    record Dictionary(int idWidth, int entries, Bytes values, int length, int checksum)
            implements ChunkEncoding
    {
        public static final int MAX_ENTRIES = 0xFFFF;

        public Dictionary
        {
            checkArgument(idWidth == 1 || idWidth == 2, "invalid width of an id: %s", idWidth);
            checkArgument(entries > 0 && entries <= MAX_ENTRIES, "invalid number of dictionary entries: %s", entries);
            requireNonNull(values, "values is null");
            checkArgument(length >= 0 && length <= Integer.MAX_VALUE - Run.ALIGNMENT, "invalid dictionary length: %s", length);
        }
    }
}
