package io.albis.trino.topn;

import com.google.common.collect.ImmutableMap;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.albis.format.schema.AlbisColumn;
import io.albis.trino.handle.TopN;
import io.trino.spi.block.Block;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import jakarta.annotation.Nullable;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import static java.lang.Math.toIntExact;

/**
 * The sort keys of the last of the first rows that a scan has returned. As soon as the scan has returned as
 * many rows as the query needs, it can leave out rows that come later than all of these. Thread safe.
 * <p>
 * All splits of one scan in one attempt of a task share a threshold. It counts each row once, because an attempt reads
 * each of its splits once. Another attempt, or another scan of the same table, has a threshold of its own: rows that
 * several of them have read would count several times, and the threshold would leave out rows that the query needs. So
 * the owner is the page source provider, which the engine creates for each scan of each attempt.
 * <p>
 * A row counts only if the scan returns it. The rows of a page are counted and selected in one step, after all filters
 * and without deleted rows. A row that was counted and is not returned comes later than enough other rows.
 */
public final class TopNThreshold
        implements Supplier<TupleDomain<AlbisColumn>>
{
    private final AlbisColumn column;
    private final SortKeyOrder firstOrder;
    private final SortKeysOrder order;
    private final ThresholdDomains domains;
    private final boolean keepEqual;
    @GuardedBy("this")
    private final FirstValues first;

    // which page source accounts for the memory
    private final AtomicReference<Object> owner = new AtomicReference<>();
    // blocks with the keys of the last row; null until enough rows have been returned
    @Nullable
    private volatile Block[] last;
    private volatile TupleDomain<AlbisColumn> predicate = TupleDomain.all();
    private volatile long retainedSize;

    /**
     * @param mayBeNaN whether the scan may return rows in which the first sort key is NaN
     */
    public TopNThreshold(TopN topN, boolean mayBeNaN)
    {
        column = topN.key().toColumn();
        firstOrder = new SortKeyOrder(column.type(), topN.order());
        order = new SortKeysOrder(topN);
        domains = new ThresholdDomains(firstOrder, mayBeNaN);
        keepEqual = topN.furtherKeys();
        first = new FirstValues(order, toIntExact(topN.rows()));
    }

    /**
     * Returns a predicate that all rows match that the scan still has to return. It is the same object until the
     * threshold has changed.
     */
    @Override
    public TupleDomain<AlbisColumn> get()
    {
        return predicate;
    }

    /**
     * Returns the number of sort keys that decide.
     */
    int keyCount()
    {
        return order.count();
    }

    /**
     * Selects the rows that the scan may have to return, by the first sort key only.
     *
     * @param firstKeys values of the first sort key
     * @param count number of rows
     * @param rows receives the selected rows, ascending
     * @return the number of selected rows
     */
    int selectByFirstKey(Block firstKeys, int count, int[] rows)
    {
        Block[] limit = last;
        int selected = 0;
        for (int row = 0; row < count; row++) {
            if (limit == null || firstOrder.compare(firstKeys, row, limit[0], 0) <= 0) {
                rows[selected] = row;
                selected++;
            }
        }
        return selected;
    }

    /**
     * Counts rows, and selects those that the scan has to return.
     *
     * @param keys values of each sort key
     * @param count number of rows
     * @param rows receives the selected rows, ascending
     * @return the number of selected rows
     */
    int select(Block[] keys, int count, int[] rows)
    {
        int candidates = candidates(keys, count, rows);
        return candidates == 0 ? 0 : add(keys, rows, candidates);
    }

    private int candidates(Block[] keys, int count, int[] rows)
    {
        Block[] limit = last;
        int candidates = 0;
        for (int row = 0; row < count; row++) {
            if (limit == null || isNeeded(keys, row, limit)) {
                rows[candidates] = row;
                candidates++;
            }
        }
        return candidates;
    }

    private synchronized int add(Block[] keys, int[] rows, int candidates)
    {
        int added = 0;
        for (int i = 0; i < candidates; i++) {
            int row = rows[i];
            // the scan has returned enough rows already if this one equals the last of them, unless another key decides
            if (first.add(keys, row) || (keepEqual && order.compare(keys, row, first.last(), 0) == 0)) {
                rows[added] = row;
                added++;
            }
        }
        retainedSize = first.retainedSize();
        if (!first.isFull()) {
            return added;
        }
        Block[] limit = first.last();
        if (limit != last) {
            last = limit;
            // rows that are equal in the first key may still come earlier
            publish(domains.before(limit[0], 0, keepEqual || order.count() > 1));
        }
        // later rows of the page may have replaced earlier ones
        int selected = 0;
        for (int i = 0; i < added; i++) {
            if (order.compare(keys, rows[i], limit, 0) <= 0) {
                rows[selected] = rows[i];
                selected++;
            }
        }
        return selected;
    }

    private boolean isNeeded(Block[] keys, int row, Block[] limit)
    {
        int comparison = order.compare(keys, row, limit, 0);
        return keepEqual ? comparison <= 0 : comparison < 0;
    }

    private void publish(Domain domain)
    {
        Domain published = predicate.getDomains().map(known -> known.get(column)).orElse(null);
        if (!domain.isAll() && !domain.equals(published)) {
            predicate = TupleDomain.withColumnDomains(ImmutableMap.of(column, domain));
        }
    }

    /**
     * Returns the number of bytes for which a page source must account, which is zero if another one does.
     */
    public long claim(Object pageSource)
    {
        return owner.get() == pageSource || owner.compareAndSet(null, pageSource) ? retainedSize : 0;
    }

    /**
     * Ends the accounting by a page source, so that another one can take over.
     */
    public void release(Object pageSource)
    {
        owner.compareAndSet(pageSource, null);
    }
}
