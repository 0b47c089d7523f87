package io.albis.benchmarks.format.slice;

import io.albis.format.index.ValueList;
import io.albis.format.index.ValueListWriter;
import io.albis.format.run.ChunkOutput;
import io.albis.format.run.Compression;
import io.trino.spi.block.LongArrayBlock;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import java.util.UUID;

import static io.trino.spi.type.BigintType.BIGINT;

/**
 * The bytes of a column and of its indexes, of all row groups together.
 *
 * @param distinct sum of the numbers of distinct values of each row group
 * @param slices largest number of slices of a row group
 * @param column bytes of the column
 * @param sliceBytes bytes of the slices of the ranks
 * @param rankedBytes bytes of the values that have the ranks, which an index by slices needs, too
 * @param valueList bytes of the value-list index of Albis
 */
public record SearchSizes(long distinct, int slices, long column, long sliceBytes, long rankedBytes, long valueList)
{
    static final SearchSizes NONE = new SearchSizes(0, 0, 0, 0, 0, 0);

    static SearchSizes of(long[] values)
            throws IOException
    {
        RankedValues ranked = new RankedValues(values);
        return new SearchSizes(ranked.count(), ranked.slices(), new ColumnScan(values).bytes(), new BitSlices(values, ranked).bytes(), ranked.bytes(), valueList(values));
    }

    private static long valueList(long[] values)
            throws IOException
    {
        ValueListWriter writer = new ValueListWriter(BIGINT);
        writer.append(new LongArrayBlock(values.length, Optional.empty(), values), 0, values.length);
        return writer.write(new ChunkOutput(OutputStream.nullOutputStream(), new UUID(0, 0), Compression.NONE))
                .map(ValueList::length)
                .orElseThrow(() -> new IllegalArgumentException("Row groups of %s rows have no index".formatted(values.length)));
    }

    SearchSizes plus(SearchSizes other)
    {
        return new SearchSizes(distinct + other.distinct, Math.max(slices, other.slices), column + other.column, sliceBytes + other.sliceBytes, rankedBytes + other.rankedBytes, valueList + other.valueList);
    }
}
