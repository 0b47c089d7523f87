package io.albis.trino.partition;

import io.airlift.slice.XxHash64;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.Int128ArrayBlock;
import io.trino.spi.block.RowBlock;
import io.trino.spi.connector.BucketFunction;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Returns the bucket of a row id, which depends on its row group only.
 */
final class RowGroupBucketFunction
        implements BucketFunction
{
    private final int buckets;

    RowGroupBucketFunction(int buckets)
    {
        checkArgument(buckets > 0, "buckets is not positive: %s", buckets);
        this.buckets = buckets;
    }

    @Override
    public int getBucket(Page page, int position)
    {
        Block rowIds = page.getBlock(0);
        RowBlock rows = (RowBlock) rowIds.getUnderlyingValueBlock();
        Block rowGroups = rows.getRawFieldBlock(0);
        int row = rows.getOffsetBase() + rowIds.getUnderlyingValuePosition(position);
        Int128ArrayBlock ids = (Int128ArrayBlock) rowGroups.getUnderlyingValueBlock();
        int id = rowGroups.getUnderlyingValuePosition(row);
        // all row groups of a write have the same first half of the id
        long hash = XxHash64.hash(ids.getInt128High(id), ids.getInt128Low(id));
        return (int) Long.remainderUnsigned(hash, buckets);
    }
}
