package io.albis.format.run;

import io.albis.format.schema.AlbisLayout;
import io.albis.format.type.StorageType;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * The encoding of the values of a segment in its runs; see {@code docs/format.md}. Each run has its own parameters
 * ({@link RunEncoding}).
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
            case Nulls _, Constant _, Fixed _, Bytes _, Dictionary _, Bits _ -> AlbisLayout.BLOCK;
        };
    }

    /**
     * Returns whether chunks with this encoding have runs in the data file.
     */
    default boolean hasRuns()
    {
        return switch (this) {
            case Nulls _, Constant _ -> false;
            case Rows _, Fixed _, Bytes _, Dictionary _, Bits _ -> true;
        };
    }

    /**
     * Returns whether a dictionary precedes the runs.
     */
    default boolean hasDictionary()
    {
        return switch (this) {
            case Dictionary _ -> true;
            case Rows _, Nulls _, Constant _, Fixed _, Bytes _, Bits _ -> false;
        };
    }

    /**
     * Returns whether the runs contain the values themselves, as integers if these are integers in memory. A filter can
     * then compare them without decoding them into a block.
     */
    default boolean storesIntegers()
    {
        return switch (this) {
            case Fixed _ -> true;
            case Rows _, Nulls _, Constant _, Bytes _, Dictionary _, Bits _ -> false;
        };
    }

    /**
     * Checks that the encoding can represent values of a storage type.
     *
     * @throws IllegalArgumentException if it cannot
     */
    default void check(StorageType storageType)
    {
        boolean variable = storageType.isVariableWidth();
        switch (this) {
            case Rows _, Nulls _ -> {}
            case Constant(byte[] value) -> checkArgument(variable || value.length == storageType.slotSize(), "a constant of %s bytes is not valid for storage type %s", value.length, storageType);
            case Fixed _ -> checkArgument(!variable, "a fixed-width encoding is not valid for storage type %s", storageType);
            case Bytes _ -> checkArgument(variable, "a variable-width encoding is not valid for storage type %s", storageType);
            case Bits _ -> checkArgument(storageType == StorageType.BYTE, "bits are not valid for storage type %s", storageType);
            case Dictionary dictionary -> {
                checkArgument(variable || storageType.slotSize() >= Integer.BYTES, "a dictionary is not valid for storage type %s", storageType);
                dictionary.values().check(storageType);
            }
        }
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
     * Values of a fixed width; see {@link RunEncoding.Fixed}.
     */
    record Fixed()
            implements ChunkEncoding {}

    /**
     * Variable-width values; see {@link RunEncoding.Bytes}.
     */
    record Bytes()
            implements ChunkEncoding {}

    /**
     * Values that are 0 or 1, as bits.
     */
    record Bits()
            implements ChunkEncoding {}

    /**
     * Values as ids of entries of a dictionary, which precedes the first run. The id of null is the number of entries.
     *
     * @param entries number of entries; at least one
     * @param sorted whether no entry is less than the one before it, in the order of the type
     * @param values encoding of the entries: {@link RunEncoding.Fixed} or {@link RunEncoding.Bytes}
     * @param stored the bytes of the entries
     */
    record Dictionary(int entries, boolean sorted, RunEncoding values, StoredBytes stored)
            implements ChunkEncoding
    {
        public static final int MAX_ENTRIES = 0xFFFF;

        public Dictionary
        {
            checkArgument(entries > 0 && entries <= MAX_ENTRIES, "invalid number of dictionary entries: %s", entries);
            requireNonNull(stored, "stored is null");
            switch (values) {
                case RunEncoding.Fixed fixed -> checkArgument(fixed.outliers() == 0, "a dictionary has %s outliers", fixed.outliers());
                case RunEncoding.Bytes _ -> {}
                case RunEncoding.Plain _, RunEncoding.Ids _ -> throw new IllegalArgumentException("invalid encoding of dictionary entries: " + values);
            }
        }
    }
}
