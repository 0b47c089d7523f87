package io.albis.trino.topn;

import io.albis.trino.handle.TopN;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;

import java.util.Comparator;
import java.util.Optional;

import static com.google.common.primitives.Booleans.trueFirst;

/**
 * Orders parts of a table by the first value of the sort key that each of them may have, so that a scan finds the first
 * rows early. A part about which nothing is known may have any value.
 */
public final class BoundsOrder
        implements Comparator<Domain>
{
    private final SortKeyOrder order;
    private final boolean mayBeNaN;

    /**
     * @param mayBeNaN whether the scan may return NaN
     */
    public BoundsOrder(TopN topN, boolean mayBeNaN)
    {
        this.order = new SortKeyOrder(topN.key().type(), topN.order());
        this.mayBeNaN = mayBeNaN;
    }

    /**
     * Compares parts by the domains of the values that they may have.
     */
    @Override
    public int compare(Domain left, Domain right)
    {
        int nulls = Boolean.compare(isNullFirst(right), isNullFirst(left));
        if (nulls != 0) {
            return nulls;
        }
        // a part that has only null is first or last
        int values = trueFirst().compare(!left.getValues().isNone(), !right.getValues().isNone());
        if (values != 0) {
            return order.isNullsFirst() ? -values : values;
        }
        if (left.getValues().isNone()) {
            return 0;
        }
        Optional<Object> leftFirst = firstValue(left);
        Optional<Object> rightFirst = firstValue(right);
        if (leftFirst.isEmpty() || rightFirst.isEmpty()) {
            return trueFirst().compare(leftFirst.isEmpty(), rightFirst.isEmpty());
        }
        return order.compareValues(leftFirst.get(), rightFirst.get());
    }

    private boolean isNullFirst(Domain domain)
    {
        return order.isNullsFirst() && domain.isNullAllowed();
    }

    /**
     * Returns the bound that comes first; empty if there is none.
     */
    private Optional<Object> firstValue(Domain domain)
    {
        return bound(domain, order.isAscending());
    }

    /**
     * Returns the bound that comes last; empty if there is none, or if values can be NaN, which bounds do not cover.
     */
    Optional<Object> lastValue(Domain domain)
    {
        return mayBeNaN ? Optional.empty() : bound(domain, !order.isAscending());
    }

    private static Optional<Object> bound(Domain domain, boolean low)
    {
        Range span = domain.getValues().getRanges().getSpan();
        return low ? span.getLowValue() : span.getHighValue();
    }

    int compareValues(Object left, Object right)
    {
        return order.compareValues(left, right);
    }

    boolean isNullsFirst()
    {
        return order.isNullsFirst();
    }

    /**
     * Returns the values of the sort key that come no later than a value.
     */
    Domain notAfter(Object value)
    {
        return new ThresholdDomains(order, mayBeNaN).before(value, true);
    }
}
