package io.albis.format.layout.block;

import io.albis.format.run.Chunk;
import io.albis.format.run.ChunkOutput;
import io.albis.format.type.StorageType;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.type.Type;

import java.io.IOException;

/**
 * Collects one column of a segment. The encoding is chosen when all values of the segment are known.
 */
public sealed interface ColumnEncoder
        permits BytesEncoder,
                IntegerEncoder,
                WideEncoder
{
    static ColumnEncoder create(Type type, BlockEncoding options, FixedDictionaryBuilder dictionaryBuilder)
    {
        return switch (StorageType.of(type)) {
            case BYTE, SHORT, INT, LONG -> new IntegerEncoder(type, options, dictionaryBuilder);
            case FIXED12, INT128 -> new WideEncoder(type, options.dictionaries(), dictionaryBuilder);
            case VARIABLE -> new BytesEncoder(type, options.dictionaries());
        };
    }

    /**
     * Returns how many of the given rows can be appended without exceeding a number of bytes, based on their size in
     * memory.
     *
     * @param limit number of bytes; may be negative
     */
    int rowsThatFit(ValueBlock block, int offset, int count, long limit);

    void append(ValueBlock block, int offset, int count);

    /**
     * Returns the size of the appended values in bytes, based on their size in memory.
     */
    long size();

    /**
     * Writes all rows, and starts a new segment.
     */
    Chunk finish(ChunkOutput output)
            throws IOException;

    long retainedSize();
}
