package io.albis.trino.topn;

import io.albis.format.schema.AlbisColumn;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.table.model.ManifestEntry;
import io.albis.table.part.TablePart;
import io.albis.table.partition.RowGroupPredicate;
import io.albis.trino.handle.TopN;
import io.albis.trino.topn.BoundsOrder.Place;
import io.trino.spi.predicate.Domain;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

import static java.util.Objects.requireNonNull;

/**
 * What the statistics of manifests and row groups say about the first rows of an order.
 */
public final class TopNParts
{
    private final TopN topN;
    private final AlbisColumn column;
    private final BoundsOrder order;
    private final RowGroupPredicate matching;

    /**
     * @param mayBeNaN whether the scan may return NaN
     * @param matching the whole predicate that the reader evaluates, and not a simplified one
     */
    public TopNParts(TopN topN, boolean mayBeNaN, RowGroupPredicate matching)
    {
        this.topN = requireNonNull(topN, "topN is null");
        this.column = topN.key().toColumn();
        this.order = new BoundsOrder(topN, mayBeNaN);
        this.matching = requireNonNull(matching, "matching is null");
    }

    AlbisColumn column()
    {
        return column;
    }

    BoundsOrder order()
    {
        return order;
    }

    KnownRows newKnownRows()
    {
        return new KnownRows(this, order, topN.rows());
    }

    /**
     * Returns the order of manifests by the first value that each of them may have.
     */
    public Comparator<ManifestEntry> manifestOrder()
    {
        // a sort compares each manifest several times
        Map<UUID, Place> places = new HashMap<>();
        return (left, right) -> order.compare(
                places.computeIfAbsent(left.id(), _ -> place(left)),
                places.computeIfAbsent(right.id(), _ -> place(right)));
    }

    private Place place(ManifestEntry manifest)
    {
        return order.place(values(TablePart.of(manifest)));
    }

    /**
     * Returns the values of the first sort key that a part may have, except for NaN.
     */
    Domain values(TablePart part)
    {
        return part.values(column);
    }

    /**
     * Returns how many rows the scan certainly returns of a part of the table that are no later than the last bound of
     * its values.
     */
    long knownRows(TablePart part)
    {
        if (!part.isWithin(matching)) {
            return 0;
        }
        if (order.isNullsFirst()) {
            return part.liveRows();
        }
        // it is not known how many of the deleted rows are null
        return part.liveRows() - part.statistics(column).map(ColumnStatistics::nullCount).orElse(0L);
    }
}
