package io.albis.trino.topn;

import com.google.common.collect.ImmutableList;
import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.StatisticsDomains;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.table.version.ManifestSelection;
import io.albis.trino.handle.TopN;
import io.albis.trino.topn.BoundsOrder.Place;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.trino.config.PlanningLimits.MAX_ROW_GROUPS;
import static io.albis.trino.error.AlbisErrors.translate;

/**
 * Orders row groups by the bounds of a sort key, and leaves out those that come later than enough rows of others.
 */
public final class TopNRowGroups
{
    private final long rows;
    private final AlbisColumn column;
    private final BoundsOrder order;
    private final TupleDomain<AlbisColumn> predicate;

    /**
     * @param mayBeNaN whether the scan may return NaN
     * @param predicate the whole predicate that the reader evaluates, and not a simplified one
     */
    public TopNRowGroups(TopN topN, boolean mayBeNaN, TupleDomain<AlbisColumn> predicate)
    {
        this.rows = topN.rows();
        this.column = topN.key().toColumn();
        this.order = new BoundsOrder(topN, mayBeNaN);
        this.predicate = predicate;
    }

    private record Part(RowGroup rowGroup, Domain values, Place place) {}

    /**
     * A number of rows that are known to come no later than a value.
     */
    private record KnownRows(long count, Object last) {}

    /**
     * Orders all row groups, and leaves none out.
     */
    public ManifestSelection order(ManifestSelection selection)
    {
        return areTooMany(selection) ? selection : translate(() -> new ManifestSelection(
                parts(selection).stream()
                .map(Part::rowGroup)
                .collect(toImmutableList()),
                selection.manifests(),
                selection.prunedManifests(),
                selection.prunedRowGroups()));
    }

    /**
     * Orders row groups, and leaves out those that the query does not need.
     */
    public ManifestSelection apply(ManifestSelection selection)
    {
        if (areTooMany(selection)) {
            return selection;
        }
        return translate(() -> {
            List<Part> parts = parts(selection);
            Optional<Domain> needed = threshold(parts).map(order::notAfter);
            ImmutableList.Builder<RowGroup> remaining = ImmutableList.builder();
            long dropped = 0;
            for (Part part : parts) {
                if (needed.isPresent() && !part.values().overlaps(needed.get())) {
                    dropped++;
                }
                else {
                    remaining.add(part.rowGroup());
                }
            }
            return new ManifestSelection(remaining.build(), selection.manifests(), selection.prunedManifests(), selection.prunedRowGroups() + dropped);
        });
    }

    private List<Part> parts(ManifestSelection selection)
    {
        return selection.rowGroups().stream()
                .map(this::part)
                .sorted((left, right) -> order.compare(left.place(), right.place()))
                .collect(toImmutableList());
    }

    private Part part(RowGroup rowGroup)
    {
        Domain values = values(rowGroup);
        return new Part(rowGroup, values, order.place(values));
    }

    /**
     * Returns whether the row groups are not put in order, because no split exists before all of them are.
     */
    private static boolean areTooMany(ManifestSelection selection)
    {
        return selection.rowGroups().size() > MAX_ROW_GROUPS;
    }

    /**
     * Returns a value that comes no earlier than as many rows as the query needs; empty if none is known.
     */
    private Optional<Object> threshold(List<Part> parts)
    {
        List<KnownRows> known = new ArrayList<>();
        for (Part part : parts) {
            Optional<Object> last = part.values().getValues().isNone() ? Optional.empty() : order.lastValue(part.values());
            long count = last.isEmpty() ? 0 : knownRows(part.rowGroup());
            if (count > 0) {
                known.add(new KnownRows(count, last.get()));
            }
        }
        known.sort((left, right) -> order.compareValues(left.last(), right.last()));
        long count = 0;
        for (KnownRows next : known) {
            count += next.count();
            if (count >= rows) {
                return Optional.of(next.last());
            }
        }
        return Optional.empty();
    }

    /**
     * Returns how many rows the scan certainly returns that are no later than the last bound of the values.
     */
    private long knownRows(RowGroup rowGroup)
    {
        if (!StatisticsDomains.containsAll(rowGroup, predicate)) {
            return 0;
        }
        if (order.isNullsFirst()) {
            return rowGroup.liveRows();
        }
        // it is not known how many of the deleted rows are null
        return rowGroup.liveRows() - rowGroup.statistics(column).map(ColumnStatistics::nullCount).orElse(0L);
    }

    private Domain values(RowGroup rowGroup)
    {
        if (rowGroup.columnGroup(column.id()).isEmpty()) {
            return StatisticsDomains.toDomain(ColumnStatistics.ofMissing(column, rowGroup.rows()), column.type(), rowGroup.rows());
        }
        return rowGroup.statistics(column)
                .map(statistics -> StatisticsDomains.toDomain(statistics, column.type(), rowGroup.rows()))
                .orElseGet(() -> Domain.all(column.type()));
    }
}
