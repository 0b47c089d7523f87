package io.albis.trino.topn;

import io.albis.trino.handle.TopN;
import io.trino.spi.block.Block;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * The order of rows by several sort keys, each of which decides about rows that are equal in those before it.
 */
final class SortKeysOrder
{
    private final SortKeyOrder[] orders;

    SortKeysOrder(TopN topN)
    {
        orders = topN.keys().stream()
                .map(key -> new SortKeyOrder(key.column().type(), key.order()))
                .toArray(SortKeyOrder[]::new);
    }

    int count()
    {
        return orders.length;
    }

    /**
     * Compares two rows. The lesser one comes first.
     *
     * @param left blocks with the keys of the row, one for each key
     */
    int compare(Block[] left, int leftPosition, Block[] right, int rightPosition)
    {
        checkArgument(left.length == orders.length && right.length == orders.length, "the rows do not have %s keys", orders.length);
        for (int key = 0; key < orders.length; key++) {
            int result = orders[key].compare(left[key], leftPosition, right[key], rightPosition);
            if (result != 0) {
                return result;
            }
        }
        return 0;
    }
}
