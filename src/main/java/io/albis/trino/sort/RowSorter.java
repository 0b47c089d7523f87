package io.albis.trino.sort;

import com.google.common.collect.ImmutableList;
import io.albis.trino.topn.SortKeyOrder;
import io.trino.spi.Page;
import io.trino.spi.PageSorter;
import io.trino.spi.block.Block;
import io.trino.spi.connector.SortOrder;
import io.trino.spi.type.Type;

import java.util.Iterator;
import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Sorts and compares rows in an order of some of their columns.
 */
public final class RowSorter
{
    private final PageSorter pageSorter;
    private final List<Type> types;
    private final List<Integer> channels;
    private final List<SortOrder> orders;
    private final SortKeyOrder[] keys;

    /**
     * @param types types of the columns of a page
     * @param channels columns by which rows are sorted, the most important one first
     * @param orders the order of each of these columns
     */
    public RowSorter(PageSorter pageSorter, List<Type> types, List<Integer> channels, List<SortOrder> orders)
    {
        this.pageSorter = requireNonNull(pageSorter, "pageSorter is null");
        this.types = ImmutableList.copyOf(types);
        this.channels = ImmutableList.copyOf(channels);
        this.orders = ImmutableList.copyOf(orders);
        checkArgument(channels.size() == orders.size(), "there are %s channels, but %s orders", channels.size(), orders.size());
        this.keys = new SortKeyOrder[channels.size()];
        for (int key = 0; key < keys.length; key++) {
            keys[key] = new SortKeyOrder(types.get(channels.get(key)), orders.get(key));
        }
    }

    List<Type> types()
    {
        return types;
    }

    /**
     * Returns the rows of pages in the order. The pages must not change before all rows are returned.
     */
    public Iterator<Page> sort(List<Page> pages)
    {
        int rows = 0;
        for (Page page : pages) {
            rows += page.getPositionCount();
        }
        return pageSorter.sort(types, pages, channels, orders, rows);
    }

    /**
     * Returns the columns of a page by which rows are compared.
     */
    Block[] keys(Page page)
    {
        Block[] blocks = new Block[keys.length];
        for (int key = 0; key < keys.length; key++) {
            blocks[key] = page.getBlock(channels.get(key));
        }
        return blocks;
    }

    /**
     * Compares two rows. The lesser one comes first.
     *
     * @param left the keys of a page
     * @param right the keys of the same page or of another one
     */
    int compare(Block[] left, int leftPosition, Block[] right, int rightPosition)
    {
        for (int key = 0; key < keys.length; key++) {
            int result = keys[key].compare(left[key], leftPosition, right[key], rightPosition);
            if (result != 0) {
                return result;
            }
        }
        return 0;
    }
}
