package io.albis.trino.topn;

import io.albis.trino.handle.TopN;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;

import java.util.Comparator;
import java.util.Optional;

import static com.google.common.primitives.Booleans.falseFirst;
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
     * What decides about the place of a part in the order.
     *
     * @param nullFirst whether it may have null, which comes first
     * @param onlyNull whether it has no other values
     * @param first the bound of these that comes first, as a native value; empty if there is none
     */
    record Place(boolean nullFirst, boolean onlyNull, Optional<Object> first) {}

    /**
     * Returns the place of a part in the order.
     *
     * @param values the values that the part may have
     */
    Place place(Domain values)
    {
        boolean onlyNull = values.getValues().isNone();
        return new Place(order.isNullsFirst() && values.isNullAllowed(), onlyNull, onlyNull ? Optional.empty() : bound(values, order.isAscending()));
    }

    /**
     * Compares parts by the domains of the values that they may have.
     */
    @Override
    public int compare(Domain left, Domain right)
    {
        return compare(place(left), place(right));
    }

    int compare(Place left, Place right)
    {
        int nulls = trueFirst().compare(left.nullFirst(), right.nullFirst());
        if (nulls != 0) {
            return nulls;
        }
        // a part that has only null is first or last
        int values = falseFirst().compare(left.onlyNull(), right.onlyNull());
        if (values != 0) {
            return order.isNullsFirst() ? -values : values;
        }
        if (left.onlyNull()) {
            return 0;
        }
        if (left.first().isEmpty() || right.first().isEmpty()) {
            return trueFirst().compare(left.first().isEmpty(), right.first().isEmpty());
        }
        return order.compareValues(left.first().get(), right.first().get());
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
