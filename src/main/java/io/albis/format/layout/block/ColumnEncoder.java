package io.albis.format.layout.block;

import io.albis.format.run.Chunk;
import io.albis.format.run.ChunkOutput;
import io.albis.format.type.StorageType;
import io.trino.spi.block.ValueBlock;

import java.io.IOException;

/**
 * Collects one column of a segment, and picks how it stands on storage when all its values are known.
 */
public sealed interface ColumnEncoder
        permits BytesEncoder,
                IntegerEncoder,
                WideEncoder
{
    static ColumnEncoder create(StorageType storageType, BlockEncoding options)
    {
        return switch (storageType) {
            case BYTE, SHORT, INT, LONG -> new IntegerEncoder(storageType, options.narrowWidths());
            case FIXED12, INT128 -> new WideEncoder(storageType);
            case VARIABLE -> new BytesEncoder(options.dictionaries());
        };
    }

    /**
     * How many of some rows can be added without passing so many bytes, counted as in memory.
     *
     * @param limit may be negative
     */
    int rowsThatFit(ValueBlock block, int offset, int count, long limit);

    void append(ValueBlock block, int offset, int count);

    /**
     * Bytes of the values so far, counted as in memory.
     */
    long size();

    /**
     * Writes all rows, and begins anew.
     */
    Chunk finish(ChunkOutput output)
            throws IOException;

    long retainedSize();
}
